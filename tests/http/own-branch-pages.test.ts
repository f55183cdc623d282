import { beforeAll, expect, it } from '@jest/globals';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type ShownCommit, type WrittenProject } from '../support/written-project.js';

type Form = 'new' | 'upload' | 'new_folder';
type Values = Readonly<Record<string, string>>;

/** What each form makes in the folder `src`. */
const FORMS: readonly (readonly [form: Form, values: Values, path: string])[] = [
  ['new', { path: 'src/b.c', content: 'int b;\n' }, 'src/b.c'],
  ['upload', {}, 'src/up.bin'],
  ['new_folder', { name: 'deep' }, 'src/deep/.gitkeep'],
];
const PROTECTED =
  'is protected, and you may not push there. Your change goes to a new branch, and a merge request is next.';

describeWriting('pages that make files on a branch of one’s own', (writing) => {
  const people = new Map<string, TestUser>();
  let [owner, maintainer, developer, guest, stranger]: FormBrowser[] = [];

  beforeAll(async () => {
    const { service } = writing;
    for (const name of ['max', 'dora', 'gus']) people.set(name, await service.addUser(name, { password: PASSWORD }));
    [owner, maintainer, developer, guest, stranger] = [
      await signedIn(service, 'ada'),
      await signedIn(service, 'max'),
      await signedIn(service, 'dora'),
      await signedIn(service, 'gus'),
      await signedIn(service, 'grace'),
    ];
  });

  /** The protected branch `main`, with a folder. */
  const prepared = async (fields: object = { visibility: 'public' }): Promise<WrittenProject> => {
    const loom = await writing.newProject(fields);
    await loom.write('main', { 'src/a.c': 'int a;\n' });
    await loom.addMember(people.get('max')!, 40);
    await loom.addMember(people.get('dora')!, 30);
    await loom.addMember(people.get('gus')!, 10);
    return loom;
  };
  const at = (of: WrittenProject, rest: string): string => `/${of.project.path}/-/${rest}`;
  const pageOf = (of: WrittenProject, form: Form): string => at(of, `${form}/main/src`);
  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  const branchIn = (html: string): string | undefined => /<input id="branch"[^>]* value="([^"]*)"/.exec(html)?.[1];
  const tokenIn = (html: string): string => /name="authenticity_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  /** As a browser without script sends the form that a page has, with what that proposes where nothing else is given. */
  const send = async (who: FormBrowser, page: string, values: Values = {}, token?: string) => {
    const shown = await read(who, page);
    const authenticity_token = token ?? tokenIn(shown);
    const fields = { message: '', branch: branchIn(shown) ?? 'main', ...values, authenticity_token };
    if (!page.includes('/-/upload/')) return told(await who.post(page, fields));
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.append('files', new File([new Uint8Array([0, 13, 10, 255])], values['file'] ?? 'up.bin'));
    return told(await who.send(page, { method: 'POST', body }));
  };
  const told = async (answer: Response) => ({
    status: answer.status,
    to: answer.headers.get('location') ?? '',
    html: await answer.text(),
  });
  const filesOf = async (of: WrittenProject, branch: string): Promise<readonly string[]> => {
    const query = `ref=${encodeURIComponent(branch)}&recursive=true`;
    const { body } = await of.call<readonly { path: string; type: string }[]>('GET', `/repository/tree?${query}`);
    return body.filter(({ type }) => type === 'blob').map(({ path }) => path);
  };
  const branchesOf = async (of: WrittenProject): Promise<readonly string[]> =>
    (await of.call<readonly { name: string }[]>('GET', '/repository/branches')).body.map(({ name }) => name);
  const proposalOf = (path: string, source_branch: string, target_branch: string): string =>
    `/${path}/-/merge_requests/new?${new URLSearchParams({ source_branch, target_branch, target_project: path }).toString()}`;

  const as = (name: string, json?: object) => ({
    token: people.get(name)!.token,
    ...(json === undefined ? {} : { json }),
  });
  /** A fork of Dora's, where only Maintainers push to `main`, and Gus is a Developer. */
  const forkOf = async (of: WrittenProject) => {
    const { service } = writing;
    const made = await service.call<{ id: number; path_with_namespace: string }>(
      'POST',
      `/projects/${of.id}/fork`,
      as('dora', {}),
    );
    const url = `/projects/${made.body.id}`;
    await until(async () => {
      const { body } = await service.call<{ import_status: string }>('GET', url, as('dora'));
      return body.import_status === 'finished';
    });
    await service.call('POST', `${url}/protected_branches`, as('dora', { name: 'main' }));
    await service.call('POST', `${url}/members`, as('dora', { user_id: people.get('gus')!.id, access_level: 30 }));
    return { path: made.body.path_with_namespace, url };
  };

  it('are led to from the folder, and lead on to a merge request that has what was made', async () => {
    const loom = await prepared();
    const folder = await read(developer!, at(loom, 'tree/main/src'));
    const main = await loom.head('main');
    for (const [index, [form, values, path]] of FORMS.entries()) {
      const branch = `dora-patch-${index + 1}`;
      expect(folder).toContain(`href="${pageOf(loom, form)}"`);
      const html = await read(developer!, pageOf(loom, form));
      expect([form, branchIn(html), html.includes(PROTECTED)]).toEqual([form, branch, true]);
      const { status, to } = await send(developer!, pageOf(loom, form), { ...values, message: `Make ${path}` });
      expect([form, status, to]).toEqual([form, 303, proposalOf(loom.project.path, branch, 'main')]);
      const next = await read(developer!, to);
      for (const words of [`“Make ${path}” committed to ${branch}.`, `value="Make ${path}"`, 'Create merge request'])
        expect(next).toContain(words);
      expect(await filesOf(loom, branch)).toEqual(['src/a.c', path].sort());
      const { body } = await loom.call<ShownCommit>('GET', `/repository/commits/${branch}`);
      expect([body.parent_ids, body.author_name]).toEqual([[main], 'dora Example']);
    }
    expect(await loom.head('main')).toBe(main);
  });

  it('stay on the branch for whoever may push there', async () => {
    const loom = await prepared();
    for (const [form, values, path] of FORMS) {
      const html = await read(maintainer!, pageOf(loom, form));
      expect([form, branchIn(html), html.includes('is protected')]).toEqual([form, 'main', false]);
      const { status, to } = await send(maintainer!, pageOf(loom, form), values);
      const made = form === 'new_folder' ? 'tree/main/src/deep' : `blob/main/${path}`;
      expect([form, status, to]).toEqual([form, 303, at(loom, made)]);
      const other = await send(maintainer!, pageOf(loom, form), {
        ...values,
        ...(form === 'new' ? { path: 'src/other.c' } : form === 'new_folder' ? { name: 'other' } : { file: 'other' }),
        branch: `of-${form}`,
      });
      expect(other.to).toMatch(new RegExp(`/-/(?:blob|tree)/of-${form}/src/other`));
    }
    expect(await filesOf(loom, 'main')).toEqual(['src/a.c', 'src/b.c', 'src/deep/.gitkeep', 'src/up.bin']);
  });

  it('stay on a branch that is not protected, and begin in a project without one as before', async () => {
    const loom = await prepared();
    await loom.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    const { to } = await send(developer!, at(loom, 'new/topic/src'), { path: 'src/b.c', content: '' });
    expect(to).toBe(at(loom, 'blob/topic/src/b.c'));
    const empty = await writing.newProject({ visibility: 'public' });
    await empty.addMember(people.get('dora')!, 30);
    for (const form of ['new', 'upload', 'new_folder']) {
      const html = await read(developer!, at(empty, `${form}/main`));
      expect([form, branchIn(html), html.includes('is protected')]).toEqual([form, 'main', false]);
    }
  });

  it('take the next number where a branch has the name, and another name where one is typed', async () => {
    const loom = await prepared();
    for (const branch of ['dora-patch-1', 'dora-patch-2'])
      await loom.call('POST', '/repository/branches', { branch, ref: 'main' });
    for (const [form] of FORMS)
      expect([form, branchIn(await read(developer!, pageOf(loom, form)))]).toEqual([form, 'dora-patch-3']);
    const { to } = await send(developer!, pageOf(loom, 'new'), { path: 'x', content: '', branch: 'fix/ünïcode&1' });
    expect(to).toBe(proposalOf(loom.project.path, 'fix/ünïcode&1', 'main'));
    expect((await developer!.get(to)).status).toBe(200);
  });

  it('stay within a fork, whose branch is the one that is protected, as editing and deleting do', async () => {
    const loom = await prepared();
    const { path, url } = await forkOf(loom);
    for (const [index, [page, values]] of [
      ...FORMS.map(([form, made]) => [`${form}/main/src`, made] as const),
      ['edit/main/src/a.c', { path: 'src/a.c', content: 'int c;\n', message: 'Edit' }] as const,
      ['delete/main/src/a.c', { message: 'Delete' }] as const,
    ].entries()) {
      const branch = `gus-patch-${index + 1}`;
      const sent = await send(guest!, `/${path}/-/${page}`, values);
      expect([page, sent.status, sent.to]).toEqual([page, 303, proposalOf(path, branch, 'main')]);
      const next = await read(guest!, sent.to);
      expect([page, next.includes(`<option value="${path}" selected>`)]).toEqual([page, true]);
      expect(next).toContain('Create merge request');
    }
    const { body } = await writing.service.call<object[]>('GET', `${url}/repository/commits?ref_name=main`, as('dora'));
    expect(body).toHaveLength(1);
    expect(await branchesOf(loom)).toEqual(['main']);
  });

  it('refuse the protected branch, and keep what was typed', async () => {
    const loom = await prepared();
    for (const [form, values] of FORMS) {
      const typed = { ...values, branch: 'main', message: 'Mine & <b>' };
      const { status, html } = await send(developer!, pageOf(loom, form), typed);
      expect([form, status, branchIn(html)]).toEqual([form, 403, 'main']);
      for (const words of ['You are not allowed to push into this branch', 'value="Mine &amp; &lt;b&gt;"', PROTECTED])
        expect(html).toContain(words);
      if (form === 'new') expect(html).toContain('int b;');
      if (form === 'new_folder') expect(html).toContain('value="deep"');
    }
    expect([await branchesOf(loom), await filesOf(loom, 'main')]).toEqual([['main'], ['src/a.c']]);
  });

  it('say at its field what is wrong with a name, keep what was typed, and do nothing', async () => {
    const loom = await prepared();
    await loom.call('POST', '/repository/branches', { branch: 'taken', ref: 'main' });
    const content = 'int kept;\n';
    for (const [form, values, field, problem] of [
      ['new', { path: '../x', content }, 'path', 'Path cannot include directory traversal'],
      ['new', { path: 'src/.git/x', content }, 'path', 'Path cannot include a name that git keeps for itself'],
      ['new', { path: 'src/a.c', content }, 'path', 'A file with this name already exists'],
      ['new', { path: 'src', content }, 'path', 'A directory with this name already exists'],
      ['new', { path: 'src/a.c/x', content }, 'path', 'A file with this name already exists'],
      ['new_folder', { name: '../x' }, 'name', 'Path cannot include directory traversal'],
      ['new_folder', { name: 'a.c' }, 'name', 'src/a.c is there already.'],
      ['upload', { file: '.git' }, 'files', 'Path cannot include a name that git keeps for itself'],
      ['upload', { file: 'a.c' }, 'files', 'a.c is there already.'],
      ...FORMS.flatMap(([form, values]) => [
        [form, { ...values, branch: 'a..b' }, 'branch', 'Branch name is invalid'] as const,
        [form, { ...values, branch: '-x' }, 'branch', 'Branch name is invalid'] as const,
        [form, { ...values, branch: 'taken' }, 'branch', '&#39;taken&#39; already exists'] as const,
        [form, { ...values, branch: 'taken/x' }, 'branch', 'Branch name conflicts'] as const,
        [form, { ...values, branch: 'main/x' }, 'branch', 'Branch name conflicts'] as const,
      ]),
    ] as const) {
      const sent: Values = { ...values, message: 'Mine' };
      const { status, html } = await send(developer!, pageOf(loom, form), sent);
      expect([sent, status]).toEqual([sent, 400]);
      const beside = new RegExp(`<small id="${field}-problem" class="field-problem">([^<]*)<`).exec(html)?.[1];
      expect([sent, beside]).toEqual([sent, expect.stringContaining(problem)]);
      expect(html).toMatch(
        new RegExp(`<input id="${field}"[^>]* aria-invalid="true" aria-describedby="[^"]*${field}-problem"`),
      );
      expect(html).toContain(`<a href="#${field}">`);
      expect([sent, branchIn(html)]).toEqual([sent, sent['branch'] ?? 'dora-patch-1']);
      for (const kept of [
        'Mine',
        ...(form === 'new' ? [sent['path']!, 'int '] : []),
        ...(form === 'new_folder' ? [sent['name']!] : []),
      ])
        expect(html).toContain(kept);
    }
    expect([await branchesOf(loom), await filesOf(loom, 'main')]).toEqual([['main', 'taken'], ['src/a.c']]);
  });

  it('refuse what is too large before anything is done, as everywhere', async () => {
    const loom = await prepared();
    const page = pageOf(loom, 'upload');
    const body = new FormData();
    const fields = { message: '', branch: 'dora-patch-1', authenticity_token: await developer!.formToken(page) };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.append('files', new File([new Uint8Array(10 * 2 ** 20)], 'large'));
    const refused = await told(await developer!.send(page, { method: 'POST', body }));
    expect([refused.status, refused.html]).toEqual([413, expect.stringContaining('too large')]);
    expect(await branchesOf(loom)).toEqual(['main']);
  });

  it('are for who may push to the project: others see no link, and are refused', async () => {
    const loom = await prepared();
    const hidden = await prepared({ visibility: 'private' });
    const token = await guest!.formToken('/profile');
    for (const [form, values] of FORMS) {
      for (const who of [guest!, stranger!]) {
        expect(await read(who, at(loom, 'tree/main/src'))).not.toContain(pageOf(loom, form));
        const own = await who.formToken('/profile');
        expect([form, (await who.get(pageOf(loom, form))).status]).toEqual([form, 403]);
        expect([form, (await send(who, pageOf(loom, form), values, own)).status]).toEqual([form, 403]);
      }
      const own = await stranger!.formToken('/profile');
      expect([form, (await stranger!.get(pageOf(hidden, form))).status]).toEqual([form, 404]);
      expect([form, (await send(stranger!, pageOf(hidden, form), values, own)).status]).toEqual([form, 404]);
      expect([form, (await send(developer!, pageOf(loom, form), values, token)).status]).toEqual([form, 403]);
      const visitor = new FormBrowser(writing.service.url);
      expect((await visitor.get(pageOf(loom, form))).headers.get('location')).toMatch(/^\/users\/sign_in/);
    }
    expect([await branchesOf(loom), await branchesOf(hidden)]).toEqual([['main'], ['main']]);
    expect(await read(owner!, at(loom, 'tree/main/src'))).toContain(pageOf(loom, 'new'));
  });
});
