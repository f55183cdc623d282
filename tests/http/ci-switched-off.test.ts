import { expect, it } from '@jest/globals';
import { pushesFollowed } from '../support/ci-runner.js';
import type { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface MergeRequest {
  readonly iid: number;
  readonly sha: string;
  readonly detailed_merge_status: string;
}

describeWriting('a project whose CI is switched off, or kept to its members', (writing) => {
  const project = async (fields: object = {}) => {
    const loom = await writing.newProject({ visibility: 'public', ...fields });
    await loom.write('main', { '.gitlab-ci.yml': 'weave: { script: make }\n' });
    return loom;
  };
  const setBuilds = async (loom: WrittenProject, level: string) =>
    expect((await loom.call('PUT', '', { builds_access_level: level })).status).toBe(200);
  const report = async (loom: WrittenProject, sha: string, name: string, ref: string) =>
    expect((await loom.call('POST', `/statuses/${sha}`, { state: 'failed', name, ref })).status).toBe(201);

  it('tells on the page of a commit what programs elsewhere say of it, and leads to no pipeline', async () => {
    const loom = await project();
    const { id } = await loom.write('topic', { one: 'one\n' }, { start_branch: 'main' });
    await pushesFollowed(writing.service);
    const address = `/${loom.project.path}/-/commit/${id}`;
    const [ada, grace] = [await signedIn(writing.service, 'ada'), await signedIn(writing.service, 'grace')];
    const checksFor = async (browser: FormBrowser) => {
      const html = await (await browser.get(address)).text();
      const shown = /<summary>Checks[^]*?<\/details>/.exec(html)?.[0] ?? '';
      const names = [...shown.matchAll(/<strong class="name">([^<]*)</g)].map(([, name]) => name);
      return { names, leadsToPipeline: html.includes('/-/pipelines') };
    };
    expect(await checksFor(grace)).toEqual({ names: ['weave'], leadsToPipeline: true });
    await setBuilds(loom, 'private');
    expect(await checksFor(grace)).toEqual({ names: [], leadsToPipeline: false });
    await report(loom, id, 'elsewhere', 'topic');
    expect(await checksFor(grace)).toEqual({ names: ['elsewhere'], leadsToPipeline: false });
    expect(await checksFor(ada)).toEqual({ names: ['elsewhere', 'weave'], leadsToPipeline: true });
    await setBuilds(loom, 'disabled');
    await report(loom, id, 'later', 'topic');
    for (const browser of [ada, grace])
      expect(await checksFor(browser)).toEqual({ names: ['later', 'elsewhere'], leadsToPipeline: false });
    await loom.call('PUT', '', { repository_access_level: 'private' });
    expect((await grace.get(address)).status).toBe(403);
  });

  it('holds up no merge request for a pipeline while it is switched off', async () => {
    const loom = await project({ only_allow_merge_if_pipeline_succeeds: true });
    await setBuilds(loom, 'disabled');
    const opened = async (branch: string) => {
      await loom.write(branch, { [branch]: 'one\n' }, { start_branch: 'main' });
      const sent = { source_branch: branch, target_branch: 'main', title: branch };
      const { body } = await loom.call<MergeRequest>('POST', '/merge_requests', sent);
      await pushesFollowed(writing.service);
      return body.iid;
    };
    const show = async (iid: number) => (await loom.call<MergeRequest>('GET', `/merge_requests/${iid}`)).body;
    const [none, told] = [await opened('none'), await opened('told')];
    await report(loom, (await show(told)).sha, 'elsewhere', 'told');
    for (const iid of [none, told]) {
      await setBuilds(loom, 'private');
      expect(await show(iid)).toMatchObject({ detailed_merge_status: 'ci_must_pass' });
      expect((await loom.call('PUT', `/merge_requests/${iid}/merge`)).status).toBe(405);
      await setBuilds(loom, 'disabled');
      expect(await show(iid)).toMatchObject({ detailed_merge_status: 'mergeable' });
      const merged = await loom.call('PUT', `/merge_requests/${iid}/merge`);
      expect(merged).toMatchObject({ status: 200, body: { state: 'merged' } });
    }
  });
});
