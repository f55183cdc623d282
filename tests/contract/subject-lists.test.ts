import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { KnexMergeRequestReader } from '../../src/adapters/outbound/persistence/knex/review/knex-merge-request-reader.js';
import type { IssueQuery } from '../../src/application/planning/ports/planning-readers.js';
import type { NewMilestone } from '../../src/application/planning/ports/planning-repositories.js';
import type { MergeRequestQuery } from '../../src/application/review/ports/merge-request-ports.js';
import { itemsOf } from '../../src/application/shared/page-in-batches.js';
import type { TodoAction } from '../../src/domain/collaboration/todo.js';
import { COUNT_LIMIT } from '../../src/domain/shared/page.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import type { ObjectId } from '../../src/domain/repositories/object-id.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const TODAY = '2026-03-01';

describeEachDatabase('lists of issues, and those of merge requests alike,', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let people: readonly UserId[];
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = await parts.addUser('ada');
    people = [ada.id, (await parts.addUser('grace')).id];
  });
  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada);

  const addMilestone = (projectId: ProjectId, title: string, days: Partial<NewMilestone> = {}) =>
    parts.work(({ milestones }) =>
      milestones.add({ projectId, title, description: '', startDate: null, dueDate: null, createdAt: NOW, ...days }),
    );

  interface Planned {
    readonly milestoneId?: number | null;
    readonly labels?: readonly string[];
    readonly thumbsUp?: number;
  }

  /** An issue and a merge request alike. */
  const addBoth = (
    projectId: ProjectId,
    title: string,
    { milestoneId = null, labels = [], thumbsUp = 0 }: Planned = {},
  ) =>
    parts.work(async ({ issues, mergeRequests, subjectLabels, awards }) => {
      const common = { projectId, title, description: '', authorId: ada.id, createdAt: after((serial += 1)) };
      const issue = await issues.add({
        ...common,
        ...{ kind: 'issue', severity: null, confidential: false, dueDate: null, milestoneId },
      });
      const mergeRequest = await mergeRequests.add({
        ...common,
        ...{ sourceProjectId: projectId, sourceBranch: `topic-${serial}`, targetBranch: 'main', milestoneId },
        ...{ sourceSha: 'a'.repeat(40) as ObjectId, squash: false, removeSourceBranch: false },
        allowCollaboration: false,
      });
      for (const { id } of [issue, mergeRequest]) {
        await subjectLabels.set({ id, projectId }, labels, '#6699CC', NOW);
        for (const userId of people.slice(0, thumbsUp))
          await awards.add({ subjectId: id, noteId: null }, { name: 'thumbsup', userId, at: NOW });
        await awards.add({ subjectId: id, noteId: null }, { name: 'tada', userId: ada.id, at: NOW });
      }
      return { issue, mergeRequest };
    });

  /** As many issues as that one, all in its project. */
  const addCopies = async (id: number, count: number): Promise<void> => {
    const { schema } = parts.database;
    const numbers = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count})`;
    const first = (serial += count) * count;
    for (const table of ['subjects', 'issues'] as const) {
      const [row] = (await schema(table).where({ id })) as object[];
      const columns = Object.keys(row ?? {});
      const values = columns.map((column) => (['id', 'iid'].includes(column) ? `${first} + i` : column));
      await schema.raw(
        `insert into ${table} (${columns.join(', ')}) ${numbers} select ${values.join(', ')} from ${table}, numbers where id = ${id}`,
      );
    }
  };

  const WHOLE = { orderBy: 'created_at', sort: 'asc', page: { page: 1, perPage: 100 } } as const;
  const viewer = () => ({ userId: ada.id, admin: false, today: TODAY });

  const issueTitles = async (query: Partial<IssueQuery>): Promise<readonly string[]> => {
    const reader = new KnexPlanningReader(parts.database.reader);
    const { batches } = await reader.listIssues({ ...WHOLE, viewer: viewer(), ...query });
    return (await itemsOf(batches)).map(({ title }) => title);
  };

  const mergeRequestTitles = async (query: Partial<MergeRequestQuery>): Promise<readonly string[]> => {
    const reader = new KnexMergeRequestReader(parts.database.reader, () => TODAY);
    const { batches } = await reader.list({ ...WHOLE, viewer: viewer(), ...query });
    return (await itemsOf(batches)).map(({ title }) => title);
  };

  /** The titles of both, which are the same. */
  const titles = async (query: Partial<IssueQuery> & Partial<MergeRequestQuery>): Promise<readonly string[]> => {
    const found = await issueTitles(query);
    expect(await mergeRequestTitles(query)).toEqual(found);
    return found;
  };

  it('tell who is in the discussion of each: who commented, and who was mentioned, done with it or not, and nobody who marked it', async () => {
    const { issue, mergeRequest } = await addBoth(await addProject(), 'talk');
    const [commenter, mentioned, addressed, marking, elsewhere] = await Promise.all(
      ['commenter', 'mentioned', 'addressed', 'marking', 'elsewhere'].map((name) => parts.addUser(name)),
    );
    const other = await addBoth(await addProject(), 'other');
    const todo = (subjectId: number, userId: UserId, action: TodoAction, noteId: number | null = null) => ({
      ...{ userId, subjectId, noteId, authorId: ada.id, action },
    });
    await parts.work(async ({ notes, todos }) => {
      for (const { id: subjectId } of [issue, mergeRequest]) {
        const note = { subjectId, authorId: commenter!.id, body: '@mentioned', system: false, createdAt: NOW };
        const { id: noteId } = await notes.add(note);
        await notes.add({ ...note, authorId: elsewhere!.id, system: true });
        await todos.add([todo(subjectId, mentioned!.id, 'mentioned', noteId)], NOW);
        await todos.add([todo(subjectId, addressed!.id, 'directly_addressed')], NOW);
        await todos.add([todo(subjectId, marking!.id, 'marked')], NOW);
        await todos.finish([mentioned!.id], [subjectId], NOW);
      }
      await todos.add([todo(other.issue.id, elsewhere!.id, 'mentioned')], NOW);
    });
    const [planning, review] = [
      new KnexPlanningReader(parts.database.reader),
      new KnexMergeRequestReader(parts.database.reader, () => TODAY),
    ];
    for (const people of [await planning.inDiscussion(issue.id), await review.inDiscussion(mergeRequest.id)])
      expect(new Set(people.map(({ username }) => username))).toEqual(new Set(['commenter', 'mentioned', 'addressed']));
  });

  it('are narrowed to what is planned for open milestones that have started, or are the next of their project to be due', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const plan = async (projectId: ProjectId, title: string, days: Partial<NewMilestone> = {}, closed = false) => {
      const { id: milestoneId } = await addMilestone(projectId, title, days);
      if (closed) await parts.work(({ milestones }) => milestones.changeState(milestoneId, 'closed', NOW));
      await addBoth(projectId, title, { milestoneId });
    };
    await plan(one, 'begins today', { startDate: TODAY });
    await plan(one, 'begins tomorrow, next', { startDate: '2026-03-02', dueDate: '2026-03-09' });
    await plan(one, 'went on before, next as well', { startDate: '2025-12-01', dueDate: '2026-03-09' });
    await plan(one, 'due today', { dueDate: TODAY });
    await plan(one, 'due later', { startDate: '2026-02-01', dueDate: '2026-03-10' });
    await plan(one, 'closed', { startDate: '2026-02-01', dueDate: '2026-03-02' }, true);
    await plan(one, 'of no day');
    await plan(other, 'next elsewhere', { dueDate: '2027-01-01' });
    await addBoth(one, 'not planned');
    const mine = async (milestoneStands: 'started' | 'upcoming') => [
      await titles({ projectId: one, milestoneStands }),
      await titles({ milestoneStands }),
    ];
    const next = ['begins tomorrow, next', 'went on before, next as well'];
    expect(await mine('upcoming')).toEqual([next, [...next, 'next elsewhere']]);
    const started = ['begins today', 'went on before, next as well', 'due later'];
    expect(await mine('started')).toEqual([started, started]);
    const { opened } = await new KnexPlanningReader(parts.database.reader).countIssues({
      ...{ viewer: viewer(), projectId: one, milestoneStands: 'upcoming' },
    });
    expect(opened).toBe(2);
  });

  it('are counted by state, unless there are more than asked', async () => {
    const projectId = await addProject();
    for (const title of ['one', 'two', 'three']) await addBoth(projectId, title);
    const filters = { viewer: viewer(), projectId };
    const { reader } = parts.database;
    const [issues, mergeRequests] = [new KnexPlanningReader(reader), new KnexMergeRequestReader(reader, () => TODAY)];
    expect(await issues.countByState(filters, 3)).toEqual({ opened: 3, closed: 0 });
    expect(await mergeRequests.countByState(filters, 3)).toEqual({ opened: 3, merged: 0, closed: 0 });
    for (const list of [issues, mergeRequests]) expect(await list.countByState(filters, 2)).toBeUndefined();
  });

  /** All of a list, one by one. */
  const pageByPage = async (query: Parameters<typeof titles>[0], pages: number): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let page = 1; page <= pages; page += 1)
      found.push(...(await titles({ ...query, page: { page, perPage: 1 } })));
    return found;
  };

  it('are in order by title, thumbs, days and priorities: what has none is last either way, and ids part what is alike', async () => {
    const projectId = await addProject();
    const [soon, late, never] = [
      (await addMilestone(projectId, 'soon', { dueDate: '2026-03-02' })).id,
      (await addMilestone(projectId, 'late', { dueDate: '2026-09-01' })).id,
      (await addMilestone(projectId, 'never')).id,
    ];
    await parts.work(async ({ labels }) => {
      for (const [name, priority] of [
        ['urgent', 1],
        ['slow', 7],
        ['plain', null],
      ] as const)
        await labels.add(projectId, { name, color: '#6699CC', description: '', priority }, NOW);
    });
    await addBoth(projectId, 'b', { milestoneId: late, labels: ['plain', 'slow'], thumbsUp: 1 });
    await addBoth(projectId, 'C', { milestoneId: soon, labels: ['slow', 'urgent'] });
    await addBoth(projectId, 'A', { milestoneId: never, labels: ['urgent'], thumbsUp: 2 });
    await addBoth(projectId, 'Ä', { labels: ['plain'] });
    await addBoth(projectId, 'a', { milestoneId: soon });
    for (const [orderBy, asc, desc] of [
      ['title', 'A a b C Ä', 'Ä C b a A'],
      ['popularity', 'C Ä a b A', 'A b a Ä C'],
      ['milestone_due', 'C a b A Ä', 'b a C Ä A'],
      ['label_priority', 'C A b Ä a', 'b A C a Ä'],
      ['priority', 'C a b A Ä', 'b C a A Ä'],
    ] as const) {
      const listed = async (sort: 'asc' | 'desc') => (await titles({ projectId, orderBy, sort })).join(' ');
      expect([orderBy, await listed('asc'), await listed('desc')]).toEqual([orderBy, asc, desc]);
      const paged = await pageByPage({ projectId, orderBy, sort: 'desc' }, 5);
      expect([orderBy, paged.join(' ')]).toEqual([orderBy, desc]);
    }
    expect((await titles({ projectId, orderBy: 'priority', sort: 'asc', milestoneTitle: 'soon' })).join(' ')).toBe(
      'C a',
    );
  });

  it('are in order by when issues are due, and merge requests were merged: those without such a day are last either way', async () => {
    const projectId = await addProject();
    const [one, two, three] = [
      await addBoth(projectId, 'one'),
      await addBoth(projectId, 'two'),
      await addBoth(projectId, 'three'),
    ];
    await parts.work(async ({ issues }) => {
      await issues.update(three.issue.id, { dueDate: '2026-03-02' }, NOW);
      await issues.update(one.issue.id, { dueDate: '2026-09-01' }, NOW);
    });
    const { dialect } = parts.database.reader;
    for (const [{ mergeRequest }, at] of [
      [three, after(1)],
      [one, after(2)],
    ] as const)
      await parts.database
        .schema('merge_requests')
        .where({ id: mergeRequest.id })
        .update({ state: 'merged', merged_at: dialect.writeInstant(at) });
    for (const [sort, expected] of [
      ['asc', ['three', 'one', 'two']],
      ['desc', ['one', 'three', 'two']],
    ] as const) {
      expect(await issueTitles({ projectId, orderBy: 'due_date', sort })).toEqual(expected);
      expect(await mergeRequestTitles({ projectId, orderBy: 'merged_at', sort })).toEqual(expected);
    }
    expect(two.issue.dueDate).toBeNull();
  });

  it('are put in an order that no index has up to the limit of counting, and refused beyond it', async () => {
    const projectId = await addProject();
    const { issue } = await addBoth(projectId, 'one of many');
    await addCopies(issue.id, COUNT_LIMIT - 1);
    const page = { page: 1, perPage: 1 };
    expect(await issueTitles({ projectId, orderBy: 'title', page })).toHaveLength(1);
    await addCopies(issue.id, 1);
    await expect(issueTitles({ projectId, orderBy: 'title', page })).rejects.toThrow(
      `A list of more than ${COUNT_LIMIT} entries can't be ordered by title.`,
    );
    expect(await issueTitles({ projectId, orderBy: 'updated_at', page })).toHaveLength(1);
    expect(await issueTitles({ projectId, orderBy: 'title', milestoneTitle: 'no such' })).toEqual([]);
  });
});
