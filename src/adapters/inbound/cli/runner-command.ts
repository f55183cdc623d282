import type { Command } from 'commander';
import { required } from './required-option.js';

export interface RunnerOptions {
  readonly url: string;
  readonly token: string;
  readonly concurrent: number;
}

/** `gatehouse runner` */
export interface RunnerCommands {
  /** Resolves once it is stopped. */
  runner(options: RunnerOptions): Promise<void>;
}

interface Sent {
  readonly url: string;
  readonly token: string;
  readonly concurrent: string;
}

const NUMBER = /^[1-9]\d?$/;

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

export const addRunnerCommand = (program: Command, handlers: RunnerCommands): void => {
  program
    .command('runner')
    .description('take CI jobs of a server and run them with bash on this machine, as the user who starts it')
    .addOption(required('--url <address>', 'the server, as in https://gatehouse.example'))
    .addOption(required('--token <token>', 'the token of the runner'))
    .option('--concurrent <number>', 'how many jobs it runs at once, 1 to 99', '1')
    .action(({ url, token, concurrent }: Sent, command: Command) => {
      if (!isWebAddress(url)) command.error('error: --url is no address of a server (expected http:// or https://)');
      if (!NUMBER.test(concurrent)) command.error('error: --concurrent is no number from 1 to 99');
      return handlers.runner({ url, token, concurrent: Number(concurrent) });
    });
};
