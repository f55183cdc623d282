import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { searchKey } from '../../src/adapters/outbound/persistence/knex/text-search.js';
import type { IssueQuery } from '../../src/application/planning/ports/planning-readers.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { COUNT_LIMIT } from '../../src/domain/shared/page.js';
import { after, ContractParts } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { numbers } from '../support/seed-activity.js';

/** Few letters, so that much is found: of one to four bytes, and all that a pattern, a query or an array gives a meaning. */
const LETTER = fc.constantFrom(...Array.from('aAbé\u0301ß字😀 \n%_\\"\'*{},-'), 'AND');
const textOf = (most: number) => fc.array(LETTER, { maxLength: most }).map((letters) => letters.join(''));
const ISSUE = fc.record({ title: textOf(12), description: textOf(30), confidential: fc.boolean() });
const HISTORY = fc.record({
  opened: fc.array(ISSUE, { minLength: 3, maxLength: 12 }),
  changed: fc.array(fc.record({ place: fc.nat(11), ...{ title: textOf(12) } }), { maxLength: 3 }),
  removed: fc.array(fc.nat(11), { maxLength: 2 }),
  needles: fc.array(textOf(6), { minLength: 5, maxLength: 12 }),
  orderBy: fc.constantFrom('created_at' as const, 'updated_at' as const),
  sort: fc.constantFrom('asc' as const, 'desc' as const),
});

describeEachDatabase('the search of issues by a part of their texts', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexPlanningReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let url: string;
  let second = 0;

  beforeAll(async () => {
    url = await openTestDatabase();
    parts = new ContractParts(url);
    reader = new KnexPlanningReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada, { visibility: 'public' });

  interface Texts {
    readonly title: string;
    readonly description: string;
    readonly confidential: boolean;
  }
  const addIssue = (projectId: ProjectId, texts: Texts) =>
    parts.work(({ issues }) => {
      const createdAt = after((second += 1));
      return issues.add({
        projectId,
        kind: 'issue',
        severity: null,
        dueDate: null,
        authorId: ada.id,
        createdAt,
        ...texts,
      });
    });

  const find = (query: Partial<IssueQuery>) =>
    reader.listIssueHeads({
      viewer: { userId: ada.id, admin: false, today: '2026-03-01' },
      orderBy: 'created_at',
      sort: 'desc',
      page: { page: 1, perPage: 20 },
      ...query,
    });
  const found = async (query: Partial<IssueQuery>) => (await find(query)).items.map(({ iid }) => iid);

  it('finds what contains the text in its title or description, case aside, in the order of the list, as far as the viewer sees it', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, async ({ opened, changed, removed, needles, orderBy, sort }) => {
        const projectId = await addProject();
        const kept = new Map<number, Texts & { readonly id: number; readonly at: number }>();
        for (const texts of opened) {
          const { id, iid } = await addIssue(projectId, texts);
          kept.set(iid, { ...texts, id, at: second });
        }
        for (const { place, title } of changed) {
          const before = kept.get(1 + (place % opened.length))!;
          const at = (second += 1);
          await parts.work(({ issues }) => issues.update(before.id, { title }, after(at)));
          kept.set(1 + (place % opened.length), { ...before, title, at });
        }
        for (const place of removed) {
          const iid = 1 + (place % opened.length);
          const gone = kept.get(iid);
          if (gone !== undefined) await parts.work(({ issues }) => issues.remove(gone.id));
          kept.delete(iid);
        }
        const ordered = [...kept].sort(([one, { at }], [other, { at: otherAt }]) =>
          orderBy === 'updated_at' ? at - otherAt : one - other,
        );
        if (sort === 'desc') ordered.reverse();
        for (const needle of needles)
          for (const userId of [ada.id, null]) {
            const expected = ordered
              .filter(([, { confidential }]) => userId !== null || !confidential)
              .filter(([, { title, description }]) => searchKey(title, description).includes(searchKey(needle)))
              .map(([iid]) => iid);
            const viewer = { userId, admin: false, today: '2026-03-01' };
            expect([needle, await found({ projectId, search: needle, viewer, orderBy, sort })]).toEqual([
              needle,
              expected,
            ]);
          }
      }),
      { numRuns: 40 },
    );
  });

  it('finds a text of any length, and a short one by itself', async () => {
    const projectId = await addProject();
    const words = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
    const { iid } = await addIssue(projectId, { title: 'Long', description: words, confidential: false });
    await addIssue(projectId, { title: 'Other', description: words.replace('word1234 ', ''), confidential: false });
    expect(await found({ projectId, search: 'WORD1233 WORD1234 WORD1235' })).toEqual([iid]);
    expect(await found({ projectId, search: words })).toEqual([iid]);
    expect(await found({ projectId, search: 'lo' })).toEqual([iid]);
    expect((await found({ projectId, search: 'or' })).length).toBe(2);
  });

  it('forgets the texts of a project that is removed', async () => {
    const projectId = await addProject();
    const { id } = await addIssue(projectId, { title: 'Doomed texts', description: '', confidential: false });
    const { dialect } = parts.database.reader;
    const kept = async () => {
      const bindings = [dialect.writeGrams(['doo', 'oom']), 10];
      return parts.database.reader.run(dialect.idsByGrams('issue_search'), bindings);
    };
    expect(await kept()).toEqual([{ id }]);
    await parts.database.schema('projects').where({ id: projectId }).delete();
    expect(await kept()).toEqual([]);
  });

  it('pages what more have than are looked up one by one, and finds one among them', async () => {
    const projectId = await addProject();
    const many = COUNT_LIMIT + 100;
    const { schema } = parts.database;
    const [{ id: last = 0 } = {}] = (await schema('subjects').max({ id: 'id' })) as { id?: number }[];
    const first = Number(last);
    const rows = numbers(url, many);
    await schema.transaction(async (transaction) => {
      await transaction.raw(
        `insert into subjects (id, kind, project_id) ${rows} select ${first} + i, 'issue', ${projectId} from n`,
      );
      await transaction.raw(`insert into issues
        (id, project_id, iid, kind, title, description, search_key, state, confidential, author_id, created_at, updated_at)
        ${rows} select ${first} + i, ${projectId}, i, 'issue', 'Leak ' || i || ' drips', '', 'leak ' || i || ' drips', 'opened', false,
          ${ada.id}, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from n`);
    });
    const page = await find({ projectId, search: 'LEAK' });
    expect(page.items.map(({ iid }) => iid)).toEqual(Array.from({ length: 20 }, (_, index) => many - index));
    expect([page.hasNext, page.total]).toEqual([true, undefined]);
    expect(await found({ projectId, search: 'leak 7777 d' })).toEqual([7777]);
    const some = await find({ projectId, search: 'leak 99', sort: 'asc' });
    expect(some.items.slice(0, 4).map(({ iid }) => iid)).toEqual([99, 990, 991, 992]);
    expect(some.total).toBe(1 + 10 + 100);
  });
});
