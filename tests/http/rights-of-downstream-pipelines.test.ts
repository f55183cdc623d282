import { expect, it } from '@jest/globals';
import { CI_FILE, ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { bridgeOf, bridgesOf, letIn, pipelinesOf, runOf, startedIn, type ShownBridge } from '../support/downstream.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const [GUEST, REPORTER, DEVELOPER, MAINTAINER] = [10, 20, 30, 40];
const JOB = 'x: {script: make}';
const ANY = { name: '*', push_access_level: DEVELOPER, merge_access_level: DEVELOPER };

describeWriting('who starts pipelines of other projects by jobs', (writing) => {
  const followed = () => pushesFollowed(writing.service);

  const targetOf = async (text = JOB) => (await ciProjectWith(writing, text)).loom;

  /** A project of Ada, where Grace looks after the code. */
  const upstreamOf = async (text: string) => {
    const loom = await writing.newProject();
    await loom.addMember(writing.grace, MAINTAINER);
    await loom.write('main', { [CI_FILE]: `start: {script: make}\n${text}` });
    await followed();
    return loom;
  };

  /** How the job stands that somebody's pipeline has, once all that follows is done. */
  const bridgeBy = async (loom: WrittenProject, user = writing.grace): Promise<ShownBridge> =>
    bridgeOf(loom, await runOf(writing, loom, user));

  it('is whoever they run for, by the rights that they have there then', async () => {
    const target = await targetOf();
    const loom = await upstreamOf(`next: {needs: [], trigger: ${target.project.path}}`);
    await letIn(target, loom);
    const notFound = { status: 'failed', failure_reason: 'downstream_bridge_project_not_found' };
    const insufficient = { status: 'failed', failure_reason: 'insufficient_bridge_permissions' };
    expect(await bridgeBy(loom)).toMatchObject(notFound);
    await target.addMember(writing.grace, GUEST);
    const levels = [
      [GUEST, insufficient],
      [REPORTER, insufficient],
      // May run jobs, but not those of a protected branch.
      [DEVELOPER, insufficient],
      [MAINTAINER, { status: 'success' }],
    ] as const;
    const outcomes: unknown[] = [];
    for (const [level] of levels) {
      await target.call('PUT', `/members/${writing.grace.id}`, { access_level: level });
      const { status, failure_reason } = await bridgeBy(loom);
      outcomes.push(failure_reason === undefined ? { status } : { status, failure_reason });
    }
    expect(outcomes).toEqual(levels.map(([, outcome]) => outcome));
    expect(await startedIn(target)).toHaveLength(1);
    await target.call('DELETE', `/members/${writing.grace.id}`);
    expect(await bridgeBy(loom)).toMatchObject(notFound);
  });

  it('is nobody whose project isn’t let in, nor by what only an administrator may', async () => {
    const target = await targetOf();
    const loom = await upstreamOf(`next: {needs: [], trigger: ${target.project.path}}`);
    const refused = { status: 'failed', failure_reason: 'insufficient_bridge_permissions' };
    expect(await bridgeBy(loom, writing.ada)).toMatchObject(refused);
    await letIn(target, loom);
    expect(await bridgeBy(loom, writing.ada)).toMatchObject({ status: 'success' });
    const admin = await writing.service.addUser('root-of-all', { admin: true });
    expect(await bridgeBy(loom, admin)).toMatchObject({
      ...{ status: 'failed', failure_reason: 'downstream_bridge_project_not_found' },
    });
  });

  it('is nobody for a project that isn’t there, is named by a number, or makes no pipeline of it', async () => {
    const target = await targetOf('x: {script: make, only: [tags]}\nalways: {script: make, except: [pipelines]}');
    const path = target.project.path;
    const outcomeOf = async (trigger: string, meanwhile: () => Promise<unknown> = () => Promise.resolve()) => {
      const loom = await upstreamOf(`next: {needs: [], ${trigger}}`);
      await letIn(target, loom);
      await meanwhile();
      return (await bridgeBy(loom, writing.ada)).failure_reason;
    };
    const none = 'downstream_bridge_project_not_found';
    const unmade = 'downstream_pipeline_creation_failed';
    expect([
      await outcomeOf('trigger: no/where'),
      await outcomeOf(`trigger: "${target.id}"`),
      await outcomeOf('trigger: $NOTHING'),
      await outcomeOf(`trigger: ${path}`),
      await outcomeOf(`trigger: {project: ${path}, branch: none}`),
      await outcomeOf(`trigger: {project: ${path}, branch: $NOTHING}`),
      await outcomeOf(`trigger: ${path}, variables: {LONG: ${'x'.repeat(10_001)}}`),
    ]).toEqual([none, none, none, unmade, unmade, unmade, unmade]);
    expect(await outcomeOf(`trigger: ${path}`, () => target.call('POST', '/archive'))).toBe(unmade);
    await target.call('POST', '/unarchive');
  });

  it('is, in their own project, nobody beyond those who may push to their branch', async () => {
    const loom = await writing.newProject();
    const text = `next: {trigger: {project: ${loom.project.path}, branch: main}, rules: [{if: '$CI_PIPELINE_SOURCE != "pipeline"'}]}\n${JOB}`;
    await loom.write('main', { [CI_FILE]: text });
    await loom.commit('topic', 'Begin', [{ action: 'create', file_path: 'a', content: 'a' }], { start_branch: 'main' });
    await followed();
    const bridges = async (ref: string) => {
      const [newest] = await pipelinesOf(loom, `?ref=${ref}&source=push`);
      return bridgesOf(loom, newest!.id);
    };
    expect(await bridges('main')).toMatchObject([{ status: 'success' }]);
    expect(await bridges('topic')).toMatchObject([
      { status: 'failed', failure_reason: 'insufficient_bridge_permissions' },
    ]);
    expect((await loom.call('POST', '/protected_branches', ANY)).status).toBe(201);
  });

  it('is nobody who may not run the jobs of their own project any more', async () => {
    const target = await targetOf();
    const loom = await upstreamOf(
      `next: {when: manual, trigger: ${target.project.path}}\nlast: {needs: [start], trigger: ${target.project.path}}`,
    );
    await letIn(target, loom);
    await target.addMember(writing.grace, MAINTAINER);
    const pipeline = await runOf(writing, loom, writing.grace);
    await loom.call('DELETE', `/members/${writing.grace.id}`);
    const jobs = (await loom.call<{ id: number }[]>('GET', `/pipelines/${pipeline}/jobs`)).body;
    const { schema } = writing.service.service.database;
    await schema('commit_statuses').where({ id: jobs[0]!.id }).update({ status: 'success' });
    // Whatever changes in the pipeline gives the others their turn.
    const manual = (await bridgesOf(loom, pipeline)).find(({ status }) => status === 'manual')!;
    await loom.call('POST', `/jobs/${manual.id}/cancel`);
    await followed();
    expect(await bridgeOf(loom, pipeline)).toMatchObject({ status: 'failed', failure_reason: 'user_blocked' });
    expect(await startedIn(target)).toEqual([]);
  });

  it('tells of what was started those alone who see pipelines there, by the API and on pages', async () => {
    const target = await targetOf();
    const loom = await upstreamOf(`next: {needs: [], trigger: ${target.project.path}}`);
    await letIn(target, loom);
    const bridge = await bridgeBy(loom, writing.ada);
    const upstream = (await pipelinesOf(loom, '?source=api'))[0]!;
    const started = bridge.downstream_pipeline!.id;
    const seen = async (user = writing.ada) =>
      (await bridgesOf(loom, upstream.id, user))[0]!.downstream_pipeline?.id ?? null;
    expect([await seen(), await seen(writing.grace)]).toEqual([started, null]);
    const [ada, grace] = [new FormBrowser(writing.service.url), new FormBrowser(writing.service.url)];
    await ada.signIn('ada');
    await grace.signIn('grace');
    const pageOf = async (browser: FormBrowser, project: WrittenProject, path: string) =>
      (await browser.get(`/${project.project.path}/-/${path}`)).text();
    const link = `/${target.project.path}/-/pipelines/${started}"`;
    for (const path of [`pipelines/${upstream.id}`, `jobs/${bridge.id}`]) {
      expect(await pageOf(ada, loom, path)).toContain(link);
      const hers = await pageOf(grace, loom, path);
      expect(hers).toContain('next');
      expect(hers).not.toContain(target.project.path);
    }
    const page = await pageOf(grace, loom, `jobs/${bridge.id}`);
    expect(page).toContain('The pipeline was started.');
    expect(page).not.toContain('<h2>Log</h2>');
    expect((await grace.get(`/${loom.project.path}/-/jobs/${bridge.id}/raw`)).status).toBe(404);
    const startedBy = `/${loom.project.path}/-/pipelines/${upstream.id}"`;
    const below = await pageOf(ada, target, `pipelines/${started}`);
    expect(below).toMatch(/<dt>Started by<\/dt>/);
    expect(below).toContain(startedBy);
    await target.addMember(writing.grace, REPORTER);
    expect(await seen(writing.grace)).toBe(started);
    await loom.call('DELETE', `/members/${writing.grace.id}`);
    expect(await pageOf(grace, target, `pipelines/${started}`)).not.toContain('Started by');
    expect((await loom.call('GET', `/pipelines/${upstream.id}/bridges`, undefined, writing.grace)).status).toBe(404);
  });

  it('is nobody once the commit there has as many pipelines as it may have', async () => {
    const target = await targetOf();
    const loom = await upstreamOf(`next: {needs: [], trigger: ${target.project.path}}`);
    await letIn(target, loom);
    const { schema } = writing.service.service.database;
    const [row] = await schema('pipelines').where({ project_id: target.id });
    const { id: _id, ...rest } = row!;
    const rows = Array.from({ length: 99 }, (_, index) => ({ ...rest, iid: 100 + index }));
    for (const few of [rows.slice(0, 50), rows.slice(50)]) await schema('pipelines').insert(few);
    expect(await bridgeBy(loom, writing.ada)).toMatchObject({
      ...{ status: 'failed', failure_reason: 'downstream_pipeline_creation_failed' },
    });
  });

  it('says on the page of the job why nothing was started', async () => {
    const loom = await upstreamOf('next: {needs: [], trigger: no/where}');
    const { id } = await bridgeBy(loom, writing.ada);
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn('ada');
    const page = await (await browser.get(`/${loom.project.path}/-/jobs/${id}`)).text();
    expect(page).toContain('There is no such project, or whoever the job runs for does not see it.');
    expect(page).toContain('>Run again</button>');
  });

  it('leaves either side as it is where the other is removed', async () => {
    const target = await targetOf();
    const loom = await upstreamOf(`next: {needs: [], trigger: ${target.project.path}}`);
    await letIn(target, loom);
    const bridge = await bridgeBy(loom, writing.ada);
    const upstream = (await pipelinesOf(loom, '?source=api'))[0]!;
    const started = bridge.downstream_pipeline!.id;
    expect((await loom.call('DELETE', `/pipelines/${upstream.id}`)).status).toBe(204);
    expect(await target.call('GET', `/pipelines/${started}`)).toMatchObject({ status: 200 });
    const again = await bridgeBy(loom, writing.ada);
    await target.call('DELETE', `/pipelines/${again.downstream_pipeline!.id}`);
    const newer = (await pipelinesOf(loom, '?source=api'))[0]!;
    expect(await bridgesOf(loom, newer.id)).toMatchObject([{ status: 'success', downstream_pipeline: null }]);
  });
});
