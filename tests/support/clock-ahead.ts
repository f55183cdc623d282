import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cron } from 'croner';

interface ClockAhead {
  /** For the process whose clock it is. */
  readonly settings: { readonly NODE_OPTIONS: string };
  /** Lets the clock go: until then it stands still, however long the process takes to start. */
  readonly go: () => void;
}

/**
 * The clock of a process, set so, in every thread, that what runs by a schedule is due soon.
 *
 * @param directory where the program that sets the clock is put.
 * @param schedule as the scheduler has it, with seconds and in UTC.
 * @param lead how long it is to go until then, in milliseconds.
 */
export const clockAhead = (directory: string, schedule: string, lead: number): ClockAhead => {
  const due = new Cron(schedule, { timezone: 'UTC' }).nextRun();
  if (due === null) throw new Error(`${schedule} is never due.`);
  const name = `clock-ahead-${due.getTime()}-${process.hrtime.bigint()}`;
  const [program, sign] = [join(directory, `${name}.cjs`), join(directory, `${name}.goes`)];
  writeFileSync(
    program,
    `const { statSync } = require('node:fs');
    const Before = Date;
    const from = ${due.getTime() - lead};
    let wentAt;
    const now = () => {
      wentAt ??= statSync(${JSON.stringify(sign)}, { throwIfNoEntry: false })?.mtimeMs;
      return wentAt === undefined ? from : Math.floor(from + Before.now() - wentAt);
    };
    globalThis.Date = class extends Before {
      constructor(...given) {
        if (given.length === 0) super(now());
        else super(...given);
      }
      static now() {
        return now();
      }
    };`,
  );
  return { settings: { NODE_OPTIONS: `--require ${program}` }, go: () => writeFileSync(sign, '') };
};
