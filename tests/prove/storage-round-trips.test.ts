import { it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { goThereAndBack } from '../support/stores.js';

const TIMES = 25;

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'rows by chance of every table', (openSource) =>
      describeDatabase(to, 'moved there and back', (openTarget) => {
        it(`are as they were, ${TIMES} times`, () => goThereAndBack(openSource, openTarget, { times: TIMES }));
      }),
    );
