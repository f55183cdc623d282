import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { GroupMilestones } from '../../src/application/planning/group-milestones.js';
import { Milestones } from '../../src/application/planning/milestones.js';
import type { UnitOfWork } from '../../src/application/shared/unit-of-work.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { countRetries } from '../support/count-retries.js';
import { describeEachDatabase } from '../support/databases.js';

const FIELDS = { description: '', startDate: null, dueDate: null };
/** Until a work that was begun waits for another one, if it has to. */
const BEGUN_MS = 150;

interface Planned {
  /** The row that issues and merge requests refer to. */
  readonly row: number;
  /** The id that everybody knows it by. */
  readonly id: number;
  readonly projectId: ProjectId;
  readonly remove: () => Promise<void>;
}

describeEachDatabase('milestones, when several things are done at once,', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: { readonly id: UserId; readonly namespaceId: NamespaceId };
  let group: GroupId;
  let retries: () => number;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = await parts.addUser('ada');
    group = await parts.addGroup();
    retries = countRetries(parts.database);
  });
  afterAll(() => parts.close());

  const unitOfWork: UnitOfWork<Repositories> = { execute: (work, manner) => parts.work(work, manner) };
  const clock = { now: () => NOW };
  const title = () => `milestone ${(serial += 1)}`;

  const ofProject = async (): Promise<Planned> => {
    const projectId = await parts.addProject({ ...ada, namespaceId: group });
    const { id } = await parts.work(({ milestones }) =>
      milestones.add({ ...FIELDS, title: title(), projectId, createdAt: NOW }),
    );
    const milestones = new Milestones(unitOfWork, clock);
    const permitted = { project: { id: projectId } } as never;
    return { row: id, id, projectId, remove: () => milestones.remove({ id: ada.id } as never, permitted, id) };
  };

  const ofGroup = async (): Promise<Planned> => {
    const projectId = await parts.addProject({ ...ada, namespaceId: group });
    const id = await parts.work(({ groupMilestones }) =>
      groupMilestones.add(group, { ...FIELDS, title: title(), createdAt: NOW }),
    );
    const row = await parts.work(({ milestones }) => milestones.use(projectId, id));
    const milestones = new GroupMilestones(unitOfWork, clock);
    const permitted = { group: { id: group } } as never;
    return { row: row!, id, projectId, remove: () => milestones.remove(permitted, id) };
  };

  const addMergeRequest = ({ projectId, row }: Planned) =>
    parts.work(({ mergeRequests }) =>
      mergeRequests.add({
        ...{ projectId, authorId: ada.id, sourceProjectId: projectId, sourceBranch: `topic-${(serial += 1)}` },
        ...{ targetBranch: 'main', sourceSha: null, squash: false, removeSourceBranch: false, title: 'T' },
        ...{ description: '', allowCollaboration: false, milestoneId: row, createdAt: NOW },
      }),
    );
  const addIssue = ({ projectId, row }: Planned) =>
    parts.work(({ issues }) =>
      issues.add({
        ...{ title: 'smoke', description: '', severity: null, dueDate: null, projectId, kind: 'issue' },
        ...{ confidential: false, authorId: ada.id, createdAt: NOW, milestoneId: row },
      }),
    );

  /** Does the first half of a work, has the milestone removed, and does the other half. */
  const duringRemoval = async (
    { remove }: Planned,
    first: (repositories: Repositories) => Promise<unknown>,
    then: (repositories: Repositories) => Promise<unknown>,
  ): Promise<void> => {
    let removed: Promise<void> | undefined;
    await parts.work(async (repositories) => {
      await first(repositories);
      removed ??= remove();
      await pause(BEGUN_MS);
      await then(repositories);
    });
    await removed;
  };

  describe.each([
    ['of a project', ofProject],
    ['of a group', ofGroup],
  ])('that are removed %s', (_of, make) => {
    it('wait for who changes a merge request that is planned for them, without a deadlock', async () => {
      const planned = await make();
      const { id } = await addMergeRequest(planned);
      await duringRemoval(
        planned,
        ({ mergeRequests }) => mergeRequests.take(id),
        async ({ milestones, mergeRequests }) => {
          expect(await milestones.use(planned.projectId, planned.id)).toBe(planned.row);
          await mergeRequests.update(id, { milestoneId: planned.row, title: 'Changed' }, NOW);
        },
      );
      const row = await parts.database.reader.query('merge_requests').where({ id }).first('title', 'milestone_id');
      expect([row, retries()]).toEqual([{ title: 'Changed', milestone_id: null }, 0]);
    });

    it('wait for who takes an issue out of them, and for who holds several', async () => {
      const planned = await make();
      const [one, two] = [await addIssue(planned), await addIssue(planned)];
      await duringRemoval(
        planned,
        ({ issues }) => issues.take(one.id),
        async ({ issues, resourceEvents }) => {
          await issues.update(one.id, { milestoneId: null }, NOW);
          await resourceEvents.add(
            one.id,
            [{ kind: 'milestone', action: 'remove', milestoneId: planned.row }],
            ada.id,
            NOW,
          );
          await issues.take(two.id);
        },
      );
      const rows = await parts.database.reader.query('issues').whereIn('id', [one.id, two.id]).select('milestone_id');
      expect([rows, retries()]).toEqual([[{ milestone_id: null }, { milestone_id: null }], 0]);
    });
  });

  it('are made of a group of no project that is just moved out of it', async () => {
    const [below, elsewhere] = [await parts.addGroup(group), await parts.addGroup()];
    const [staying, moving] = [
      await parts.addProject({ ...ada, namespaceId: below }),
      await parts.addProject({ ...ada, namespaceId: below }),
    ];
    const add = (projectId: ProjectId) =>
      parts.work(({ milestones }) => milestones.add({ ...FIELDS, title: 'both', projectId, createdAt: NOW }));
    const [one, other] = [await add(staying), await add(moving)];
    let promoted: Promise<number> | undefined;
    await parts.work(async ({ projects, groupMilestones }) => {
      await projects.take(moving, elsewhere);
      await projects.move(moving, elsewhere, NOW);
      await groupMilestones.leaveBehind({ projectId: moving });
      const permitted = [{ project: { id: staying } }, { group: { id: below } }] as const;
      promoted ??= new GroupMilestones(unitOfWork, clock).promote(permitted[0] as never, permitted[1] as never, one.id);
      await pause(BEGUN_MS);
    });
    await promoted;
    const rows = await parts.database.reader
      .query('milestones')
      .whereIn('id', [one.id, other.id])
      .orderBy('id')
      .select('project_id', 'group_milestone_id');
    expect(rows).toEqual([
      { project_id: staying, group_milestone_id: expect.any(Number) },
      { project_id: moving, group_milestone_id: null },
    ]);
  });
});
