import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexEnvironmentReader } from '../../src/adapters/outbound/persistence/knex/environments/knex-environment-reader.js';
import type { NewDeployment } from '../../src/application/environments/ports/environment-ports.js';
import { KEPT_DEPLOYMENTS } from '../../src/domain/environments/deployment.js';
import type { ObjectId } from '../../src/domain/repositories/object-id.js';
import { slugOf } from '../../src/domain/environments/environment.js';
import { Invalid } from '../../src/domain/shared/domain-error.js';
import type { PlannedJob } from '../../src/domain/pipelines/ci-file/plan.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const MERGED = { squashCommitSha: null, sourceBranchRemoved: null } as const;
const VERSION = { fileCount: 1, overflow: false } as const;

describeEachDatabase('the ports of environments', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexEnvironmentReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexEnvironmentReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada);

  const add = (projectId: ProjectId, name: string, slug = slugOf(name)) =>
    parts.work(({ environments }) =>
      environments.add({ projectId, name, slug, externalUrl: null, tier: 'other', createdAt: NOW }),
    );

  const deployment = (
    projectId: ProjectId,
    environmentId: number,
    more: Partial<NewDeployment> = {},
  ): NewDeployment => ({
    ...{ projectId, environmentId, jobId: null, byJob: false, userId: ada.id, ref: 'main', tag: false },
    ...{ sha: 'a'.repeat(40), status: 'success', createdAt: NOW, finishedAt: NOW },
    ...more,
  });

  const deploy = (projectId: ProjectId, environmentId: number, more: Partial<NewDeployment> = {}) =>
    parts.work(({ deployments }) => deployments.add(deployment(projectId, environmentId, more)));

  it('keep one of a name and of a slug in a project, and tell which of the two is taken', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const made = await add(one, 'review/A');
    expect(await reader.find(one, made.id)).toEqual(made);
    expect(await reader.find(other, made.id)).toBeUndefined();
    await add(other, 'review/A');
    const refused = (name: string, slug?: string) => add(one, name, slug).catch((error: unknown) => error);
    expect(await refused('review/A', 'another')).toEqual(new Invalid({ name: ['has already been taken'] }));
    expect(await refused('review/a', made.slug)).toEqual(new Invalid({ slug: ['has already been taken'] }));
    expect(await parts.work(({ environments }) => environments.hasSlug(one, made.slug))).toBe(true);
    expect(await parts.work(({ environments }) => environments.countOf(one, 9))).toBe(1);
  });

  it('keep the newest deployments of an environment, and the last that succeeded, however old it is', async () => {
    const projectId = await addProject();
    const { id } = await add(projectId, 'production');
    const { id: other } = await add(projectId, 'other');
    await deploy(projectId, other);
    const last = await deploy(projectId, id);
    await parts.work(async ({ deployments }) => {
      const failed = { status: 'failed' } as const;
      for (let count = 0; count < KEPT_DEPLOYMENTS + 5; count += 1)
        await deployments.add(deployment(projectId, id, failed));
    });
    const query = { projectId, orderBy: 'iid', sort: 'asc' } as const;
    const found = await reader.deployments({ ...query, environmentId: id, page: { page: 1, perPage: 100 } });
    expect(found.total).toBe(KEPT_DEPLOYMENTS + 1);
    expect(found.items.slice(0, 2).map(({ iid }) => iid)).toEqual([2, 8]);
    expect((await reader.lastDeploymentsOf([id, other])).get(id)).toMatchObject({ id: last.id, user: { id: ada.id } });
    expect(await parts.work(({ deployments }) => deployments.removeOfProject(projectId, 10))).toBe(10);
  });

  it('find what was deployed last from a branch and is not stopped, and what is to be stopped by now', async () => {
    const projectId = await addProject();
    const [a, b, c, d, e] = [
      await add(projectId, 'a'),
      await add(projectId, 'b'),
      await add(projectId, 'c'),
      await add(projectId, 'd'),
      await add(projectId, 'e'),
    ];
    await deploy(projectId, a.id, { ref: 'topic', byJob: true });
    await deploy(projectId, b.id, { ref: 'topic', byJob: true });
    await deploy(projectId, b.id, { ref: 'main', byJob: true });
    await deploy(projectId, c.id, { ref: 'topic', byJob: true });
    await deploy(projectId, d.id, { ref: 'topic', byJob: true, status: 'failed' });
    await deploy(projectId, e.id, { ref: 'main', byJob: true });
    // What a client tells of a branch stops nothing that a job of another one brought.
    await deploy(projectId, e.id, { ref: 'topic' });
    await parts.work(({ environments }) => environments.change(c.id, { state: 'stopped' }, after(1)));
    const from = (ref: string, tag = false) =>
      parts.work(({ environments }) => environments.deployedFrom(projectId, { ref, tag }, 10));
    expect((await from('topic')).map(({ name }) => name)).toEqual(['a']);
    expect((await from('main')).map(({ name }) => name)).toEqual(['b']);
    expect(await from('main', true)).toEqual([]);
    await parts.work(({ environments }) => environments.change(b.id, { autoStopAt: after(10) }, after(2)));
    const due = async (seconds: number) => (await reader.dueBefore(after(seconds), 10)).map(({ id }) => id);
    expect([await due(9), await due(11)]).toEqual([[], [b.id]]);
    await parts.work(({ projects }) => projects.update(projectId, { archived: true }, after(3)));
    expect(await due(11)).toEqual([]);
  });

  it('let go of the one that has been stopped longest, unless a job waits for it', async () => {
    const projectId = await addProject();
    const [old, young, open] = [
      await add(projectId, 'old'),
      await add(projectId, 'young'),
      await add(projectId, 'open'),
    ];
    const removeStopped = () => parts.work(({ environments }) => environments.removeStopped(projectId));
    expect(await removeStopped()).toBe(false);
    const jobId = await parts.work(async ({ environments, environmentJobs, pipelines, ciJobs }) => {
      for (const [index, { id }] of [old, young].entries())
        await environments.change(id, { state: 'stopped' }, after(index + 1));
      const of = { projectId, sha: 'a'.repeat(40), ref: 'main', tag: false, source: 'push', userId: ada.id } as const;
      const { id: pipelineId } = await pipelines.add({ ...of, createdAt: NOW });
      const definition = { name: 'deploy', stage: 'deploy', stageIndex: 1, when: 'on_success', tags: [], needs: null };
      const job = { projectId, pipelineId, protectedRef: false, userId: ada.id, createdAt: NOW };
      const [id] = await ciJobs.addAll([
        { ...job, definition: { ...definition, allowFailure: false } as unknown as PlannedJob },
      ]);
      await environmentJobs.add({ jobId: id!, pipelineId, environmentId: old.id, action: 'start', status: 'created' });
      return id!;
    });
    const left = async () =>
      (await reader.list({ projectId, page: { page: 1, perPage: 10 } })).items.map(({ name }) => name);
    expect([await removeStopped(), await left()]).toEqual([true, ['old', open.name]]);
    expect(await removeStopped()).toBe(false);
    await parts.work(({ ciJobs }) => ciJobs.change(jobId, { status: 'failed' }));
    expect([await removeStopped(), await left()]).toEqual([true, [open.name]]);
  });

  it('cancel deployments whose job is gone before it ended, and no others', async () => {
    const projectId = await addProject();
    const { id } = await add(projectId, 'production');
    const running = { status: 'running', finishedAt: null } as const;
    await deploy(projectId, id, { ...running, byJob: true });
    await deploy(projectId, id, { byJob: true });
    await deploy(projectId, id, running);
    const canceled = await parts.work(({ deployments }) => deployments.cancelWithoutJob(projectId, after(1)));
    const { items } = await reader.deployments({
      ...{ projectId, orderBy: 'id', sort: 'asc' },
      page: { page: 1, perPage: 10 },
    });
    expect(items.map(({ status, finishedAt }) => [status, finishedAt])).toEqual([
      ['canceled', after(1)],
      ['success', NOW],
      ['running', null],
    ]);
    expect(canceled).toMatchObject([{ id: items[0]!.id, status: 'canceled', finishedAt: after(1) }]);
    expect(await parts.work(({ deployments }) => deployments.cancelWithoutJob(projectId, after(2)))).toEqual([]);
  });

  it('note of the commits of a deployment which merge requests of its project they merged, in place of what was noted', async () => {
    const [projectId, elsewhere] = [await addProject(), await addProject()];
    const sha = (digit: string) => digit.repeat(40) as ObjectId;
    const open = (of: ProjectId, commit?: ObjectId) =>
      parts.work(async ({ mergeRequests }) => {
        const { id } = await mergeRequests.add({
          ...{ projectId: of, authorId: ada.id, sourceProjectId: of, sourceBranch: `topic-${(serial += 1)}` },
          ...{ targetBranch: 'main', sourceSha: null, squash: false, removeSourceBranch: false, title: 'T' },
          ...{ description: '', allowCollaboration: false, milestoneId: null, createdAt: NOW },
        });
        if (commit === undefined)
          await mergeRequests.addVersion(id, { ...VERSION, base: sha('8'), start: sha('9'), head: sha('1') }, NOW);
        else await mergeRequests.merge(id, { ...MERGED, by: ada.id, mergeCommitSha: commit }, NOW);
        return id;
      });
    const [one, two] = [await open(projectId, sha('1')), await open(projectId, sha('2'))];
    await open(projectId);
    await open(elsewhere, sha('1'));
    const { id } = await deploy(projectId, (await add(projectId, 'production')).id);
    const noted = async (...commits: ObjectId[]) => {
      await parts.work(({ deployments }) => deployments.noteBrought(id, commits));
      const rows = parts.database.reader.query('deployed_merge_requests').where({ deployment_id: id });
      return (await rows.orderBy('merge_request_id').select('merge_request_id')).map((row) => row.merge_request_id);
    };
    expect(await noted(sha('1'), sha('3'))).toEqual([one]);
    expect(await noted(sha('1'), sha('2'))).toEqual([one, two]);
    expect(await noted(sha('3'))).toEqual([]);
  });
});
