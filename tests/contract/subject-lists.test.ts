import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { KnexMergeRequestReader } from '../../src/adapters/outbound/persistence/knex/review/knex-merge-request-reader.js';
import type { IssueQuery } from '../../src/application/planning/ports/planning-readers.js';
import type { NewMilestone } from '../../src/application/planning/ports/planning-repositories.js';
import type { MergeRequestQuery } from '../../src/application/review/ports/merge-request-ports.js';
import { itemsOf } from '../../src/application/shared/page-in-batches.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import type { ObjectId } from '../../src/domain/repositories/object-id.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const TODAY = '2026-03-01';

describeEachDatabase('lists of issues, and those of merge requests alike,', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = await parts.addUser('ada');
  });
  afterAll(() => parts.close());

  const addProject = () =>
    parts.work(({ projects }) => {
      const path = `project-${(serial += 1)}`;
      return projects.add({
        ...{ namespaceId: ada.namespaceId, name: path, path, description: null, visibility: 'private' },
        ...{ defaultBranch: 'main', mergeWhenPipelineSucceeds: false, creatorId: ada.id, createdAt: NOW },
      });
    });

  const addMilestone = (projectId: ProjectId, title: string, days: Partial<NewMilestone> = {}) =>
    parts.work(({ milestones }) =>
      milestones.add({ projectId, title, description: '', startDate: null, dueDate: null, createdAt: NOW, ...days }),
    );

  interface Planned {
    readonly milestoneId?: number | null;
  }

  /** An issue and a merge request alike. */
  const addBoth = (projectId: ProjectId, title: string, { milestoneId = null }: Planned = {}) =>
    parts.work(async ({ issues, mergeRequests }) => {
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
      return [issue, mergeRequest] as const;
    });

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
});
