import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cron } from 'croner';

/**
 * Options of Node for a process whose clock is set so, in every thread, that what runs by a schedule is due soon.
 *
 * @param directory where the program that sets the clock is put.
 * @param schedule as the scheduler has it, with seconds and in UTC.
 * @param lead how long from now it is due, in milliseconds.
 */
export const clockAhead = (directory: string, schedule: string, lead: number): { readonly NODE_OPTIONS: string } => {
  const due = new Cron(schedule, { timezone: 'UTC' }).nextRun();
  if (due === null) throw new Error(`${schedule} is never due.`);
  const program = join(directory, 'clock-ahead.cjs');
  writeFileSync(
    program,
    `const Before = Date;
    const ahead = ${due.getTime() - Date.now() - lead};
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
