import { expect, it } from '@jest/globals';
import { JobLoop } from '../../src/adapters/inbound/scheduler/job-loop.js';
import type { AnyContext } from '../../src/infrastructure/composition/context.js';
import { CONTEXTS } from '../../src/infrastructure/composition/contexts.js';
import { defineStorage } from '../../src/infrastructure/composition/storage.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';

interface Hanging {
  readonly context: AnyContext;
  /** Resolves once both hang. */
  readonly hangs: Promise<unknown>;
  readonly release: () => void;
}

/** A scheduled task that hangs with a connection of the database, and a loop that hangs without one. */
const hangingContext = (): Hanging => {
  const released = Promise.withResolvers<undefined>();
  const [task, loop] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const hang = async (begun: PromiseWithResolvers<undefined>): Promise<number> => {
    begun.resolve(undefined);
    await released.promise;
    return 0;
  };
  const context: AnyContext = {
    storage: defineStorage({ name: 'hanging', stores: {} }),
    modules: [],
    tasks: (get) => [
      { name: 'hanging', pattern: '* * * * * *', run: () => get(TOKENS.database).transact(() => hang(task)) },
    ],
    loops: (get) => [{ does: 'copies of code', loop: new JobLoop(() => hang(loop), get(TOKENS.logger)) }],
  };
  return { context, hangs: Promise.all([task.promise, loop.promise]), release: () => released.resolve(undefined) };
};

describeEachDatabase('a service that is told to end', (openTestDatabase) => {
  it('ends within its limit, whatever hangs, and says what', async () => {
    const { context, hangs, release } = hangingContext();
    const service = await TestService.startWith(
      await openTestDatabase(),
      {},
      { contexts: [...CONTEXTS, context], scheduled: true, drainLimitMs: 100 },
    );
    try {
      await hangs;
      await service.close();
      const late = service.logger.lines.filter(({ message }) => message === 'something did not end in time');
      expect(late.map(({ level, fields }) => [level, fields['what']])).toEqual([
        ['warn', 'scheduled tasks'],
        ['warn', 'work beside requests'],
        ['warn', 'what the service holds'],
      ]);
    } finally {
      release();
    }
  });
});
