import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HOUR_MS = 3_600_000;

/** When entries that are too old are removed: so long after each full hour. */
export const RETENTION_AFTER_HOUR_MS = 7 * 60_000 + 15_000;

/**
 * Options of Node for a process whose clock is ahead by less than an hour, in every thread, so that what runs each hour is due soon.
 *
 * @param directory where the program that sets the clock is put.
 * @param afterHour when it runs in each hour, in milliseconds.
 * @param lead how long from now it is due, in milliseconds.
 */
export const clockAhead = (directory: string, afterHour: number, lead: number): { readonly NODE_OPTIONS: string } => {
  const sinceDue = (Date.now() - afterHour) % HOUR_MS;
  const program = join(directory, 'clock-ahead.cjs');
  writeFileSync(
    program,
    `const Before = Date;
    const ahead = ${HOUR_MS - sinceDue - lead};
    globalThis.Date = class extends Before {
      constructor(...given) {
        if (given.length === 0) super(Before.now() + ahead);
        else super(...given);
      }
      static now() {
        return Before.now() + ahead;
      }
    };`,
  );
  return { NODE_OPTIONS: `--require ${program}` };
};
