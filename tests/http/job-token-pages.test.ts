import { expect, it } from '@jest/globals';
import type { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const [DEVELOPER, MAINTAINER] = [30, 40];

describeWriting('the page of projects whose jobs are let in', (writing) => {
  const pageOf = ({ project }: WrittenProject) => `/${project.path}/-/settings/job_tokens`;
  const removalOf = (loom: WrittenProject, other: WrittenProject) => `${pageOf(loom)}/${other.id}/remove`;
  const read = async (browser: FormBrowser, address: string) => (await browser.get(address)).text();
  const letIn = (browser: FormBrowser, loom: WrittenProject, project: string) =>
    browser.submit(pageOf(loom), pageOf(loom), { project });
  const allowed = async (loom: WrittenProject) =>
    (await loom.call<{ id: number }[]>('GET', '/job_token_scope/allowlist')).body.map(({ id }) => id);

  it('lists them with links, and lets in another one by its path and out again', async () => {
    const [loom, other] = [await writing.newProject(), await writing.newProject()];
    const ada = await signedIn(writing.service, 'ada');
    expect(await read(ada, `/${loom.project.path}/-/settings/ci_cd`)).toContain(`href="${pageOf(loom)}"`);
    expect(await read(ada, pageOf(loom))).toContain('None yet.');
    const added = await letIn(ada, loom, ` ${other.project.path} `);
    expect([added.status, added.headers.get('location')]).toEqual([303, pageOf(loom)]);
    expect(await allowed(loom)).toEqual([other.id]);
    const shown = await read(ada, pageOf(loom));
    for (const part of [`Jobs of ${other.project.path} are let in.`, `href="/${other.project.path}"`])
      expect(shown).toContain(part);
    expect(shown).toContain(`href="${removalOf(loom, other)}"`);
    expect(await read(ada, removalOf(loom, other))).toContain('they start no more pipelines');
    const removed = await ada.submit(removalOf(loom, other), removalOf(loom, other), {});
    expect([removed.status, removed.headers.get('location')]).toEqual([303, pageOf(loom)]);
    expect(await allowed(loom)).toEqual([]);
    expect((await ada.get(removalOf(loom, other))).status).toBe(404);
  });

  it('says what is wrong with a path, and keeps what was typed', async () => {
    const [loom, other] = [await writing.newProject(), await writing.newProject()];
    const ada = await signedIn(writing.service, 'ada');
    await letIn(ada, loom, other.project.path);
    const unknown = 'The project is not the path of a project that you can see';
    for (const [path, problem] of [
      ['', unknown],
      ['nobody/nowhere', unknown],
      ['a'.repeat(3000), unknown],
      [loom.project.path, 'Jobs of a project may start its own pipelines as it is.'],
      [other.project.path, 'Jobs of that project are let in already.'],
    ] as const) {
      const refused = await letIn(ada, loom, path);
      const html = await refused.text();
      expect([refused.status, html.includes(problem), html.includes(`value="${path}"`)]).toEqual([400, true, true]);
    }
    expect(await allowed(loom)).toEqual([other.id]);
  });

  it('tells Maintainers of no project that they don’t see, by no list, form or address', async () => {
    const [loom, unseen] = [await writing.newProject(), await writing.newProject({ visibility: 'private' })];
    await loom.addMember(writing.grace, MAINTAINER);
    const [ada, grace] = [await signedIn(writing.service, 'ada'), await signedIn(writing.service, 'grace')];
    const answerTo = async (path: string) => {
      const refused = await letIn(grace, loom, path);
      const text = await refused.text();
      return [refused.status, text.includes('is not the path of a project that you can see')];
    };
    expect(await answerTo(unseen.project.path)).toEqual([400, true]);
    expect((await letIn(ada, loom, unseen.project.path)).status).toBe(303);
    expect(await read(grace, pageOf(loom))).not.toContain(unseen.project.path);
    expect(await answerTo(unseen.project.path)).toEqual([400, true]);
    expect((await grace.get(removalOf(loom, unseen))).status).toBe(404);
    const token = await grace.formToken(pageOf(loom));
    expect((await grace.post(removalOf(loom, unseen), { authenticity_token: token })).status).toBe(404);
    expect(await allowed(loom)).toEqual([unseen.id]);
  });

  it('is for Maintainers alone, and takes no form without its token', async () => {
    const [loom, other] = [await writing.newProject({ visibility: 'public' }), await writing.newProject()];
    await loom.addMember(writing.grace, DEVELOPER);
    const [ada, grace] = [await signedIn(writing.service, 'ada'), await signedIn(writing.service, 'grace')];
    await letIn(ada, loom, other.project.path);
    const token = await grace.formToken('/profile/account');
    const sent = { project: writing.grace.username, authenticity_token: token };
    for (const address of [pageOf(loom), removalOf(loom, other)]) {
      expect((await grace.get(address)).status).toBe(403);
      expect((await grace.post(address, sent)).status).toBe(403);
      expect((await ada.post(address, { project: other.project.path })).status).toBe(403);
    }
    expect(await allowed(loom)).toEqual([other.id]);
  });

  it('isn’t there where the project has no CI', async () => {
    const loom = await writing.newProject();
    const ada = await signedIn(writing.service, 'ada');
    await loom.call('PUT', '', { builds_access_level: 'disabled' });
    expect((await ada.get(pageOf(loom))).status).toBe(403);
  });
});
