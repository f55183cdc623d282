import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting } from '../support/written-project.js';

interface ShownLink {
  readonly id: number;
  readonly name: string;
}

describeWriting('releases', (writing) => {
  const prepared = async () => {
    const project = await writing.newProject();
    const { id: head } = await project.write('main', { a: 'a' });
    return { project, head };
  };

  it('are made of a tag that is made with them, and tell all of it', async () => {
    const { project, head } = await prepared();
    const { status, body } = await project.call<object>('POST', '/releases', {
      tag_name: 'v1.0',
      ref: 'main',
      tag_message: 'One',
      name: 'First',
      description: 'It **works**',
      assets: { links: [{ name: 'guide', url: 'https://example.com/guide', link_type: 'runbook', filepath: '/g' }] },
    });
    const web = `${writing.service.url}/${project.project.path}`;
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'First',
      tag_name: 'v1.0',
      description: 'It **works**',
      upcoming_release: false,
      author: { username: 'ada' },
      commit: { id: head },
      commit_path: `/${project.project.path}/-/commit/${head}`,
      assets: {
        count: 5,
        links: [
          {
            name: 'guide',
            url: 'https://example.com/guide',
            direct_asset_url: `${web}/-/releases/v1.0/downloads/g`,
            link_type: 'runbook',
          },
        ],
      },
      evidences: [],
      _links: { self: `${web}/-/releases/v1.0` },
    });
    expect((await project.call('GET', '/releases/v1.0')).body).toEqual(body);
    expect((await project.call('GET', '/releases')).body).toEqual([body]);
    expect((await project.call<object>('GET', '/repository/tags/v1.0')).body).toMatchObject({
      message: 'One',
      release: { tag_name: 'v1.0', description: 'It **works**' },
    });
    const again = await project.call('POST', '/releases', { tag_name: 'v1.0' });
    expect([again.status, again.body]).toEqual([409, { message: 'Release already exists' }]);
  });

  it('have their description in HTML where that is asked for, with links to what the reader may see', async () => {
    const { project } = await prepared();
    await project.call('PUT', '', { visibility: 'public' });
    const { body: issue } = await project.call<{ iid: number }>('POST', '/issues', {
      title: 'Leak',
      confidential: true,
    });
    const description = `Mends **#${issue.iid}** <b>`;
    await project.call('POST', '/releases', { tag_name: 'v1', ref: 'main', description });
    await project.call('POST', '/releases', { tag_name: 'v2', ref: 'main' });
    const html = async (path: string, who = writing.ada) => {
      const { body } = await project.call<{ description_html?: string }>('GET', path, undefined, who);
      return [body].flat().map(({ description_html }) => description_html);
    };
    const link = `/${project.project.path}/-/issues/${issue.iid}`;
    const shown = expect.stringMatching(
      new RegExp(`<strong><a [^>]*href="[^"]*${link}"[^>]*>#1</a></strong> &lt;b&gt;`),
    );
    expect(await html('/releases/v1?include_html_description=true')).toEqual([shown]);
    expect(await html('/releases?include_html_description=true')).toEqual(['', shown]);
    const [unlinked] = await html('/releases/v1?include_html_description=true', writing.grace);
    expect(unlinked).toContain('<strong>#1</strong>');
    expect(await html('/releases')).toEqual([undefined, undefined]);
    expect(await html('/releases/v1')).toEqual([undefined]);
  });

  it('are made and changed by what is told of a tag, as older clients do', async () => {
    const { project } = await prepared();
    const { grace } = writing;
    await project.call('PUT', '', { visibility: 'public' });
    const tag = { tag_name: 'v1', ref: 'main', release_description: 'It **works**' };
    const made = await project.call<object>('POST', '/repository/tags', tag);
    const release = { tag_name: 'v1', description: 'It **works**' };
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name: 'v1', release })]);
    expect((await project.call<object>('GET', '/releases/v1')).body).toMatchObject(release);
    const noteOf = (method: string, name: string, json: object, who = writing.ada) =>
      project.call<object>(method, `/repository/tags/${name}/release`, json, who);
    const changed = { tag_name: 'v1', description: 'Better' };
    expect(await noteOf('PUT', 'v1', { description: 'Better' })).toMatchObject({ status: 200, body: changed });
    expect(await noteOf('POST', 'v1', { description: 'x' })).toMatchObject({
      ...{ status: 409, body: { message: 'Release already exists' } },
    });
    await project.call('POST', '/repository/tags', { tag_name: 'v2', ref: 'main', release_description: '' });
    expect(await noteOf('PUT', 'v2', { description: 'x' })).toMatchObject({
      ...{ status: 404, body: { message: 'Release does not exist' } },
    });
    expect(await noteOf('POST', 'v2', { description: 'Second' })).toMatchObject({
      ...{ status: 201, body: { tag_name: 'v2', description: 'Second' } },
    });
    expect(await noteOf('POST', 'v3', { description: 'x' })).toMatchObject({
      ...{ status: 404, body: { message: '404 Tag Not Found' } },
    });
    for (const name of ['v1', 'v3']) {
      for (const method of ['POST', 'PUT'])
        expect((await noteOf(method, name, { description: 'x' }, grace)).status).toBe(403);
    }
    await project.call('PUT', '', { visibility: 'private' });
    expect((await noteOf('PUT', 'v1', { description: 'x' }, grace)).status).toBe(404);
  });

  it('make a tag alone where releases are switched off, whatever is told of it', async () => {
    const { project } = await prepared();
    await project.call('PUT', '', { releases_access_level: 'disabled' });
    const tag = { tag_name: 'v1', ref: 'main', release_description: 'Told' };
    expect((await project.call('POST', '/repository/tags', tag)).status).toBe(201);
    expect((await project.call('POST', '/repository/tags/v1/release', { description: 'x' })).status).toBe(403);
    await project.call('PUT', '', { releases_access_level: 'enabled' });
    expect((await project.call('GET', '/releases')).body).toEqual([]);
  });

  it('are changed, and removed without their tag', async () => {
    const { project } = await prepared();
    await project.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
    await project.call('POST', '/releases', { tag_name: 'v1' });
    const changed = await project.call<object>('PUT', '/releases/v1', {
      description: 'New',
      released_at: '2999-01-01T00:00:00Z',
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'v1', description: 'New', released_at: '2999-01-01T00:00:00.000Z', upcoming_release: true },
    ]);
    const nothing = await project.call('PUT', '/releases/v1', {});
    expect([nothing.status, nothing.body]).toEqual([400, { error: 'params is empty' }]);
    const removed = await project.call<object>('DELETE', '/releases/v1');
    expect([removed.status, removed.body]).toMatchObject([200, { tag_name: 'v1' }]);
    expect((await project.call('GET', '/releases/v1')).status).toBe(404);
    expect((await project.call<object>('GET', '/repository/tags/v1')).body).toMatchObject({ release: null });
  });

  it.each([
    [0, 40, 'are refused'],
    [40, 30, 'are refused'],
    [40, 40, 'are done'],
    [30, 30, 'are done'],
  ])(
    'of a protected tag are for who may make it: it is for level %i, and at level %i all changes %s',
    async (needed, level, outcome) => {
      const { project } = await prepared();
      await project.addMember(writing.grace, level);
      const made = { name: 'a', url: 'https://example.com/a' };
      for (const tag_name of ['v1', 'v2']) await project.call('POST', '/repository/tags', { tag_name, ref: 'main' });
      await project.call('POST', '/releases', { tag_name: 'v1', assets: { links: [made] } });
      const [link] = (await project.call<ShownLink[]>('GET', '/releases/v1/assets/links')).body;
      await project.call('POST', '/protected_tags', { name: 'v*', create_access_level: needed });
      const before = (await project.call('GET', '/releases')).body;
      const asked = [];
      for (const [method, path, json] of [
        ['POST', '/releases', { tag_name: 'v2' }],
        ['PUT', '/releases/v1', { description: 'New' }],
        ['POST', '/releases/v1/assets/links', { name: 'b', url: 'https://example.com/b' }],
        ['PUT', `/releases/v1/assets/links/${link!.id}`, { name: 'c' }],
        ['DELETE', `/releases/v1/assets/links/${link!.id}`, undefined],
        ['DELETE', '/releases/v1', undefined],
      ] as const)
        asked.push((await project.call(method, path, json, writing.grace)).status);
      const refused = outcome === 'are refused';
      expect(asked).toEqual(refused ? asked.map(() => 403) : [201, 200, 201, 200, 200, 200]);
      if (refused) expect((await project.call('GET', '/releases')).body).toEqual(before);
    },
  );

  it('go with their tag', async () => {
    const { project } = await prepared();
    await project.call('POST', '/releases', { tag_name: 'v1', ref: 'main' });
    expect((await project.call('DELETE', '/repository/tags/v1')).status).toBe(204);
    expect((await project.call('GET', '/releases')).body).toEqual([]);
  });

  it('need a tag, or where to make one', async () => {
    const { project } = await prepared();
    const { status, body } = await project.call('POST', '/releases', { tag_name: 'v1' });
    expect([status, body]).toEqual([422, { message: 'Ref is not specified' }]);
    const lost = await project.call('POST', '/releases', { tag_name: 'v1', ref: 'lost' });
    expect([lost.status, lost.body]).toEqual([400, { message: 'Target lost is invalid' }]);
  });

  it('leave no tag behind where their links are refused', async () => {
    const { project } = await prepared();
    const link = (name: string) => ({ name, url: `https://example.com/${name}` });
    const asked = (links: readonly object[]) =>
      project.call('POST', '/releases', { tag_name: 'v9', ref: 'main', assets: { links } });
    const twice = await asked([link('a'), link('b'), { ...link('c'), name: 'a' }]);
    expect([twice.status, twice.body]).toEqual([400, { message: 'Name has already been taken' }]);
    expect((await asked([{ ...link('a'), url: 'javascript:alert(1)' }])).status).toBe(400);
    expect((await project.call('GET', '/repository/tags/v9')).status).toBe(404);
    expect((await asked([link('a'), link('b')])).status).toBe(201);
  });

  it('have links of their own, each name once', async () => {
    const { project } = await prepared();
    await project.call('POST', '/releases', { tag_name: 'v1', ref: 'main' });
    const links = '/releases/v1/assets/links';
    const made = await project.call<ShownLink>('POST', links, { name: 'a', url: 'https://example.com/a' });
    expect([made.status, made.body]).toMatchObject([201, { name: 'a', link_type: 'other' }]);
    const twice = await project.call('POST', links, { name: 'a', url: 'https://example.com/b' });
    expect([twice.status, twice.body]).toEqual([400, { message: 'Name has already been taken' }]);
    const unsafe = await project.call('POST', links, { name: 'b', url: 'javascript:alert(1)' });
    expect(unsafe.status).toBe(400);
    const one = `${links}/${made.body.id}`;
    expect((await project.call<object>('PUT', one, { name: 'c' })).body).toMatchObject({
      name: 'c',
      url: 'https://example.com/a',
    });
    expect((await project.call<object[]>('GET', links)).body).toHaveLength(1);
    const removed = await project.call<object>('DELETE', one);
    expect([removed.status, removed.body]).toMatchObject([200, { name: 'c' }]);
    expect((await project.call('GET', one)).body).toEqual({ message: '404 Link Not Found' });
  });

  it('lead to the newest that is out', async () => {
    const { project } = await prepared();
    for (const [tag, at] of [
      ['v1', '2020-01-01T00:00:00Z'],
      ['v2', '2021-01-01T00:00:00Z'],
      ['v3', '2999-01-01T00:00:00Z'],
    ])
      await project.call('POST', '/releases', { tag_name: tag, ref: 'main', released_at: at });
    const response = await fetch(`${writing.service.url}/api/v4/projects/${project.id}/releases/permalink/latest`, {
      headers: { 'PRIVATE-TOKEN': writing.ada.token },
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      `/api/v4/projects/${project.id}/releases/v2`,
    ]);
  });

  describe('that lead on', () => {
    const lead = async (path: string, init: RequestInit = {}) => {
      const headers = { 'PRIVATE-TOKEN': writing.ada.token };
      const answer = await fetch(`${writing.service.url}/api/v4/projects/${path}`, {
        headers,
        redirect: 'manual',
        ...init,
      });
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('location')];
    };
    const released = async () => {
      const { project } = await prepared();
      const links = [
        { name: 'q', url: 'https://example.com/q 1.zip'.replace(' ', '%20'), direct_asset_path: '/bin/linux/q' },
        { name: 'ü', url: 'https://example.com/ü?a=%C3%BC', filepath: '/ü/a b' },
      ];
      await project.call('POST', '/releases', { tag_name: 'v1/beta', ref: 'main', assets: { links } });
      return project;
    };

    it('lead to what their links lead to, by paths with slashes', async () => {
      const { id } = await released();
      const at = `${id}/releases/v1%2Fbeta/downloads`;
      for (const path of ['bin/linux/q', 'bin%2Flinux%2Fq', 'bin/linux%2fq?private_token='])
        expect(await lead(`${at}/${path}`)).toEqual([302, 'https://example.com/q%201.zip']);
      expect(await lead(`${at}/bin/linux/q`, { method: 'HEAD' })).toEqual([302, 'https://example.com/q%201.zip']);
      expect(await lead(`${at}/%C3%BC/a%20b`)).toEqual([302, 'https://example.com/%C3%BC?a=%C3%BC']);
      for (const path of ['bin/linux', 'bin/linux/q/r', '/bin/linux/q'])
        expect(await lead(`${at}/${path}`)).toEqual([404, null]);
      expect(await lead(`${id}/releases/v2/downloads/bin/linux/q`)).toEqual([404, null]);
      expect(await lead(`${at}/bin/linux/q`, { method: 'POST' })).toEqual([405, null]);
    });

    it('are for nobody who may not read the code', async () => {
      const { id } = await released();
      const paths = [
        `${id}/releases/v1%2Fbeta/downloads/bin/linux/q`,
        `${id}/releases/permalink/latest/downloads/bin/linux/q`,
      ];
      for (const path of paths) {
        expect(await lead(path, { headers: {} })).toEqual([404, null]);
        expect(await lead(path, { headers: { 'PRIVATE-TOKEN': writing.grace.token } })).toEqual([404, null]);
        expect(await lead(path, { headers: { 'PRIVATE-TOKEN': 'glpat-nobody' } })).toEqual([401, null]);
      }
    });

    it('lead nowhere while no release is out', async () => {
      const { project } = await prepared();
      const latest = `${project.id}/releases/permalink/latest`;
      for (const rest of ['', '/downloads/bin/linux/q', '?a=b']) expect(await lead(latest + rest)).toEqual([404, null]);
      await project.call('POST', '/releases', { tag_name: 'v1', ref: 'main', released_at: '2999-01-01T00:00:00Z' });
      expect(await lead(latest)).toEqual([404, null]);
    });

    it('lead from the newest to the same below its tag, with the query', async () => {
      const { id } = await released();
      const [latest, release] = [`${id}/releases/permalink/latest`, `/api/v4/projects/${id}/releases/v1%2Fbeta`];
      for (const rest of ['', '?a=b', '/downloads/bin/linux/q', '/assets/links?per_page=1', '/a%20b/%C3%BC?x=%2F&y=?'])
        expect(await lead(`${latest}${rest}`)).toEqual([302, release + rest]);
      expect(await lead(`${latest}/downloads%2Fbin%2Flinux%2Fq`)).toEqual([302, `${release}/downloads/bin/linux/q`]);
      expect(await lead(`${latest}/a%2F..%2F..%2Fb`)).toEqual([404, null]);
      const followed = await fetch(`${writing.service.url}/api/v4/projects/${latest}/assets/links`, {
        headers: { 'PRIVATE-TOKEN': writing.ada.token },
      });
      expect(await followed.json()).toMatchObject([{ name: 'q' }, { name: 'ü' }]);
    });
  });

  describe('of milestones', () => {
    interface Shown {
      readonly milestones?: readonly { readonly id: number; readonly title: string }[];
    }
    const planned = async (fields: object = {}) => {
      const project = await writing.newProject(fields);
      await project.write('main', { a: 'a' });
      const add = async (title: string) => {
        const { status, body } = await project.call<{ id: number }>('POST', '/milestones', { title });
        expect(status).toBe(201);
        return body;
      };
      const release = (milestones: unknown) =>
        project.call<Shown>('POST', '/releases', { tag_name: 'v1', ref: 'main', milestones });
      const edit = (milestones: unknown) => project.call<Shown>('PUT', '/releases/v1', { milestones });
      const titles = async () =>
        (await project.call<Shown>('GET', '/releases/v1')).body.milestones?.map(({ title }) => title);
      return { project, add, release, edit, titles };
    };

    it('tell what they were planned for, and how far that is', async () => {
      const { project, add, release } = await planned();
      const [spring, autumn] = [await add('Spring'), await add('Autumn, late')];
      const { body: issue } = await project.call<{ iid: number }>('POST', '/issues', {
        title: 'Done',
        milestone_id: spring.id,
      });
      await project.call('PUT', `/issues/${issue.iid}`, { state_event: 'close' });
      await project.call('POST', '/issues', { title: 'Open', milestone_id: spring.id });
      const { status, body } = await release(['Spring', 'Autumn, late', 'Spring']);
      const counted = (total: number, closed: number) => ({ issue_stats: { total, closed } });
      const told = [
        { ...spring, ...counted(2, 1) },
        { ...autumn, ...counted(0, 0) },
      ];
      expect([status, body.milestones]).toEqual([201, told]);
      expect((await project.call<Shown>('GET', '/releases/v1')).body).toEqual(body);
      expect((await project.call<Shown[]>('GET', '/releases')).body).toEqual([body]);
    });

    it('are changed with them, keep them where they aren’t named, and lose them by an empty list', async () => {
      const { project, add, release, edit, titles } = await planned();
      await add('Spring');
      await add('Autumn');
      expect((await release(['Spring'])).body.milestones).toMatchObject([{ title: 'Spring' }]);
      expect((await edit(['Autumn'])).body.milestones).toMatchObject([{ title: 'Autumn' }]);
      await project.call('PUT', '/releases/v1', { name: 'One' });
      expect(await titles()).toEqual(['Autumn']);
      const taken = await edit([]);
      expect([taken.status, 'milestones' in taken.body]).toEqual([200, false]);
      await edit(['Spring']);
      const form = await fetch(`${writing.service.url}/api/v4/projects/${project.id}/releases/v1`, {
        method: 'PUT',
        headers: { 'PRIVATE-TOKEN': writing.ada.token, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'milestones[]=',
      });
      expect([form.status, await titles()]).toEqual([200, undefined]);
    });

    it('are refused, with no tag made, where the project has none of that title', async () => {
      const { project, add, release, edit, titles } = await planned();
      const other = await planned();
      await other.add('Elsewhere');
      await add('Spring');
      const refused = [400, { message: 'Milestone(s) not found: Elsewhere, spring' }];
      const made = await release(['Spring', 'Elsewhere', 'spring']);
      expect([made.status, made.body]).toEqual(refused);
      expect((await project.call('GET', '/repository/tags')).body).toEqual([]);
      await release(['Spring']);
      const edited = await edit(['Elsewhere', 'spring']);
      expect([edited.status, edited.body]).toEqual(refused);
      expect(await titles()).toEqual(['Spring']);
      expect((await edit(Array.from({ length: 21 }, (_, n) => `${n}`))).status).toBe(400);
    });

    it('stay when one of them is removed, and go without taking any along', async () => {
      const { project, add, release, titles } = await planned();
      const [spring] = [await add('Spring'), await add('Autumn')];
      await release(['Spring', 'Autumn']);
      await project.call('DELETE', `/milestones/${spring.id}`);
      expect(await titles()).toEqual(['Autumn']);
      expect((await project.call('DELETE', '/releases/v1')).status).toBe(200);
      expect((await project.call<Shown[]>('GET', '/milestones')).body).toMatchObject([{ title: 'Autumn' }]);
    });

    it('lead to pages of what is planned for them', async () => {
      const { project, add, release } = await planned();
      const [spring, autumn] = [await add('Spring'), await add('Autumn')];
      const other = await planned();
      const elsewhere = await other.add('Spring');
      await other.release(['Spring']);
      await other.project.call('POST', '/issues', { title: 'Elsewhere', milestone_id: elsewhere.id });
      for (const [title, milestone_id] of [
        ['Due in spring', spring.id],
        ['Done in spring', spring.id],
        ['Due in autumn', autumn.id],
        ['Never due', undefined],
      ] as const)
        await project.call('POST', '/issues', { title, milestone_id });
      await project.call('PUT', '/issues/2', { state_event: 'close' });
      await project.commit('fix', 'Fix', [{ action: 'create', file_path: 'b', content: 'b' }], {
        start_branch: 'main',
      });
      const merge = { source_branch: 'fix', target_branch: 'main', title: 'Fix of spring', milestone_id: spring.id };
      await project.call('POST', '/merge_requests', merge);
      await project.commit('more', 'More', [{ action: 'create', file_path: 'c', content: 'c' }], {
        start_branch: 'main',
      });
      const unplanned = { source_branch: 'more', target_branch: 'main', title: 'More of nothing' };
      await project.call('POST', '/merge_requests', unplanned);
      const { body } = await release(['Spring']);
      const links = (body as { readonly _links?: Readonly<Record<string, string>> })._links!;
      const ada = await signedIn(writing.service, 'ada');
      const titles = ['Due in spring', 'Done in spring', 'Due in autumn', 'Never due', 'Elsewhere', 'Fix of spring'];
      const shown = async (name: string, browser = ada) => {
        const page = await browser.get(links[name]!.slice(writing.service.url.length));
        const text = await page.text();
        const found = [...titles, 'More of nothing'].filter((title) => text.includes(title));
        return page.status === 200 ? found : page.status;
      };
      expect(links['closed_issues_url']).toBe(
        `${writing.service.url}/${project.project.path}/-/issues?release_tag=v1&scope=all&state=closed`,
      );
      expect(await shown('opened_issues_url')).toEqual(['Due in spring']);
      expect(await shown('closed_issues_url')).toEqual(['Done in spring']);
      expect(await shown('opened_merge_requests_url')).toEqual(['Fix of spring']);
      expect(await shown('merged_merge_requests_url')).toEqual([]);
      expect(await shown('closed_merge_requests_url')).toEqual([]);
      // Guests see issues, and no releases.
      await project.addMember(writing.grace, 10);
      const grace = await signedIn(writing.service, 'grace');
      expect(await shown('opened_issues_url', grace)).toBe(403);
      await project.call('PUT', `/members/${writing.grace.id}`, { access_level: 20 });
      expect(await shown('opened_issues_url', grace)).toEqual(['Due in spring']);
    });

    it('count what whoever asks may see, and are for nobody who may not read releases', async () => {
      const { project, add, release } = await planned({ visibility: 'public' });
      const { id: milestone_id } = await add('Spring');
      await project.call('POST', '/issues', { title: 'Leak', confidential: true, milestone_id });
      await project.call('POST', '/issues', { title: 'Open', milestone_id });
      await release(['Spring']);
      const totals = async (token?: string) => {
        const path = `/projects/${project.id}/releases/v1`;
        const { status, body } = await writing.service.call<Shown>('GET', path, token === undefined ? {} : { token });
        return [status, body.milestones?.map((each) => ('issue_stats' in each ? each.issue_stats : undefined))];
      };
      expect(await totals(writing.ada.token)).toEqual([200, [{ total: 2, closed: 0 }]]);
      expect(await totals(writing.grace.token)).toEqual([200, [{ total: 1, closed: 0 }]]);
      expect(await totals()).toEqual([200, [{ total: 1, closed: 0 }]]);
      await project.call('PUT', '', { visibility: 'private' });
      await project.addMember(writing.grace, 10);
      expect(await totals(writing.grace.token)).toEqual([403, undefined]);
      expect(await totals()).toEqual([404, undefined]);
    });

    it('that are changed and removed at once are those that somebody said last', async () => {
      const { project, add, release, edit, titles } = await planned();
      const made = [await add('a'), await add('b'), await add('c')];
      await release([]);
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all([edit(['a', 'b']), edit(['b', 'a']), edit(['c'])]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect([['a', 'b'], ['c']]).toContainEqual(await titles());
      }
      const [edited, removed] = await Promise.all([edit(['c']), project.call('DELETE', `/milestones/${made[2]!.id}`)]);
      expect([[200, 400].includes(edited.status), removed.status]).toEqual([true, 204]);
    });
  });

  describe('of a group', () => {
    const make = async () => {
      const { service, ada, grace } = writing;
      const call = <Body>(method: string, path: string, json?: object, token = ada.token) =>
        service.call<Body>(method, path, { token, ...(json === undefined ? {} : { json }) });
      const path = `guild-${randomUUID()}`;
      const { id } = (await call<{ id: number }>('POST', '/groups', { name: path, path, visibility: 'public' })).body;
      const below = { name: 'inner', path: 'inner', parent_id: id, visibility: 'public' };
      const inner = (await call<{ id: number }>('POST', '/groups', below)).body.id;
      const release = async (namespace_id: number, visibility: string, tag: string, released_at: string) => {
        const fields = { name: `loom-${tag}`, namespace_id, visibility };
        const project = await writing.newProject(fields);
        await project.write('main', { a: 'a' });
        await project.call('POST', '/releases', { tag_name: tag, ref: 'main', released_at });
        return project;
      };
      const open = await release(id, 'public', 'v1', '2026-01-01T00:00:00Z');
      await release(inner, 'private', 'v2', '2026-01-03T00:00:00Z');
      await release(inner, 'public', 'v3', '2026-01-02T00:00:00Z');
      const tags = async (query: string, token?: string) => {
        const answer = await service.call<{ tag_name: string }[]>('GET', `/groups/${id}/releases${query}`, {
          ...(token === undefined ? {} : { token }),
        });
        return { ...answer, tags: answer.body.map(({ tag_name }) => tag_name) };
      };
      return { tags, open, ada, grace };
    };

    it('are those of its projects and of everything below it, as far as the viewer reads their code', async () => {
      const { tags, open, ada, grace } = await make();
      expect((await tags('', ada.token)).tags).toEqual(['v2', 'v3', 'v1']);
      expect((await tags('?sort=asc', ada.token)).tags).toEqual(['v1', 'v3', 'v2']);
      const second = await tags('?per_page=1&page=2', ada.token);
      expect([second.tags, second.headers.get('x-total')]).toEqual([['v3'], '3']);
      expect((await tags('', grace.token)).tags).toEqual(['v3', 'v1']);
      expect((await tags('')).tags).toEqual(['v3', 'v1']);
      const [, , shown] = (await tags('', ada.token)).body;
      expect(shown).toEqual((await open.call<object[]>('GET', '/releases')).body[0]);
    });

    it('are told in few words where that is asked for', async () => {
      const { tags, ada } = await make();
      const { body } = await tags('?simple=true', ada.token);
      expect(Object.keys(body[0]!)).toEqual([
        'name',
        'tag_name',
        'description',
        'created_at',
        'released_at',
        'upcoming_release',
      ]);
    });

    it('of a private group are nobody else’s to know of', async () => {
      const { service, ada, grace } = writing;
      const path = `guild-${randomUUID()}`;
      const json = { name: path, path, visibility: 'private' };
      const { body } = await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json });
      for (const token of [grace.token, undefined])
        expect(
          await service.call('GET', `/groups/${body.id}/releases`, token === undefined ? {} : { token }),
        ).toMatchObject({ status: 404, body: { message: '404 Group Not Found' } });
    });
  });
});
