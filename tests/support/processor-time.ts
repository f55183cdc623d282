import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Where the parent stands behind the name; where user time does, and behind that system time, and both of children that have ended. */
const PARENT = 1;
const USER_TIME = 11;
const MS_PER_TICK = 10;

/** What stands behind the name of a process (proc(5), `/proc/pid/stat`); nothing once it has ended. */
const statOf = (pid: number): readonly number[] => {
  try {
    // The name, which may have spaces, stands in parentheses before.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s);
    return rest.split(' ').map(Number);
  } catch {
    return [];
  }
};

const timeOf = (stat: readonly number[], times: number): number =>
  stat.slice(USER_TIME, USER_TIME + times).reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK;

/** Processor time of all threads of a process since it was started, in milliseconds. */
export const processorTimeOf = (pid: number): number => timeOf(statOf(pid), 2);

const serverOf = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return statOf(rows[0]?.pid ?? 0)[PARENT] ?? 0;
  } finally {
    await client.end();
  }
};

/** Processor time of a database's server on this machine and of all its processes, those that have ended among them; a file has none. */
export const processorTimeOfServer = async (url: string): Promise<number> => {
  if (!url.startsWith('postgres')) return 0;
  const server = await serverOf(url);
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .map(statOf)
    .filter((stat) => stat[PARENT] === server);
  return children.reduce((sum, stat) => sum + timeOf(stat, 2), timeOf(statOf(server), 4));
};
