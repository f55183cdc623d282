import { expect, it } from '@jest/globals';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { goBackBefore, goOn } from '../support/migrate-in-steps.js';

const NAME = '20261125200001_make_commits_subjects';
/** More than one batch, on fewer commits. */
const PLAIN = 1_100;
const COMMITS = 3;
const idOf = (number: number): string => String(number).repeat(40);

describeEachDatabase('the migration of comments on commits', (openTestDatabase) => {
  it('makes notes of them and comments again, and loses none', async () => {
    const parts = new ContractParts(await openTestDatabase());
    try {
      const { schema, reader } = parts.database;
      const { id: userId, namespaceId } = await parts.addUser('ada');
      const project = { name: 'Engine', path: 'engine', description: null, visibility: 'public' } as const;
      const rest = { defaultBranch: null, mergeWhenPipelineSucceeds: false, creatorId: userId, createdAt: NOW };
      const projectId = await parts.work(({ projects }) => projects.add({ ...project, ...rest, namespaceId }));
      await goBackBefore(schema, NAME);
      const at = reader.dialect.writeInstant(NOW);
      const comment = { project_id: projectId, author_id: userId, created_at: at };
      const plain = Array.from({ length: PLAIN }, (_, index) => ({
        ...{ ...comment, commit_id: idOf(index % COMMITS), note: `Plain ${index}` },
      }));
      const line = { ...comment, commit_id: idOf(0), note: 'A line', path: 'a.c', line: 7, line_type: 'old' };
      await schema.batchInsert('commit_comments', [...plain, line], 50);

      await goOn(schema);
      expect(await schema('commit_comments')).toEqual([]);
      expect(await schema('discussed_commits').orderBy('commit_id').pluck('commit_id')).toEqual([0, 1, 2].map(idOf));
      expect(await schema('notes').where({ author_id: userId })).toHaveLength(PLAIN + 1);
      const places = (await schema('discussion_positions')) as { position: string }[];
      expect(places.map(({ position }) => JSON.parse(position) as object)).toMatchObject([
        { headSha: idOf(0), oldPath: 'a.c', oldLine: 7, newLine: null },
      ]);

      await goBackBefore(schema, NAME);
      expect(await schema('subjects')).toEqual([]);
      const back = (await schema('commit_comments').orderBy('id')) as Record<string, unknown>[];
      expect(back.map(({ commit_id, note }) => ({ commit_id, note }))).toEqual(
        [...plain, line].map(({ commit_id, note }) => ({ commit_id, note })),
      );
      const last = back.at(-1) ?? {};
      expect({ ...last, line: Number(last['line']) }).toMatchObject({ path: 'a.c', line: 7, line_type: 'old' });
      expect(back[0]).toMatchObject({ path: null, line: null, line_type: null });
      await goOn(schema);
    } finally {
      await parts.close();
    }
  });
});
