import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewCommitStatus } from '../../src/application/pipelines/ports/pipeline-ports.js';
import { KnexPipelineReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-pipeline-reader.js';
import { KnexStarterReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-starter-reader.js';
import { EXTERNAL_STAGE, type CommitStatusWord } from '../../src/domain/pipelines/commit-status.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const SHA = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const PAGE = { page: 1, perPage: 100 };

describeEachDatabase('the ports of pipelines', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexPipelineReader;
  let ada: { id: UserId; namespaceId: NamespaceId };

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexPipelineReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada);
  const add = (projectId: ProjectId, sha = SHA, ref = 'main', at = NOW) =>
    parts.work(({ pipelines }) =>
      pipelines.add({ projectId, sha, ref, tag: false, source: 'external', userId: ada.id, createdAt: at }),
    );
  const say = (pipelineId: number, name: string, status: CommitStatusWord, more: Partial<NewCommitStatus> = {}) =>
    parts.work(({ commitStatuses }) =>
      commitStatuses.add({
        ...{ pipelineId, name, status, authorId: ada.id, targetUrl: null, description: null, coverage: null },
        ...{ stage: EXTERNAL_STAGE, allowFailure: false },
        ...{ createdAt: NOW, startedAt: null, finishedAt: null },
        ...more,
      }),
    );

  it('number pipelines by project, and find the newest of a commit and of one of its branches', async () => {
    const [one, two] = [await addProject(), await addProject()];
    const first = await add(one);
    const second = await add(one, SHA, 'topic');
    await add(two);
    expect([first.iid, second.iid]).toEqual([1, 2]);
    const newest = (ref?: string) => parts.work(({ pipelines }) => pipelines.newest(one, SHA, ref));
    expect([await newest(), await newest('main'), await newest('none')]).toEqual([second, first, undefined]);
    const found = await reader.newestOf(one, [SHA, OTHER]);
    expect([...found]).toEqual([[SHA, second]]);
    const count = (most: number) => parts.work(({ pipelines }) => pipelines.countOf(one, SHA, most));
    expect([await count(9), await count(1)]).toEqual([2, 1]);
  });

  it('keep where the CI file of a pipeline was when it was made', async () => {
    const projectId = await addProject();
    const made = (configPath?: string) =>
      parts.work(({ pipelines }) =>
        pipelines.add({
          ...{ projectId, sha: SHA, ref: 'main', tag: false, source: 'push', userId: ada.id, createdAt: NOW },
          ...(configPath !== undefined && { configPath }),
        }),
      );
    const [one, two] = [await made('ci/main.yml'), await made()];
    expect([one.configPath, two.configPath]).toEqual(['ci/main.yml', null]);
    expect((await reader.find(projectId, one.id))?.configPath).toBe('ci/main.yml');
  });

  it('keep what a pipeline is called, and whether it fails at once', async () => {
    const projectId = await addProject();
    const facts = {
      projectId,
      sha: SHA,
      ref: 'main',
      tag: false,
      source: 'push',
      userId: ada.id,
      createdAt: NOW,
    } as const;
    const made = await parts.work(({ pipelines }) => pipelines.add({ ...facts, name: 'One', failsAtOnce: true }));
    const other = await add(projectId);
    expect([made, other]).toMatchObject([
      { name: 'One', failsAtOnce: true },
      { name: null, failsAtOnce: false },
    ]);
    await parts.work(({ pipelines }) => pipelines.rename(other.id, 'Two'));
    expect(await reader.find(projectId, other.id)).toMatchObject({ name: 'Two', updatedAt: other.updatedAt });
    const list = { projectId, orderBy: 'id', sort: 'asc', page: PAGE } as const;
    const called = async (name: string) => (await reader.list({ ...list, name })).items.map(({ id }) => id);
    expect([await called('One'), await called('one')]).toEqual([[made.id], []]);
  });

  it('let jobs of one project start pipelines of another once, until that is taken back', async () => {
    const [project, starter, other] = [await addProject(), await addProject(), await addProject()];
    const starters = new KnexStarterReader(parts.database.reader);
    const letIn = (id: ProjectId) => parts.work(({ pipelineStarters }) => pipelineStarters.add(project, id, NOW));
    expect([await letIn(starter), await letIn(starter), await letIn(other)]).toEqual([true, false, true]);
    expect(await parts.work(({ pipelineStarters }) => pipelineStarters.holdAndCount(project))).toBe(2);
    expect([await starters.has(project, starter), await starters.has(starter, project)]).toEqual([true, false]);
    const visible = (userId: UserId | null) =>
      starters.visibleOf(project, { userId, admin: false, today: '2026-01-01' });
    expect([await visible(ada.id), await visible(null)]).toEqual([[starter, other], []]);
    const shutOut = () => parts.work(({ pipelineStarters }) => pipelineStarters.remove(project, starter));
    expect([await shutOut(), await shutOut()]).toEqual([true, false]);
    await parts.work(({ projects }) => projects.remove(other));
    expect(await visible(ada.id)).toEqual([]);
  });

  it('keep how a pipeline stands, to the millisecond, and how the one before it of its branch had ended', async () => {
    const project = await addProject();
    const [first, second] = [await add(project), await add(project, OTHER)];
    const standing = {
      status: 'failed',
      updatedAt: after(3),
      startedAt: after(1),
      finishedAt: after(3),
      told: 'failed',
    } as const;
    await parts.work(({ pipelines }) => pipelines.saveStanding(first.id, standing));
    expect(await parts.work(({ pipelines }) => pipelines.find(first.id))).toEqual({ ...first, ...standing });
    const before = (pipeline: typeof first) => parts.work(({ pipelines }) => pipelines.endedBefore(pipeline));
    expect([await before(second), await before(first)]).toEqual(['failed', undefined]);
    expect(await before({ ...second, ref: 'topic' })).toBeUndefined();
  });

  it('keep what checks said last apart from what they said before, of which so much stays', async () => {
    const { id, projectId } = await add(await addProject());
    for (let round = 0; round < 4; round += 1) {
      await parts.work(async ({ commitStatuses }) => {
        const [last] = await commitStatuses.lastSaid(id);
        if (last !== undefined) await commitStatuses.outdate(last, id, 2);
      });
      await say(id, 'build', 'failed', { description: `round ${round}`, coverage: 9_000 + round });
    }
    await say(id, 'lint', 'pending', { targetUrl: 'https://builds.example/1' });
    expect((await parts.work(({ commitStatuses }) => commitStatuses.lastSaid(id))).map(({ name }) => name)).toEqual([
      'build',
      'lint',
    ]);
    const query = { projectId, sha: SHA, orderBy: 'id', sort: 'asc', page: PAGE } as const;
    const texts = async (all: boolean) =>
      (await reader.statuses({ ...query, all })).items.map(({ description }) => description);
    expect([await texts(false), await texts(true)]).toEqual([
      ['round 3', null],
      ['round 1', 'round 2', 'round 3', null],
    ]);
    expect(await reader.find(projectId, id)).toMatchObject({ coverage: 9_003, user: { username: 'ada' } });
    expect((await reader.checksOf(id)).map(({ name, latest }) => [name, latest])).toEqual([
      ['build', true],
      ['lint', true],
    ]);
  });

  it('let a check go on without losing what isn’t told again', async () => {
    const { id } = await add(await addProject());
    const said = await say(id, 'build', 'pending', { targetUrl: 'https://builds.example/1', description: 'Waits' });
    const going = { status: 'success', startedAt: null, finishedAt: after(2), description: null } as const;
    const gone = await parts.work(({ commitStatuses }) => commitStatuses.goOn(said.id, going));
    expect(gone).toEqual({ ...said, ...going });
    expect(await reader.findStatus(said.id)).toMatchObject({ ...gone, sha: SHA, ref: 'main', author: { id: ada.id } });
  });

  it('list by each of what is asked for', async () => {
    const project = await addProject();
    const [one, two, three] = [
      await add(project, SHA, 'main', after(1)),
      await add(project, OTHER, 'topic', after(2)),
      await add(project, OTHER, 'main', after(3)),
    ];
    const list = async (asked: object) =>
      (await reader.list({ projectId: project, orderBy: 'id', sort: 'desc', page: PAGE, ...asked })).items.map(
        ({ id }) => id,
      );
    expect(await list({})).toEqual([three.id, two.id, one.id]);
    expect(await list({ ref: 'main', sort: 'asc' })).toEqual([one.id, three.id]);
    expect(await list({ sha: OTHER, orderBy: 'ref' })).toEqual([two.id, three.id]);
    expect(await list({ scope: 'branches' })).toEqual([three.id, two.id]);
    expect(await list({ createdAfter: after(1), createdBefore: after(3) })).toEqual([two.id]);
    expect(await list({ username: 'grace' })).toEqual([]);
    const ofCommits = (shas: readonly string[]) =>
      reader.listOf({ projectIds: [project], shas, mergeRequestId: 0, page: PAGE });
    expect((await ofCommits([OTHER])).items.map(({ id }) => id)).toEqual([three.id, two.id]);
    expect((await ofCommits([])).items).toEqual([]);
  });

  it('remove what is asked for, with all that was said there', async () => {
    const project = await addProject();
    const [one, two, three] = [await add(project), await add(project), await add(project)];
    const { id } = await say(one.id, 'build', 'success');
    await parts.work(({ pipelines }) => pipelines.remove([one.id]));
    expect([await reader.find(project, one.id), await reader.findStatus(id)]).toEqual([undefined, undefined]);
    const oldest = (limit: number) => parts.work(({ pipelines }) => pipelines.oldestOf(project, limit));
    expect([await oldest(1), await oldest(10)]).toEqual([[two.id], [two.id, three.id]]);
    await parts.work(({ pipelines }) => pipelines.remove([two.id, three.id]));
    expect([await oldest(10), await reader.find(project, three.id)]).toEqual([[], undefined]);
  });

  describe('of works at once', () => {
    it('number no two alike, and each sees what the one before it added', async () => {
      const project = await addProject();
      const counts = await Promise.all(
        Array.from({ length: 8 }, () =>
          parts.work(async ({ pipelines }) => {
            await pipelines.hold(project);
            const before = await pipelines.countOf(project, SHA, 100);
            const made = { projectId: project, sha: SHA, ref: 'main', tag: false, source: 'external' } as const;
            const { iid } = await pipelines.add({ ...made, userId: ada.id, createdAt: NOW });
            return [before, iid];
          }),
        ),
      );
      expect(counts.sort(([one = 0], [other = 0]) => one - other)).toEqual(
        Array.from({ length: 8 }, (_, index) => [index, index + 1]),
      );
    });
  });
});
