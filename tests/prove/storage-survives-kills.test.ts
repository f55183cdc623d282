import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { moveUnderKills, plantEvents } from '../support/storage-kills.js';
import { compare } from '../support/stores.js';

const EVENTS = 60_000;
const ROUNDS = 4;

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'a move of the storage', (openSource) =>
      describeDatabase(to, 'killed at random', (openTarget) => {
        it('comes through in the end, with every row', async () => {
          let kills = 0;
          for (let round = 1; round <= ROUNDS; round += 1) {
            const [source, target] = [await openSource(), await openTarget()];
            await plantEvents(source, EVENTS);
            kills += await moveUnderKills(source, target, 800);
            expect((await compare(source, target)).equal).toBe(true);
          }
          expect(kills).toBeGreaterThan(ROUNDS);
        });
      }),
    );
