import { readFileSync } from 'node:fs';

/** Where user time stands behind the name; system time follows. */
const USER_TIME = 11;
const MS_PER_TICK = 10;

/** Processor time of all threads of a process since it was started, in milliseconds (proc(5), `/proc/pid/stat`). */
export const processorTimeOf = (pid: number): number => {
  // The name, which may have spaces, stands in parentheses before.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s);
  const [user = '', system = ''] = rest.split(' ').slice(USER_TIME, USER_TIME + 2);
  return (Number(user) + Number(system)) * MS_PER_TICK;
};
