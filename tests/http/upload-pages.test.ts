import { expect, it } from '@jest/globals';
import type { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const BYTES = Buffer.from([0x89, 0x50, 0, 255, 13, 10, 0]);

describeWriting('pages that take files', (writing) => {
  const at = (project: WrittenProject, rest = '') => `/${project.project.path}/-/${rest}`;

  const newProject = async (): Promise<WrittenProject> => {
    const project = await writing.newProject({ visibility: 'public' });
    await project.write('main', { 'README.md': '# Mill\n', 'src/a.c': 'int a;\n' });
    return project;
  };

  /** As a browser without script sends the form that the page has. */
  const upload = async (
    browser: FormBrowser,
    page: string,
    files: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer> | string])[],
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const form = new FormData();
    const token = fields['authenticity_token'] ?? (await browser.formToken(page));
    for (const [name, value] of Object.entries({ branch: 'main', message: '', ...fields, authenticity_token: token }))
      form.set(name, value);
    for (const [name, content] of files) form.append('files', new File([content], name));
    return browser.send(page, { method: 'POST', body: form });
  };
  const locationOf = (answer: Response) => [answer.status, answer.headers.get('location')];
  const bytesOf = async (project: WrittenProject, path: string): Promise<Buffer> => {
    const address = `${writing.service.url}/api/v4/projects/${project.id}/repository/files/${encodeURIComponent(path)}/raw`;
    const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': writing.ada.token } });
    expect([path, answer.status]).toEqual([path, 200]);
    return Buffer.from(await answer.arrayBuffer());
  };
  const titles = async (project: WrittenProject) =>
    (await project.call<{ title: string }[]>('GET', '/repository/commits')).body.map(({ title }) => title);

  it('put files byte by byte into the folder that is open, in one commit', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    expect(await (await ada.get(at(project, 'tree/main/src'))).text()).toContain(
      `href="${at(project, 'upload/main/src')}"`,
    );
    const alone = await upload(ada, at(project, 'upload/main/src'), [['ü b.png', BYTES]]);
    expect(locationOf(alone)).toEqual([303, at(project, `blob/main/src/${encodeURIComponent('ü b.png')}`)]);
    expect(await bytesOf(project, 'src/ü b.png')).toEqual(BYTES);
    const two = await upload(ada, at(project, 'upload/main'), [
      ['one.txt', 'one\r\n'],
      ['two.txt', ''],
    ]);
    expect(locationOf(two)).toEqual([303, at(project, 'tree/main')]);
    expect((await bytesOf(project, 'one.txt')).toString()).toBe('one\r\n');
    expect((await bytesOf(project, 'two.txt')).length).toBe(0);
    expect((await titles(project)).slice(0, 2)).toEqual(['Upload 2 files', 'Upload ü b.png']);
  });

  it('make the first commit of a project, and go to a new branch where one is named', async () => {
    const project = await writing.newProject();
    const ada = await signedIn(writing.service, 'ada');
    expect(await (await ada.get(`/${project.project.path}`)).text()).toContain(`href="${at(project, 'upload/main')}"`);
    const first = await upload(ada, at(project, 'upload/main'), [['a', 'a']], { message: 'Begin' });
    expect(locationOf(first)).toEqual([303, at(project, 'blob/main/a')]);
    const other = await upload(ada, at(project, 'upload/main'), [['b', 'b']], { branch: 'topic' });
    expect(locationOf(other)).toEqual([303, at(project, 'blob/topic/b')]);
    expect(await titles(project)).toEqual(['Begin']);
  });

  it('replace what is there when they are told to, and refuse the whole otherwise', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    const files = [
      ['new.txt', 'new'],
      ['README.md', 'other'],
    ] as const;
    const refused = await upload(ada, at(project, 'upload/main'), files, { message: 'Mine' });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain('README.md is there already.');
    expect(html).toContain('value="Mine"');
    expect((await bytesOf(project, 'README.md')).toString()).toBe('# Mill\n');
    expect(await titles(project)).toHaveLength(1);
    expect((await upload(ada, at(project, 'upload/main'), files, { replace: 'true' })).status).toBe(303);
    expect((await bytesOf(project, 'README.md')).toString()).toBe('other');
    const folder = await upload(ada, at(project, 'upload/main'), [['src', 'x']], { replace: 'true' });
    expect([folder.status, await folder.text()]).toEqual([
      400,
      expect.stringContaining('A directory with this name already exists'),
    ]);
  });

  it('refuse no file, names that are none of a file, too many files and too many bytes, and do nothing then', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    const page = at(project, 'upload/main');
    const none = await upload(ada, page, []);
    expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('Choose a file first.')]);
    for (const name of ['.git', '.GIT', '..', 'git~1', 'x'.repeat(300)])
      expect([name, (await upload(ada, page, [[name, 'x']])).status]).toEqual([name, 400]);
    const many = Array.from({ length: 101 }, (_, index) => [`f${index}`, 'x'] as const);
    expect((await upload(ada, page, many)).status).toBe(400);
    const large = await upload(ada, page, [['large', new Uint8Array(10 * 2 ** 20)]]);
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('too large')]);
    expect(await titles(project)).toHaveLength(1);
    const room = await upload(ada, page, [['large', new Uint8Array(9 * 2 ** 20)]]);
    expect(room.status).toBe(303);
    expect((await bytesOf(project, 'large')).length).toBe(9 * 2 ** 20);
  });

  it('leave folders of a name behind', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    expect((await upload(ada, at(project, 'upload/main/src'), [['../../up.txt', 'x']])).status).toBe(303);
    expect((await bytesOf(project, 'src/up.txt')).toString()).toBe('x');
  });

  it('make a folder, which begins with a file that keeps it', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    const page = at(project, 'new_folder/main/src');
    const made = await ada.submit(page, page, { name: 'deep/er', branch: 'main', message: '' });
    expect(locationOf(made)).toEqual([303, at(project, 'tree/main/src/deep/er')]);
    expect((await bytesOf(project, 'src/deep/er/.gitkeep')).length).toBe(0);
    expect((await titles(project))[0]).toBe('Add the folder src/deep/er');
    for (const [name, problem] of [
      ['deep', 'src/deep is there already.'],
      ['a.c', 'src/a.c is there already.'],
      ['', 'You must provide a file path'],
      ['../x', 'Path cannot include directory traversal'],
      ['.git', 'Path cannot include a name that git keeps for itself'],
      [`${'/'.repeat(20_000)}x`, 'Path is too long'],
    ] as const) {
      const refused = await ada.submit(page, page, { name, branch: 'main', message: '' });
      expect([name, refused.status, await refused.text()]).toEqual([name, 400, expect.stringContaining(problem)]);
    }
  });

  it('are for nobody who may not push, not for branches that they may not push to, and for forms of this browser alone', async () => {
    const project = await newProject();
    const [ada, grace] = [await signedIn(writing.service, 'ada'), await signedIn(writing.service, 'grace')];
    for (const page of ['upload/main', 'new_folder/main'])
      expect([page, (await grace.get(at(project, page))).status]).toEqual([page, 403]);
    expect(await (await grace.get(at(project, 'tree/main'))).text()).not.toContain('/-/upload/');
    const page = at(project, 'upload/main');
    const token = await ada.formToken(page);
    expect((await upload(grace, page, [['x', 'x']], { authenticity_token: token })).status).toBe(403);
    expect((await upload(ada, page, [['x', 'x']], { authenticity_token: 'none' })).status).toBe(403);
    await project.addMember(writing.grace, 30);
    const refused = await upload(grace, page, [['x', 'x']]);
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('You are not allowed to push into this branch'),
    ]);
    expect(await titles(project)).toHaveLength(1);
    grace.cookies.clear();
    const away = await upload(grace, page, [['x', 'x']], { authenticity_token: token });
    expect([away.status, away.headers.get('location')]).toEqual([303, expect.stringContaining('/users/sign_in')]);
  });
});
