import { Option } from 'commander';

/** An option that the command can't do without; its help says so. */
export const required = (flags: string, description: string): Option =>
  new Option(flags, `${description} (required)`).makeOptionMandatory();
