import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { moveWhileKilling, PARTIES, STEPS, type Party, type Step } from '../support/kills-by-step.js';
import { MovingStorm } from '../support/moving-storm.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { plantEvents } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';

const EVENTS = 5_000;
/** How often each party is killed after each step. */
const TIMES = Number(process.env['GATEHOUSE_KILLS'] ?? 1);

/** A service that is started again misses some steps meanwhile: one kill a move. */
const MOVES: Readonly<Record<Party, readonly (readonly Step[])[]>> = {
  'the command': [STEPS],
  'the server': [STEPS.slice(0, -1)],
  'the service': STEPS.slice(0, -1).map((step) => [step]),
};
const partiesOf = (...ends: readonly DatabaseName[]): readonly Party[] =>
  (Object.keys(PARTIES) as Party[]).filter((party) => party !== 'the server' || ends.includes('postgres'));

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'a move of the storage', (openSource) =>
      describeDatabase(to, 'in a storm', (openTarget) => {
        const moveOnce = async (party: Party, steps: readonly Step[]): Promise<ReadonlyMap<Step, number>> => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const storm = await MovingStorm.start(source, 1);
          try {
            await storm.more(50);
            const killed = await moveWhileKilling({ storm, source, target }, party, steps);
            await storm.more(50);
            await storm.calm();
            expect(storm.failures).toEqual([]);
            const stored = await storm.stored();
            // What a service had stored and could not answer any more is sent again by nobody here.
            for (const [title, times] of storm.acknowledged)
              if (party === 'the service') expect(stored.get(title)).toBeGreaterThanOrEqual(times);
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

        it.each(partiesOf(from, to))(
          'comes through when %s is killed after each step, and loses nothing',
          async (party) => {
            const total = new Map<Step, number>();
            for (let time = 1; time <= TIMES; time += 1)
              for (const steps of MOVES[party])
                for (const [step, times] of await moveOnce(party, steps))
                  total.set(step, (total.get(step) ?? 0) + times);
            const cells = STEPS.map((step) => `${step} ${total.get(step) ?? 0}`).join(', ');
            process.stdout.write(`${from} → ${to}, ${party} killed after: ${cells}\n`);
            expect([...total.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0);
          },
        );
      }),
    );
