import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { describeDatabase } from '../support/databases.js';
import { MovingStorm } from '../support/moving-storm.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { moveUnderKills, plantEvents } from '../support/storage-kills.js';
import { compare, withEnds } from '../support/stores.js';

const EVENTS = 20_000;
/** Moves of each kind. */
const ROUNDS = Number(process.env['GATEHOUSE_KILL_ROUNDS'] ?? 3);
const RESTARTS = 3;

/** Ends what the server does for the command that moves, now and then, until it is told to stop. */
const killServerProcesses = async (url: string, stopping: AbortSignal): Promise<number> => {
  let killed = 0;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let pause = 500; !stopping.aborted; pause += 250) {
      await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
      const { rowCount } = await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse storage' and datname = current_database()",
      );
      killed += rowCount ?? 0;
    }
  } finally {
    await client.end();
  }
  return killed;
};

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'a move of the storage', (openSource) =>
      describeDatabase(to, 'killed at random', (openTarget) => {
        const tell = (whom: string, kills: number): void =>
          void process.stdout.write(`${from} → ${to}: ${whom}, ${kills} kills\n`);

        it('comes through in the end, with every row', async () => {
          let kills = 0;
          for (let round = 1; round <= ROUNDS; round += 1) {
            const [source, target] = [await openSource(), await openTarget()];
            await plantEvents(source, EVENTS);
            kills += (await moveUnderKills(source, target, 800)).kills;
            expect((await compare(source, target)).equal).toBe(true);
          }
          tell('the command', kills);
          expect(kills).toBeGreaterThan(ROUNDS);
        });

        it('in a storm loses and doubles nothing that was acknowledged, and fails nobody', async () => {
          let kills = 0;
          for (let round = 1; round <= ROUNDS; round += 1) {
            const [source, target] = [await openSource(), await openTarget()];
            await plantEvents(source, EVENTS);
            const storm = await MovingStorm.start(source, 1);
            try {
              await storm.more();
              kills += (await moveUnderKills(storm.settings, target, 1_500)).kills;
              await storm.more();
              await storm.calm();
              expect(storm.failures).toEqual([]);
              expect(await storm.stored()).toEqual(storm.acknowledged);
              expect(await storm.stillSignedIn()).toEqual([200, 200]);
              await withEnds([source, target], async (one, other) => {
                expect(await one.control()).toMatchObject({ role: 'left' });
                expect(await other.control()).toMatchObject({ role: 'primary', epoch: 1 });
              });
            } finally {
              await storm.close();
            }
          }
          tell('the command in a storm', kills);
        });

        it('comes through when the process that serves is killed and started again, and loses nothing that was acknowledged', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const storm = await MovingStorm.start(source, 1);
          try {
            await storm.more();
            const moving = moveUnderKills(storm.settings, target, 2_500);
            for (let restart = 1; restart <= RESTARTS; restart += 1) {
              await sleep(700);
              await storm.killAndRestart();
            }
            const { kills } = await moving;
            tell(`the service ${RESTARTS} times, and the command`, kills);
            await storm.more(50);
            await storm.calm();
            const stored = await storm.stored();
            for (const [title, times] of storm.acknowledged) expect(stored.get(title)).toBeGreaterThanOrEqual(times);
            expect(await storm.stillSignedIn()).toEqual([200, 200]);
          } finally {
            await storm.close();
          }
        });

        if (from === 'postgres' || to === 'postgres')
          it('comes through when the server ends its connections', async () => {
            const [source, target] = [await openSource(), await openTarget()];
            await plantEvents(source, EVENTS);
            const stopping = new AbortController();
            const killing = killServerProcesses(to === 'postgres' ? target : source, stopping.signal);
            // It ends with a sentence each time that it loses its connection, and is run again.
            const { kills } = await moveUnderKills(source, target, 5_000, { failures: 'run again' });
            stopping.abort();
            const connections = await killing;
            tell(`${connections} connections, and the command`, kills);
            expect(connections).toBeGreaterThan(0);
            expect((await compare(source, target)).equal).toBe(true);
          });
      }),
    );
