import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateUnused } from '../../src/infrastructure/storage-ends.js';
import { describeDatabase, type OpenTestDatabase } from '../support/databases.js';
import { moveWhileKilling, type Party } from '../support/kills-by-step.js';
import { STEPS, type Step } from '../support/move-run.js';
import { MovingStorm } from '../support/moving-storm.js';
import { PostgresServer } from '../support/postgres-server.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { plantEvents } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';

const EVENTS = 5_000;
/** How often each party is killed after each step. */
const TIMES = Number(process.env['GATEHOUSE_KILLS'] ?? 1);

/** A service that is started again, and a database that recovers, miss some steps meanwhile: one kill a move. */
const MOVES: Readonly<Record<Party, readonly (readonly Step[])[]>> = {
  'the command': [STEPS],
  'the server': [STEPS.slice(0, -1)],
  'the database': STEPS.slice(0, -1).map((step) => [step]),
  'the service': STEPS.slice(0, -1).map((step) => [step]),
};

/** Whoever kills a service or a database takes answers away: what was stored and not acknowledged is sent again by nobody here. */
const TAKES_ANSWERS: ReadonlySet<Party> = new Set<Party>(['the database', 'the service']);

const moveOnce = async (
  [source, target]: readonly [string, string],
  party: Party,
  steps: readonly Step[],
): Promise<ReadonlyMap<Step, number>> => {
  await plantEvents(source, EVENTS);
  const storm = await MovingStorm.start(source, 1);
  try {
    await storm.more(50);
    const killed = await moveWhileKilling({ storm, source, target }, party, steps);
    await storm.more(50);
    await storm.calm();
    expect(storm.failures).toEqual([]);
    const stored = await storm.stored();
    for (const [title, times] of storm.acknowledged)
      if (TAKES_ANSWERS.has(party)) expect(stored.get(title)).toBeGreaterThanOrEqual(times);
      else expect([title, stored.get(title)]).toEqual([title, times]);
    expect(await storm.stillSignedIn()).toEqual([200, 200]);
    await withEnds([source, target], async (one, other) => {
      expect(await one.control()).toMatchObject({ role: 'left' });
      expect(await other.control()).toMatchObject({ role: 'primary', epoch: 1 });
    });
    return killed;
  } finally {
    await storm.close();
  }
};

const killEach = async (way: string, party: Party, open: () => Promise<readonly [string, string]>): Promise<void> => {
  const total = new Map<Step, number>();
  for (let time = 1; time <= TIMES; time += 1)
    for (const steps of MOVES[party])
      for (const [step, times] of await moveOnce(await open(), party, steps))
        total.set(step, (total.get(step) ?? 0) + times);
  const cells = STEPS.map((step) => `${step} ${total.get(step) ?? 0}`).join(', ');
  process.stdout.write(`${way}, ${party} killed after: ${cells}\n`);
  expect([...total.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0);
};

for (const from of selectedDatabases())
  for (const to of selectedDatabases()) {
    const way = `${from} → ${to}`;
    const hasServer = from === 'postgres' || to === 'postgres';
    describeDatabase(from, 'a move of the storage', (openSource) =>
      describeDatabase(to, 'in a storm', (openTarget) => {
        const parties: readonly Party[] = ['the command', ...(hasServer ? ['the server' as const] : []), 'the service'];
        it.each(parties)('comes through when %s is killed after each step, and loses nothing', (party) =>
          killEach(way, party, async () => [await openSource(), await openTarget()]),
        );

        if (hasServer) {
          let server: PostgresServer;
          // What it acknowledged survives its death, which is not so of the one that other tests use.
          beforeAll(async () => void (server = await PostgresServer.create({ durable: true })));
          afterAll(() => server.remove());

          it('comes through when the database is killed after each step, and loses nothing', async () => {
            let databases = 0;
            const openOnServer = async (): Promise<string> => {
              const name = `killed_${(databases += 1)}`;
              const client = new pg.Client({ connectionString: server.url() });
              await client.connect();
              await client.query(`create database ${name}`);
              await client.end();
              await migrateUnused(server.url(name));
              return server.url(name);
            };
            const openOf = (name: DatabaseName, open: OpenTestDatabase) =>
              name === 'postgres' ? openOnServer() : open();
            await killEach(way, 'the database', async () => [
              await openOf(from, openSource),
              await openOf(to, openTarget),
            ]);
          });
        }
      }),
    );
  }
