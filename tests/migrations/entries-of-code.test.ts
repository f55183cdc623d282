import { expect, it } from '@jest/globals';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { goBackBefore, goOn } from '../support/migrate-in-steps.js';

const NAME = '20261125700001_close_entries_of_code';

describeEachDatabase('the migration of entries of code', (openTestDatabase) => {
  it('closes those of private projects alone, and opens them again', async () => {
    const parts = new ContractParts(await openTestDatabase());
    try {
      const { schema, reader } = parts.database;
      const { id: userId, namespaceId } = await parts.addUser('ada');
      const add = (path: string, visibility: 'private' | 'public') => {
        const rest = { defaultBranch: null, mergeWhenPipelineSucceeds: false, creatorId: userId, createdAt: NOW };
        return parts.work(({ projects }) =>
          projects.add({ name: path, path, description: null, visibility, namespaceId, ...rest }),
        );
      };
      const [hidden, open] = [await add('hidden', 'private'), await add('open', 'public')];
      await goBackBefore(schema, NAME);
      const of = { author_id: userId, target_id: 1, created_at: reader.dialect.writeInstant(NOW) };
      const said = (noteableType: string) => JSON.stringify({ comment: { noteableType, noteableId: 1 } });
      const kinds = [
        { action: 6, target_type: 0 },
        { action: 2, target_type: 3 },
        { action: 7, target_type: 4, details: said('MergeRequest') },
        { action: 7, target_type: 4, details: said('Commit') },
        { action: 7, target_type: 4, details: said('Issue') },
        { action: 2, target_type: 1 },
      ];
      for (const project of [hidden, open])
        for (const kind of kinds) await schema('activity_events').insert({ feed: project * 2, ...of, ...kind });
      const feeds = async () => (await schema('activity_events').orderBy('id').pluck('feed')).map(Number);
      const before = await feeds();

      await goOn(schema);
      const closed = hidden * 2 + 1;
      const plain = hidden * 2;
      expect(await feeds()).toEqual([closed, closed, closed, closed, plain, plain, ...before.slice(kinds.length)]);
      expect((await schema('confidential_feeds').pluck('feed')).map(Number)).toEqual([closed]);

      await goBackBefore(schema, NAME);
      expect(await feeds()).toEqual(before);
      await goOn(schema);
    } finally {
      await parts.close();
    }
  });
});
