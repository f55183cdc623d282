import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { FormBrowser, hiddenField } from '../support/form-browser.js';
import { temporaryFolder, tryProgram } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

describeWriting('pages of releases', (writing) => {
  const newProject = async (fields: object = { visibility: 'public' }): Promise<WrittenProject> => {
    const project = await writing.newProject(fields);
    await project.write('main', { 'README.md': '# Mill\n', 'src/a.c': 'int a;\n' });
    return project;
  };
  const at = (project: WrittenProject, rest = '') => `/${project.project.path}/-/${rest}`;
  const visitor = () => new FormBrowser(writing.service.url);
  const textOf = async (browser: FormBrowser, path: string) => (await browser.get(path)).text();
  const FORM = {
    tag: 'v1/beta',
    ref: 'main',
    name: 'The *first*',
    released_at: '',
    description: 'See **this**.',
    links: '',
  };

  const release = async (project: WrittenProject, browser: FormBrowser, more: object = {}) => {
    const page = at(project, 'releases/-/new');
    const answer = await browser.submit(page, page, { ...FORM, ...more });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, at(project, 'releases/v1%2Fbeta')]);
  };

  it('make a release with its tag, and show it to everybody who reads the code', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    await release(project, ada, { links: 'The manual https://manuals.example/a' });
    expect(await project.head('main')).toBeDefined();
    expect((await project.call('GET', '/repository/tags/v1%2Fbeta')).status).toBe(200);
    for (const path of ['releases', 'releases/v1%2Fbeta']) {
      const page = await textOf(visitor(), at(project, path));
      expect(page).toContain('The *first*');
      expect(page).toContain('See <strong>this</strong>.');
      expect(page).toContain('href="https://manuals.example/a"');
      expect(page).not.toContain('releases/v1%2Fbeta/edit');
    }
    expect(await textOf(visitor(), at(project, 'tags'))).toContain(at(project, 'releases/v1%2Fbeta'));
    const latest = await visitor().get(at(project, 'releases/permalink/latest'));
    expect([latest.status, latest.headers.get('location')]).toEqual([302, at(project, 'releases/v1%2Fbeta')]);
    const below = await visitor().get(at(project, 'releases/permalink/latest/downloads/bin/a%20b?c=d'));
    expect(below.headers.get('location')).toBe(at(project, 'releases/v1%2Fbeta/downloads/bin/a%20b?c=d'));
    expect((await visitor().get(at(project, 'releases/permalink/latest/a%2F..%2F..%2Fb'))).status).toBe(404);
  });

  it('lead from the newest release to this installation alone, and nowhere where none is out or is seen', async () => {
    const project = await newProject();
    const latest = at(project, 'releases/permalink/latest');
    for (const rest of ['', '/downloads/q']) expect((await visitor().get(latest + rest)).status).toBe(404);
    await project.call('POST', '/releases', { tag_name: 'v1', ref: 'main' });
    for (const rest of ['//host.example/q', '/%2F%2Fhost.example', '/https:/host.example', '?to=//host.example']) {
      const { status, headers } = await visitor().get(latest + rest);
      expect([rest, status]).toEqual([rest, 302]);
      expect(headers.get('location')).toMatch(new RegExp(`^${at(project, 'releases/v1')}[/?]`));
    }
    await project.call('PUT', '', { visibility: 'private' });
    const hidden = await visitor().get(`${latest}/downloads/q`);
    const absent = await visitor().get(`${latest.replace('/-/', '-gone/-/')}/downloads/q`);
    expect([hidden.status, hidden.headers.get('location')]).toEqual([
      absent.status,
      absent.headers.get('location')?.replace('-gone', '') ?? null,
    ]);
  });

  it('lead to the milestones that a release was planned by', async () => {
    const project = await newProject();
    const { body: milestone } = await project.call<{ iid: number }>('POST', '/milestones', { title: 'Spring & more' });
    const release = { tag_name: 'v1', ref: 'main', milestones: ['Spring & more'] };
    expect((await project.call('POST', '/releases', release)).status).toBe(201);
    const link = `<a class="name" href="${at(project, `milestones/${milestone.iid}`)}">%Spring &amp; more</a>`;
    for (const path of ['releases', 'releases/v1']) expect(await textOf(visitor(), at(project, path))).toContain(link);
    expect((await visitor().get(at(project, `milestones/${milestone.iid}`))).status).toBe(200);
  });

  it('plan a release for milestones that are open, and keep one that has been closed since', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    const newMilestone = async (title: string) =>
      (await project.call<{ id: number }>('POST', '/milestones', { title })).body.id;
    const [spring] = [await newMilestone('Spring'), await newMilestone('Autumn'), await newMilestone('Winter')];
    const form = at(project, 'releases/-/new');
    await release(project, ada, { milestones: ['Spring', 'Autumn'] });
    const titles = async () => {
      const { body } = await project.call<{ milestones: { title: string }[] }>('GET', '/releases/v1%2Fbeta');
      return body.milestones.map(({ title }) => title).sort();
    };
    expect(await titles()).toEqual(['Autumn', 'Spring']);
    await project.call('PUT', `/milestones/${spring}`, { state_event: 'close' });
    expect(await textOf(ada, form)).not.toContain('value="Spring"');
    const edit = at(project, 'releases/v1%2Fbeta/edit');
    const boxes = [...(await textOf(ada, edit)).matchAll(/name="milestones" value="(\w+)"( checked)?/g)];
    expect(boxes.map(([, title, checked]) => title! + (checked ?? '')).sort()).toEqual([
      'Autumn checked',
      'Spring checked',
      'Winter',
    ]);
    await ada.submit(edit, edit, { name: 'One', released_at: '', description: '', links: '', milestones: ['Spring'] });
    expect(await titles()).toEqual(['Spring']);
    const unknown = await ada.submit(form, form, { ...FORM, tag: 'v2', milestones: ['Summer'] });
    expect([unknown.status, await unknown.text()]).toEqual([
      400,
      expect.stringContaining('Milestone(s) not found: Summer'),
    ]);
    const many = await ada.submit(form, form, {
      ...FORM,
      tag: 'v2',
      milestones: Array.from({ length: 21 }, () => 'Winter'),
    });
    expect([many.status, await many.text()]).toEqual([400, expect.stringContaining('20 milestones at most')]);
    expect((await project.call('GET', '/repository/tags/v2')).status).toBe(404);
  });

  it('show the release of a tag called as forms elsewhere are', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    const page = at(project, 'releases/-/new');
    for (const tag of ['new', 'permalink', 'edit', 'later/edit']) {
      const answer = await ada.submit(page, page, { ...FORM, tag, name: `Of ${tag}` });
      expect(answer.headers.get('location')).toBe(at(project, `releases/${encodeURIComponent(tag)}`));
      expect(await textOf(visitor(), at(project, `releases/${encodeURIComponent(tag)}`))).toContain(`Of ${tag}`);
      expect((await ada.get(at(project, `releases/${encodeURIComponent(tag)}/edit`))).status).toBe(200);
    }
  });

  it('change its words, day and links, and keep what only the API sets', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    await release(project, ada, { links: 'Old https://old.example/\nSame https://same.example/' });
    const link = {
      name: 'Package',
      url: 'https://files.example/1',
      direct_asset_path: '/bin/mill',
      link_type: 'package',
    };
    await project.call('POST', '/releases/v1%2Fbeta/assets/links', link);
    const page = at(project, 'releases/v1%2Fbeta/edit');
    expect(await textOf(ada, page)).toContain('Package https://files.example/1');
    const links = 'Same https://same.example/\nPackage https://files.example/2\nNew https://new.example/';
    const saved = await ada.submit(page, page, { name: 'Second', released_at: '2030-05-01', description: '', links });
    expect(saved.status).toBe(303);
    const { body } = await project.call<{
      name: string;
      released_at: string;
      upcoming_release: boolean;
      assets: { links: { name: string; url: string; link_type: string }[] };
    }>('GET', '/releases/v1%2Fbeta');
    expect(body).toMatchObject({ name: 'Second', released_at: '2030-05-01T00:00:00.000Z', upcoming_release: true });
    expect(body.assets.links.map(({ name, url, link_type: type }) => `${name} ${url} ${type}`).sort()).toEqual([
      'New https://new.example/ other',
      'Package https://files.example/2 package',
      'Same https://same.example/ other',
    ]);
    const lead = await visitor().get(at(project, 'releases/v1%2Fbeta/downloads/bin/mill'));
    expect([lead.status, lead.headers.get('location')]).toEqual([302, 'https://files.example/2']);
    expect((await visitor().get(at(project, 'releases/v1%2Fbeta/downloads/none'))).status).toBe(404);
  });

  it('undo nothing that somebody else has saved meanwhile, unless it is sent again', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    await release(project, ada);
    const page = at(project, 'releases/v1%2Fbeta/edit');
    const seen = hiddenField(await textOf(ada, page), 'seen');
    const values = { name: 'Mine', released_at: '', description: 'Mine', links: '' };
    await project.call('PUT', '/releases/v1%2Fbeta', { description: 'Of somebody else' });
    const refused = await ada.submit(page, page, { ...values, seen });
    const html = await refused.text();
    expect([refused.status, html.includes('Somebody else has saved something')]).toEqual([409, true]);
    expect((await ada.submit(page, page, { ...values, seen: hiddenField(html, 'seen') })).status).toBe(303);
    const { body } = await project.call('GET', '/releases/v1%2Fbeta');
    expect(body).toMatchObject({ name: 'Mine', description: 'Mine' });
  });

  it('remove it after a question; the tag stays', async () => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    await release(project, ada);
    const page = at(project, 'releases/v1%2Fbeta/remove');
    expect(await textOf(ada, page)).toContain('Remove the release The *first*?');
    expect((await ada.submit(page, page, {})).status).toBe(303);
    expect((await ada.get(at(project, 'releases/v1%2Fbeta'))).status).toBe(404);
    expect((await project.call('GET', '/repository/tags/v1%2Fbeta')).status).toBe(200);
  });

  it.each([
    [{ tag: '' }, 'blank'],
    [{ tag: 'v1/beta', ref: '' }, 'Ref is not specified'],
    [{ ref: 'none' }, 'Target none is invalid'],
    [{ released_at: 'soon' }, 'is not a date'],
    [{ links: 'https://alone.example/' }, 'need a name and an address'],
    [{ links: 'Bad javascript:alert(1)' }, 'Only allowed schemes'],
  ])('refuse %j beside the form, and keep what was typed', async (more, reason) => {
    const project = await newProject();
    const ada = await signedIn(writing.service, 'ada');
    const page = at(project, 'releases/-/new');
    const answer = await ada.submit(page, page, { ...FORM, ...more });
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).toContain(reason);
    expect(text).toContain('See **this**.');
    expect((await project.call('GET', '/releases')).body).toEqual([]);
  });

  it('are for who reads the code, and their forms for who pushes', async () => {
    const project = await newProject({ visibility: 'private' });
    const [ada, grace] = [await signedIn(writing.service, 'ada'), await signedIn(writing.service, 'grace')];
    await release(project, ada);
    const statuses = async (browser: FormBrowser) => {
      const paths = [
        'releases',
        'releases/v1%2Fbeta',
        'releases/-/new',
        'releases/v1%2Fbeta/edit',
        'archive/main/a.zip',
      ];
      return Promise.all(paths.map(async (path) => (await browser.get(at(project, path))).status));
    };
    expect(await statuses(visitor())).toEqual([404, 404, 303, 303, 404]);
    expect(await statuses(grace)).toEqual([404, 404, 404, 404, 404]);
    await project.addMember(writing.grace, 20);
    expect(await statuses(grace)).toEqual([200, 200, 403, 403, 200]);
    await project.addMember(writing.grace, 10);
  });

  it.each([
    ['archive/main/anything.tar.gz', ['--gzip']],
    ['archive/main.tar.bz2', ['--bzip2']],
    ['archive/refs/tags/v1/beta/x.tar', []],
    ['archive/v1%2Fbeta/x.tgz', ['--gzip']],
  ])('the files of a version are downloaded at %s', async (path, options) => {
    const project = await newProject();
    await release(project, await signedIn(writing.service, 'ada'));
    const answer = await visitor().get(at(project, path));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+-[0-9a-f]{40}\.tar/);
    const file = join(temporaryFolder(), 'archive');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    expect((await tryProgram('tar', ['--list', ...options, '--file', file])).stdout).toContain('/src/a.c\n');
  });

  it('no archive is made of what is not there', async () => {
    const project = await newProject();
    for (const path of ['archive/none/x.zip', 'archive/main/x.rar', 'archive/main', 'archive/main/src/x.zip'])
      expect([path, (await visitor().get(at(project, path))).status]).toEqual([path, 404]);
  });
});
