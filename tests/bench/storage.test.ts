import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { plantEvents } from '../support/storage-kills.js';
import { mover, withEnds } from '../support/stores.js';

const EVENTS = 200_000;

const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'a move of the storage', (openSource) =>
      describeDatabase(to, `from ${from} to`, (openTarget) => {
        it(`brings ${EVENTS} rows, and compares each`, async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const at: Record<string, number> = { begun: performance.now() };
          let memory = 0;
          const { verification } = await withEnds([source, target], (one, other) =>
            mover(one, other, {
              report: ({ step }) => {
                at[step] = performance.now();
                memory = Math.max(memory, process.memoryUsage().rss);
              },
            }).execute(),
          );
          const { begun = 0, looked = 0, copied = 0, verified = 0 } = at;
          const indexed = at['made indexes'] ?? 0;
          process.stdout.write(
            `${from} → ${to}: ${EVENTS} rows in ${seconds(begun, verified)} s (looked ${seconds(begun, looked)}, copied ${seconds(looked, copied)}, ` +
              `indexes ${seconds(copied, indexed)}, compared ${seconds(indexed, verified)}); ${(memory / 2 ** 20).toFixed(0)} MiB\n`,
          );
          expect(verification?.equal).toBe(true);
        });
      }),
    );
