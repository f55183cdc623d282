import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KnexMergeRequestReader } from '../../src/adapters/outbound/persistence/knex/review/knex-merge-request-reader.js';
import { searchKey } from '../../src/adapters/outbound/persistence/knex/text-search.js';
import type {
  MergeRequestDetails,
  MergeRequestHead,
  MergeRequestQuery,
} from '../../src/application/review/ports/merge-request-ports.js';
import { itemsOf } from '../../src/application/shared/page-in-batches.js';
import { DEFAULT_LABEL_COLOR } from '../../src/domain/planning/label.js';
import type { ObjectId } from '../../src/domain/repositories/object-id.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

/** Few letters, so that much is found: of one to four bytes, and all that a pattern, a query or an array gives a meaning. */
const LETTER = fc.constantFrom(...Array.from('aAbé\u0301ß字😀 %_\\"\'*{},-'), 'AND');
const textOf = (most: number) => fc.array(LETTER, { maxLength: most }).map((letters) => letters.join(''));
const HISTORY = fc.record({
  opened: fc.array(fc.record({ title: textOf(12), description: textOf(30) }), { minLength: 3, maxLength: 10 }),
  changed: fc.array(fc.record({ place: fc.nat(9), title: textOf(12) }), { maxLength: 3 }),
  removed: fc.array(fc.nat(9), { maxLength: 2 }),
  needles: fc.array(textOf(6), { minLength: 5, maxLength: 10 }),
});

/** What a list shows, of all that there is. */
const headOf = (whole: MergeRequestDetails): Partial<MergeRequestHead> => {
  const { id, iid, projectPath, title, state, sourceBranch, targetBranch, createdAt } = whole;
  const { author, assignees, reviewers, approvals } = whole;
  return {
    ...{ id, iid, projectPath, title, state, sourceBranch, targetBranch, createdAt },
    ...{ author, assignees, reviewers, approvals },
    hasConflicts: whole.conflicts.length > 0,
    labels: whole.labels.map((name) => ({ name, color: DEFAULT_LABEL_COLOR })),
    milestoneTitle: whole.milestone?.title ?? null,
  };
};

describeEachDatabase('the search of merge requests by a part of their texts', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexMergeRequestReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexMergeRequestReader(parts.database.reader, () => '2026-03-01');
    ada = await parts.addUser('ada');
  });
  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada, { visibility: 'public' });

  const open = (projectId: ProjectId, texts: { readonly title: string; readonly description: string }) =>
    parts.work(({ mergeRequests }) =>
      mergeRequests.add({
        projectId,
        authorId: ada.id,
        sourceProjectId: projectId,
        sourceBranch: `topic-${(serial += 1)}`,
        targetBranch: 'main',
        sourceSha: 'a'.repeat(40) as ObjectId,
        squash: false,
        removeSourceBranch: false,
        allowCollaboration: false,
        milestoneId: null,
        createdAt: after(serial),
        ...texts,
      }),
    );

  const found = async (query: Partial<MergeRequestQuery>) => {
    const whole = {
      viewer: { userId: ada.id, admin: false, today: '2026-03-01' },
      orderBy: 'created_at',
      sort: 'asc',
      page: { page: 1, perPage: 20 },
      ...query,
    } as const;
    const items = await itemsOf((await reader.list(whole)).batches);
    // What pages show of each is read apart.
    const { items: heads } = await reader.listHeads(whole);
    expect(heads).toEqual(items.map((item) => expect.objectContaining(headOf(item)) as unknown));
    return items.map(({ iid }) => iid);
  };

  it('finds what contains the text in its title, in its description or in either, case aside, through changes and removals', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, async ({ opened, changed, removed, needles }) => {
        const projectId = await addProject();
        const kept = new Map<number, { readonly id: number; readonly title: string; readonly description: string }>();
        for (const texts of opened) {
          const { id, iid } = await open(projectId, texts);
          kept.set(iid, { ...texts, id });
        }
        for (const { place, title } of changed) {
          const iid = 1 + (place % opened.length);
          const before = kept.get(iid)!;
          await parts.work(({ mergeRequests }) => mergeRequests.update(before.id, { title }, after(serial)));
          kept.set(iid, { ...before, title });
        }
        for (const place of removed) {
          const iid = 1 + (place % opened.length);
          const gone = kept.get(iid);
          if (gone !== undefined) await parts.work(({ mergeRequests }) => mergeRequests.remove(gone.id));
          kept.delete(iid);
        }
        const having = (has: (texts: { title: string; description: string }) => boolean) =>
          [...kept].filter(([, texts]) => has(texts)).map(([iid]) => iid);
        for (const needle of needles) {
          const key = searchKey(needle);
          const expected = {
            either: having(({ title, description }) => searchKey(title, description).includes(key)),
            title: having(({ title }) => searchKey(title).includes(key)),
            description: having(({ description }) => searchKey(description).includes(key)),
          };
          const seen = {
            either: await found({ projectId, search: needle }),
            title: await found({ projectId, search: needle, searchIn: 'title' }),
            description: await found({ projectId, search: needle, searchIn: 'description' }),
          };
          expect([needle, seen]).toEqual([needle, expected]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('forgets the texts of a project that is removed', async () => {
    const projectId = await addProject();
    const { id } = await open(projectId, { title: 'Doomed texts', description: '' });
    const { dialect } = parts.database.reader;
    const kept = () => {
      const bindings = [dialect.writeGrams(['doo', 'oom']), 10];
      return parts.database.reader.run(dialect.idsByGrams('merge_request_search'), bindings);
    };
    expect(await kept()).toEqual([{ id }]);
    await parts.database.schema('projects').where({ id: projectId }).delete();
    expect(await kept()).toEqual([]);
  });
});
