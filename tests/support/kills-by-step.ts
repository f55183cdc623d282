import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MoveRun, type Step } from './move-run.js';
import type { MovingStorm } from './moving-storm.js';
import { until } from './until.js';

/** Within so long after a step somebody is killed: before the next one is through, mostly. */
const LONGEST_MS: Readonly<Record<Step, number>> = {
  begun: 1_000,
  looked: 150,
  'made indexes': 60,
  verified: 600,
  cut: 40,
  'compared again': 5,
};
/** Each run gets further than the one before: so many are a fault. */
const MOST_RUNS = 40;

const OF_COMMAND =
  "from pg_stat_activity where application_name = 'gatehouse storage' and datname = current_database()";

const onServer = async <Row extends object>(url: string, statement: string): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: url });
  // A server that is being killed ends this connection as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
};

/** Ends what a server does for the command, and answers how many connections that were. */
const endConnections = async (url: string): Promise<number> =>
  (await onServer(url, `select pg_terminate_backend(pid) ${OF_COMMAND}`)).length;

/** Kills the process of a server that works for the command: the server gives up all others then, and recovers as after a crash. */
const crash = async (url: string): Promise<boolean> => {
  const witness = new pg.Client({ connectionString: url });
  witness.on('error', () => undefined);
  await witness.connect();
  // `once` of Node would end with the error that comes before.
  const ended = new Promise<void>((resolve) => void witness.once('end', resolve));
  const [worker] = (await witness.query<{ pid: number }>(`select pid ${OF_COMMAND} limit 1`)).rows;
  if (worker === undefined) {
    await witness.end();
    return false;
  }
  process.kill(worker.pid, 'SIGKILL');
  // It serves on until it has noticed.
  await ended;
  await until(async () =>
    onServer(url, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  return true;
};

/** Kills a party of a move at this moment; answers whether there was something to kill. */
type Kill = (run: MoveRun) => Promise<boolean>;

export interface Parties {
  readonly storm: MovingStorm;
  readonly source: string;
  readonly target: string;
}

const PARTIES = {
  'the command': () => (run: MoveRun) => Promise.resolve(run.kill()),
  'the server':
    ({ source, target }: Parties) =>
    async () => {
      let ended = 0;
      for (const url of [source, target]) if (url.startsWith('postgres')) ended += await endConnections(url);
      return ended > 0;
    },
  'the database':
    ({ storm, source, target }: Parties) =>
    async () => {
      let crashed = false;
      const url = [target, source].find((each) => each.startsWith('postgres'));
      if (url !== undefined) await storm.without(async () => void (crashed = await crash(url)));
      return crashed;
    },
  'the service':
    ({ storm }: Parties) =>
    async () => {
      await storm.killAndRestart();
      return true;
    },
} as const satisfies Readonly<Record<string, (parties: Parties) => Kill>>;
export type Party = keyof typeof PARTIES;

/** How often a party was killed after each step, before one run came through. */
export const moveWhileKilling = async (
  parties: Parties,
  party: Party,
  steps: readonly Step[],
): Promise<ReadonlyMap<Step, number>> => {
  const kill = PARTIES[party](parties);
  const killed = new Map<Step, number>();
  const left = [...steps];
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    const run = MoveRun.start(parties.storm.settings, parties.target);
    for (let step = left[0]; step !== undefined && (await run.reaches(step)); step = left[0]) {
      left.shift();
      await sleep(randomInt(LONGEST_MS[step] + 1));
      if (!(await kill(run))) continue;
      killed.set(step, (killed.get(step) ?? 0) + 1);
      // What has lost its connections ends by itself, and so does what was killed.
      if (party !== 'the service') break;
    }
    if ((await run.exited) === 0) return killed;
  }
  throw new Error(`The move did not come through in ${MOST_RUNS} runs.`);
};
