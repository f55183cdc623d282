import { expect, it } from '@jest/globals';
import { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

describeWriting('pages of forks', (writing) => {
  const at = (project: WrittenProject, rest = '') => `/${project.project.path}/-/forks${rest}`;
  const visitor = () => new FormBrowser(writing.service.url);
  const namespaceOf = async (browser: FormBrowser, project: WrittenProject) =>
    /<option value="(\d+)"/.exec(await (await browser.get(at(project, '/new'))).text())?.[1] ?? '';

  it('fork a project that somebody reads into their own namespace, and list it', async () => {
    const project = await writing.newProject({ visibility: 'public' });
    await project.write('main', { a: 'one' });
    const grace = await signedIn(writing.service, 'grace');
    const form = { namespace_id: await namespaceOf(grace, project), name: 'Of grace', path: `of-${project.id}` };
    const made = await grace.submit(at(project, '/new'), at(project, '/new'), form);
    expect([made.status, made.headers.get('location')]).toEqual([303, `/grace/of-${project.id}`]);
    await until(async () => (await (await grace.get(`/grace/of-${project.id}/-/raw/main/a`)).text()) === 'one');
    for (const browser of [visitor(), grace])
      expect(await (await browser.get(at(project))).text()).toContain(`href="/grace/of-${project.id}"`);
    const forks = await (await visitor().get(`/grace/of-${project.id}/-/forks`)).text();
    expect(forks).toContain(`href="/${project.project.path}"`);
    // Who presses twice is led to the fork that is there.
    const again = await grace.submit(at(project, '/new'), at(project, '/new'), form);
    expect([again.status, again.headers.get('location')]).toEqual([303, `/grace/of-${project.id}`]);
    const other = await writing.newProject({ visibility: 'public' });
    await other.write('main', { a: 'one' });
    const taken = await grace.submit(at(other, '/new'), at(other, '/new'), form);
    expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining('has already been taken')]);
    const page = `/grace/of-${project.id}`;
    const { path } = project.project;
    expect(await (await visitor().get(page)).text()).toContain(
      `Forked from <a href="/${path}"><bdi>ada Example</bdi> / <bdi>${path.split('/').at(-1)}</bdi></a>`,
    );
    // Still a fork, of what its owner doesn't see any more.
    const narrowed = { token: writing.grace.token, json: { visibility: 'private' } };
    await writing.service.call('PUT', `/projects/grace%2Fof-${project.id}`, narrowed);
    await project.call('PUT', '', { visibility: 'private' });
    const hidden = await (await grace.get(page)).text();
    expect([hidden.includes('Of grace'), hidden.includes('Forked from'), hidden.includes(path)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('fork the default branch alone where that is chosen', async () => {
    const project = await writing.newProject({ visibility: 'public' });
    await project.write('main', { a: 'one' });
    expect((await project.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' })).status).toBe(201);
    const grace = await signedIn(writing.service, 'grace');
    expect(await (await grace.get(at(project, '/new'))).text()).toContain('<option value="main">Only main</option>');
    const name = `main-of-${project.id}`;
    const form = { namespace_id: await namespaceOf(grace, project), name, path: name };
    const none = await grace.submit(at(project, '/new'), at(project, '/new'), { ...form, branches: 'none' });
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining('must name a branch of the project'),
    ]);
    const made = await grace.submit(at(project, '/new'), at(project, '/new'), { ...form, branches: 'main' });
    expect(made.status).toBe(303);
    await until(async () => (await (await grace.get(`/grace/${name}/-/raw/main/a`)).text()) === 'one');
    expect((await grace.get(`/grace/${name}/-/raw/topic/a`)).status).toBe(404);
  });

  it('show nothing of forks and sources that one may not see', async () => {
    const project = await writing.newProject({ visibility: 'private' });
    await project.write('main', { a: 'one' });
    const grace = await signedIn(writing.service, 'grace');
    for (const path of ['', '/new']) {
      expect((await grace.get(at(project, path))).status).toBe(404);
      expect((await visitor().get(at(project, path))).status).toBe(path === '' ? 404 : 303);
    }
    await project.addMember(writing.grace, 10);
    expect(await (await grace.get(at(project))).text()).not.toContain('/-/forks/new');
    expect((await grace.get(at(project, '/new'))).status).toBe(403);
  });

  it('refuse a namespace in which one may not create projects', async () => {
    const project = await writing.newProject({ visibility: 'public' });
    const ada = await signedIn(writing.service, 'ada');
    const adas = await namespaceOf(ada, project);
    const grace = await signedIn(writing.service, 'grace');
    const refused = await grace.submit(at(project, '/new'), at(project, '/new'), {
      namespace_id: adas,
      name: 'x',
      path: 'x',
    });
    expect([403, 404]).toContain(refused.status);
  });
});
