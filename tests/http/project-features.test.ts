import { beforeAll, describe, expect, it } from '@jest/globals';
import { FEATURE_LEVELS, PROJECT_FEATURES, type ProjectFeature } from '../../src/domain/workspace/project-features.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { runnerOf } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { tryGit } from '../support/git.js';
import { remoteOf, WorkTree } from '../support/git-service.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const GUEST = 10;
const REPORTER = 20;
const MAINTAINER = 40;

type Who = 'visitor' | 'stranger' | 'guest' | 'reporter' | 'maintainer' | 'administrator';
const WHO: readonly Who[] = ['visitor', 'stranger', 'guest', 'reporter', 'maintainer', 'administrator'];
const LEVEL_OF: Readonly<Record<Who, number>> = {
  visitor: 0,
  stranger: 0,
  guest: GUEST,
  reporter: REPORTER,
  maintainer: MAINTAINER,
  administrator: 50,
};

/** What a private project asks of whoever uses each. */
const NEEDS: Readonly<Record<ProjectFeature, number>> = {
  repository: REPORTER,
  issues: GUEST,
  merge_requests: REPORTER,
  builds: REPORTER,
  forking: REPORTER,
  snippets: GUEST,
  releases: REPORTER,
};

/** Never more open than the repository. */
const OF_CODE: readonly ProjectFeature[] = ['merge_requests', 'builds', 'forking', 'releases'];

describeWriting('the features of a project', (writing) => {
  let loom: WrittenProject;
  let people: Readonly<Partial<Record<Who, TestUser>>>;
  let addresses: Readonly<Partial<Record<ProjectFeature, readonly string[]>>>;

  const set = async (fields: object): Promise<void> => {
    const { status, body } = await loom.call('PUT', '', fields);
    expect([status, body]).toEqual([200, expect.objectContaining(fields)]);
  };
  const open = () => set(Object.fromEntries(PROJECT_FEATURES.map((feature) => [`${feature}_access_level`, 'enabled'])));
  const ask = (who: Who, path: string, method = 'GET', json?: object) => {
    const token = people[who]?.token;
    return writing.service.call<{ readonly message?: string }>(method, path, {
      ...(token === undefined ? {} : { token }),
      ...(json === undefined ? {} : { json }),
    });
  };
  const made = async <Body>(path: string, json: object): Promise<Body> => {
    const { status, body } = await loom.call<Body>('POST', path, json);
    expect([path, status, body]).toEqual([path, 201, expect.anything()]);
    return body;
  };

  beforeAll(async () => {
    const { service } = writing;
    loom = await writing.newProject({ visibility: 'public' });
    const [guest, reporter, maintainer] = [
      await service.addUser('gus'),
      await service.addUser('rita'),
      await service.addUser('mona'),
    ];
    people = {
      stranger: await service.addUser('sten', { password: PASSWORD }),
      administrator: await service.addUser('root', { admin: true, scopes: ['api'] }),
      ...{ guest, reporter, maintainer },
    };
    await loom.addMember(guest, GUEST);
    await loom.addMember(reporter, REPORTER);
    await loom.addMember(maintainer, MAINTAINER);
    await loom.write('main', { 'README.md': '# Loom\n', '.gitlab-ci.yml': 'weave: { script: make }\n' });
    await loom.write('topic', { one: 'one\n' }, { start_branch: 'main' });
    await made('/issues', { title: 'A thread is loose' });
    await made('/merge_requests', {
      ...{ source_branch: 'topic', target_branch: 'main', title: 'Tie it', description: 'Closes #1' },
    });
    const { id: snippet } = await made<{ id: number }>('/snippets', {
      ...{ title: 'A knot', file_name: 'knot', content: 'over, under', visibility: 'public' },
    });
    await made('/releases', { tag_name: 'v1', ref: 'main' });
    await pushesFollowed(service);
    const [pipeline] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body;
    const [job] = (await loom.call<{ id: number }[]>('GET', '/jobs')).body;
    addresses = {
      repository: [
        ...['/repository/tree', '/repository/files/README.md/raw?ref=main', '/repository/branches'],
        ...['/repository/tags', '/repository/commits', '/repository/commits/main', '/repository/archive.tar.gz'],
        ...[
          '/repository/commits/main/comments',
          '/repository/compare?from=main&to=topic',
          '/repository/commits/c0ffee99',
        ],
        '/search?scope=blobs&search=loom',
      ],
      issues: [
        ...['/issues', '/issues/1', '/issues/1/notes', '/issues/1/links', '/issues/99', '/issues_statistics'],
        ...['/issues/1/participants', '/issues/1/related_merge_requests', '/search?scope=issues&search=thread'],
        '/issues/1/award_emoji',
      ],
      merge_requests: [
        ...['/merge_requests', '/merge_requests/1', '/merge_requests/1/notes', '/merge_requests/1/commits'],
        ...['/merge_requests/1/approvals', '/merge_requests/1/changes', '/merge_requests/1/discussions'],
        ...['/merge_requests/99', '/search?scope=merge_requests&search=tie'],
      ],
      builds: [
        ...['/pipelines', `/pipelines/${pipeline!.id}`, `/pipelines/${pipeline!.id}/jobs`, '/jobs', '/pipelines/99'],
        ...[`/jobs/${job!.id}`, `/jobs/${job!.id}/trace`, '/environments', '/deployments'],
      ],
      snippets: ['/snippets', `/snippets/${snippet}`, `/snippets/${snippet}/raw`, `/snippets/${snippet}/notes`],
      releases: ['/releases', '/releases/v1', '/releases/v1/assets/links', '/releases/v99'],
    };
  });

  /** Asks for the addresses of a feature as everybody. Those that search are for who is signed in. */
  const expectOpenTo = async (feature: ProjectFeature, who: (each: Who) => boolean): Promise<void> => {
    const seen: string[] = [];
    const meant: string[] = [];
    for (const path of addresses[feature] ?? [])
      for (const each of WHO) {
        if (each === 'visitor' && path.startsWith('/search')) continue;
        const { status, body } = await ask(each, `/projects/${loom.id}${path}`);
        const there = path.endsWith('99') ? 404 : 200;
        seen.push(`${each} ${path}: ${status === 403 ? body.message : status}`);
        meant.push(`${each} ${path}: ${who(each) ? there : '403 Forbidden'}`);
      }
    expect(seen).toEqual(meant);
  };

  const mayAt = (feature: ProjectFeature, level: string) => (who: Who) =>
    level === 'enabled' || (level === 'private' && LEVEL_OF[who] >= NEEDS[feature]);

  describe.each(PROJECT_FEATURES.filter((feature) => feature !== 'forking'))('%s', (feature) => {
    it.each(FEATURE_LEVELS)(
      'that is %s is for those alone whom it is for, whether or not a thing is there',
      async (level) => {
        await open();
        await set({ [`${feature}_access_level`]: level });
        await expectOpenTo(feature, mayAt(feature, level));
      },
    );
  });

  it.each(['private', 'disabled'])(
    'are no more open than a repository that is %s, and keep what was set',
    async (level) => {
      await open();
      await set({ repository_access_level: level });
      expect((await loom.call('GET', '')).body).toMatchObject({ merge_requests_access_level: 'enabled' });
      for (const feature of OF_CODE) await expectOpenTo(feature, mayAt(feature, level));
      await expectOpenTo('issues', () => true);
      await expectOpenTo('snippets', () => true);
    },
  );

  it('tell the name of the default branch to who may read the code alone, in lists, too', async () => {
    const who = async () => {
      const told: Who[] = [];
      for (const each of WHO) {
        const { body: one } = await ask(each, `/projects/${loom.id}`);
        const { body } = await ask(each, '/projects?per_page=100');
        const listed = (body as unknown as readonly { readonly id: number }[]).find(({ id }) => id === loom.id);
        const keys = [one, listed ?? {}].map((shown) => 'default_branch' in shown);
        expect([each, keys[0]]).toEqual([each, keys[1]]);
        if (keys[0]) told.push(each);
      }
      return told;
    };
    await open();
    expect(await who()).toEqual(WHO);
    await set({ repository_access_level: 'private' });
    expect(await who()).toEqual(['reporter', 'maintainer', 'administrator']);
    await set({ repository_access_level: 'disabled' });
    expect(await who()).toEqual([]);
    await open();
  });

  describe('leave its labels and milestones', () => {
    const CODENAME = 'Acquire-Acme';
    let milestone: { readonly id: number; readonly iid: number };
    let label: { readonly id: number };
    let group: { readonly id: number; readonly full_path: string };
    let inGroup: { readonly id: number; readonly path_with_namespace: string };
    const from = (level: number) => (who: Who) => LEVEL_OF[who] >= level;
    const everybody = from(0);
    const nobody = () => false;

    beforeAll(async () => {
      await open();
      milestone = await made('/milestones', { title: CODENAME, description: 'The secret plan' });
      label = await made('/labels', { name: 'customer-acme', color: '#112233' });
      await made('/releases', { tag_name: 'v2', ref: 'main', milestones: [CODENAME], description: `For %${CODENAME}` });
      const post = async <Body>(path: string, json: object) => {
        const { status, body } = await writing.service.call<Body>('POST', path, { token: writing.ada.token, json });
        expect([path, status]).toEqual([path, 201]);
        return body;
      };
      group = await post('/groups', { name: 'Mill', path: 'features-mill', visibility: 'public' });
      const fields = { name: 'Wheel', namespace_id: group.id, visibility: 'public' };
      inGroup = await post('/projects', { ...fields, ...closed('private', 'private') });
      await post(`/projects/${inGroup.id}/milestones`, { title: 'Hidden-Wheel', description: '' });
      await post(`/projects/${inGroup.id}/labels`, { name: 'hidden-label', color: '#112233' });
      await post(`/groups/${group.id}/milestones`, { title: 'Mill-Stone' });
      await post(`/groups/${group.id}/labels`, { name: 'mill-label', color: '#112233' });
    });

    const closed = (issues: string, mergeRequests: string) => ({
      ...{ issues_access_level: issues, merge_requests_access_level: mergeRequests },
    });
    const addressesThere = (): readonly string[] => [
      ...['/milestones', `/milestones/${milestone.id}`, '/milestones/999999'],
      ...['/labels', `/labels/${label.id}`, '/labels/none-of-that-name-99'],
      `/search?scope=milestones&search=${CODENAME}`,
    ];
    const expectThemOpenTo = async (who: (each: Who) => boolean): Promise<void> => {
      const [seen, meant]: [string[], string[]] = [[], []];
      for (const path of addressesThere())
        for (const each of WHO) {
          if (each === 'visitor' && path.startsWith('/search')) continue;
          const { status, body } = await ask(each, `/projects/${loom.id}${path}`);
          seen.push(`${each} ${path}: ${status === 403 ? body.message : status}`);
          meant.push(`${each} ${path}: ${!who(each) ? '403 Forbidden' : path.endsWith('99') ? 404 : 200}`);
        }
      expect(seen).toEqual(meant);
    };

    it.each([
      ['enabled', 'enabled', everybody],
      ['private', 'enabled', everybody],
      ['enabled', 'disabled', everybody],
      ['private', 'private', from(GUEST)],
      ['private', 'disabled', from(GUEST)],
      ['disabled', 'private', from(REPORTER)],
      ['disabled', 'disabled', nobody],
    ] as const)('with issues %s and merge requests %s to whom either is open', async (issues, mergeRequests, who) => {
      await open();
      await set(closed(issues, mergeRequests));
      await expectThemOpenTo(who);
    });

    it('to be managed while either is on, and followed by whoever reads them', async () => {
      await open();
      const rename = (who: Who) =>
        ask(who, `/projects/${loom.id}/labels/${label.id}`, 'PUT', { description: 'Of a customer' });
      const plan = (who: Who) =>
        ask(who, `/projects/${loom.id}/milestones/${milestone.id}`, 'PUT', { description: 'The secret plan' });
      const follow = (who: Who) => ask(who, `/projects/${loom.id}/labels/${label.id}/subscribe`, 'POST');
      await set(closed('disabled', 'private'));
      expect([(await rename('reporter')).status, (await plan('maintainer')).status]).toEqual([200, 200]);
      expect([(await follow('stranger')).status, (await follow('guest')).status]).toEqual([403, 403]);
      expect((await follow('reporter')).status).toBe(201);
      await set(closed('disabled', 'disabled'));
      for (const who of ['maintainer', 'administrator'] as const)
        for (const change of [rename, plan, follow]) expect((await change(who)).status).toBe(403);
    });

    it('out of searches, feeds, releases and lists of groups for whom neither is open', async () => {
      await open();
      const said = async (who: Who, path: string) => JSON.stringify((await ask(who, path)).body);
      const told = async (who: Who) => {
        const found: string[] = [];
        for (const path of [
          `/search?scope=milestones&search=${CODENAME}`,
          `/projects/${loom.id}/events?per_page=100`,
          `/users/${writing.ada.id}/events?per_page=100`,
          `/projects/${loom.id}/releases/v2`,
        ])
          // The text of the release says its name to whoever reads it.
          if ((await said(who, path)).replaceAll(`For %${CODENAME}`, '').includes(CODENAME)) found.push(path);
        return found.length;
      };
      expect(await told('stranger')).toBe(4);
      await set(closed('private', 'private'));
      expect([await told('stranger'), await told('reporter')]).toEqual([0, 4]);
      await set(closed('disabled', 'disabled'));
      expect([await told('reporter'), await told('administrator')]).toEqual([0, 0]);
      const ofGroup = await said('stranger', `/groups/${group.id}/labels?only_group_labels=false`);
      expect([ofGroup.includes('mill-label'), ofGroup.includes('hidden-label')]).toEqual([true, false]);
      const inSearch = (word: string) => said('stranger', `/groups/${group.id}/search?scope=milestones&search=${word}`);
      expect(await inSearch('Hidden-Wheel')).toBe('[]');
      expect(await inSearch('Mill-Stone')).toContain('Mill-Stone');
    });

    it('out of what texts link to, but for milestones of groups', async () => {
      await open();
      const linked = async (who: Who, project: string, text: string) => {
        const { body } = await ask(who, '/markdown', 'POST', { text, gfm: true, project });
        return [...(body as { html?: string }).html!.matchAll(/href="([^"]+)"/g)].map(([, address]) => address);
      };
      const text = `%${CODENAME} and %${milestone.iid}`;
      const address = `/${loom.project.path}/-/milestones/${milestone.iid}`;
      expect(await linked('stranger', loom.project.path, text)).toEqual([address, address]);
      await set(closed('private', 'private'));
      expect(await linked('stranger', loom.project.path, text)).toEqual([]);
      expect(await linked('guest', loom.project.path, text)).toEqual([address, address]);
      expect(await linked('stranger', inGroup.path_with_namespace, '%Hidden-Wheel %Mill-Stone %1')).toEqual([
        `/groups/${group.full_path}/-/milestones/1`,
      ]);
    });

    it('without a tab and a page, and out of what lists of groups offer, for whom neither is open', async () => {
      await open();
      const browser = new FormBrowser(writing.service.url);
      await browser.signIn('sten');
      const text = async (path: string) => (await browser.get(path)).text();
      const at = `/${loom.project.path}/-`;
      const places = [`${at}/milestones`, `${at}/labels`];
      const links = async () => {
        const page = await text(`${at}/activity`);
        return places.filter((place) => page.includes(`href="${place}"`)).length;
      };
      const pages = [...places, `${at}/milestones/${milestone.iid}`];
      const statuses = () => Promise.all(pages.map(async (page) => (await browser.get(page)).status));
      expect(await statuses()).toEqual([200, 200, 200]);
      expect(await text(`${at}/releases/v2`)).toContain(`href="${at}/milestones/${milestone.iid}"`);
      // Pages of planning share a tab, which leads to the first of them.
      await set(closed('private', 'enabled'));
      expect(await links()).toBe(1);
      await set(closed('private', 'disabled'));
      expect(await statuses()).toEqual([403, 403, 403]);
      expect(await links()).toBe(0);
      expect(await text(`${at}/releases/v2`)).not.toContain(`href="${at}/milestones/${milestone.iid}"`);
      const offered = await text(`/groups/${group.full_path}/-/issues`);
      for (const shown of ['mill-label', 'Mill-Stone']) expect(offered).toContain(`<option value="${shown}">`);
      expect(offered.toLowerCase()).not.toContain('hidden-');
    });

    it('planned for a release whose form offers none, where both are switched off', async () => {
      await open();
      const browser = new FormBrowser(writing.service.url);
      await browser.signIn('ada');
      const form = `/${loom.project.path}/-/releases/v2/edit`;
      expect(await (await browser.get(form)).text()).toContain(`value="${CODENAME}" checked`);
      await set(closed('disabled', 'disabled'));
      const text = await (await browser.get(form)).text();
      expect(text).not.toContain('name="milestones"');
      const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
      const fields = { name: 'Two', released_at: '', description: `For %${CODENAME}`, links: '', seen };
      expect((await browser.submit(form, form, fields)).status).toBe(303);
      await set(closed('enabled', 'enabled'));
      expect((await loom.call('GET', '/releases/v2')).body).toMatchObject({
        ...{ name: 'Two', milestones: [{ title: CODENAME }] },
      });
    });
  });

  it('are not told of in a project that somebody does not see', async () => {
    await open();
    await set({ issues_access_level: 'private', visibility: 'private' });
    for (const who of ['visitor', 'stranger'] as const)
      expect(await ask(who, `/projects/${loom.id}/issues`)).toMatchObject({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
    await set({ visibility: 'public' });
  });

  it('are said by older names, over which the newer win', async () => {
    await open();
    const put = (fields: object) => loom.call('PUT', '', fields);
    const off = { issues_enabled: false, merge_requests_enabled: false, jobs_enabled: false, snippets_enabled: false };
    expect((await put(off)).body).toMatchObject({
      ...off,
      ...{ issues_access_level: 'disabled', merge_requests_access_level: 'disabled' },
      ...{ builds_access_level: 'disabled', snippets_access_level: 'disabled', repository_access_level: 'enabled' },
    });
    expect((await put({ issues_enabled: false, issues_access_level: 'private' })).body).toMatchObject({
      ...{ issues_enabled: true, issues_access_level: 'private' },
    });
    expect((await put({ issues_enabled: true })).body).toMatchObject({ issues_access_level: 'enabled' });
    expect(await put({ issues_access_level: 'public' })).toMatchObject({
      status: 400,
      body: { error: 'issues_access_level does not have a valid value' },
    });
    expect((await put({ wiki_access_level: 'enabled', name: 'Loom' })).body).toMatchObject({
      wiki_access_level: 'disabled',
    });
  });

  it('are changed by maintainers alone, and chosen when a project is made', async () => {
    await open();
    expect(await ask('reporter', `/projects/${loom.id}`, 'PUT', { issues_access_level: 'disabled' })).toMatchObject({
      status: 403,
    });
    const other = await writing.newProject({
      visibility: 'public',
      releases_access_level: 'private',
      jobs_enabled: false,
    });
    expect((await other.call('GET', '')).body).toMatchObject({
      ...{ releases_access_level: 'private', builds_access_level: 'disabled', jobs_enabled: false },
      ...{ issues_access_level: 'enabled', snippets_enabled: true },
    });
  });

  it('narrow lists of projects to those whose issues, or merge requests, somebody may read', async () => {
    await open();
    const listed = async (who: Who, filter: string) =>
      ((await ask(who, `/projects?${filter}=true&per_page=100`)).body as unknown as { id: number }[]).some(
        ({ id }) => id === loom.id,
      );
    await set({ issues_access_level: 'private', merge_requests_access_level: 'disabled' });
    expect(await listed('stranger', 'with_issues_enabled')).toBe(false);
    expect(await listed('guest', 'with_issues_enabled')).toBe(true);
    expect(await listed('maintainer', 'with_merge_requests_enabled')).toBe(false);
    expect(await listed('administrator', 'with_merge_requests_enabled')).toBe(false);
    await set({ merge_requests_access_level: 'enabled', repository_access_level: 'private' });
    expect(await listed('stranger', 'with_merge_requests_enabled')).toBe(false);
    expect(await listed('reporter', 'with_merge_requests_enabled')).toBe(true);
  });

  it('leave lists of many projects, counts and what names them', async () => {
    await open();
    const titles = async (who: Who, path: string) =>
      ((await ask(who, path)).body as unknown as { title: string }[]).map(({ title }) => title);
    const everywhere = { issues: '/issues?scope=all', mergeRequests: '/merge_requests?scope=all' };
    expect(await titles('stranger', everywhere.issues)).toEqual(['A thread is loose']);
    expect(await titles('stranger', everywhere.mergeRequests)).toEqual(['Tie it']);
    await set({
      issues_access_level: 'private',
      merge_requests_access_level: 'private',
      snippets_access_level: 'private',
    });
    expect(await titles('stranger', everywhere.issues)).toEqual([]);
    expect(await titles('stranger', everywhere.mergeRequests)).toEqual([]);
    expect(await titles('stranger', '/search?scope=issues&search=thread')).toEqual([]);
    expect(await titles('stranger', '/search?scope=merge_requests&search=Tie')).toEqual([]);
    expect(await titles('stranger', '/search?scope=snippet_titles&search=knot')).toEqual([]);
    expect(await titles('guest', everywhere.issues)).toEqual(['A thread is loose']);
    expect(await titles('guest', everywhere.mergeRequests)).toEqual([]);
    expect(await titles('guest', '/search?scope=snippet_titles&search=knot')).toEqual(['A knot']);
    expect(await titles('reporter', everywhere.mergeRequests)).toEqual(['Tie it']);
    const counted = async (who: Who) =>
      ((await ask(who, `/projects/${loom.id}`)).body as { open_issues_count?: number }).open_issues_count;
    expect([await counted('stranger'), await counted('guest')]).toEqual([0, 1]);
    await set({ merge_requests_access_level: 'enabled', issues_access_level: 'disabled' });
    expect(await titles('reporter', `/projects/${loom.id}/merge_requests/1/closes_issues`)).toEqual([]);
    expect(await titles('administrator', everywhere.issues)).toEqual([]);
    await set({ issues_access_level: 'enabled', merge_requests_access_level: 'disabled' });
    expect(await titles('administrator', `/projects/${loom.id}/issues/1/closed_by`)).toEqual([]);
    expect((await ask('stranger', `/projects/${loom.id}/issues/1`)).body).toMatchObject({ merge_requests_count: 0 });
  });

  it('take what they tell of pipelines from commits and merge requests', async () => {
    await open();
    interface Checked {
      readonly id: string;
      readonly last_pipeline?: unknown;
      readonly head_pipeline?: unknown;
      readonly pipeline?: unknown;
    }
    const told = async (who: Who) => {
      const { body: mergeRequest } = await ask(who, `/projects/${loom.id}/merge_requests/1`);
      const { body: listed } = await ask(who, `/projects/${loom.id}/merge_requests/1/pipelines`);
      const { body: commit } = await ask(who, `/projects/${loom.id}/repository/commits/topic`);
      const { body: checks } = await ask(who, `/projects/${loom.id}/repository/commits/topic/statuses`);
      const { head_pipeline: head, pipeline } = mergeRequest as Checked;
      const names = (checks as unknown as { name: string }[]).map(({ name }) => name);
      const whether = [head !== null, pipeline !== null, (commit as Checked).last_pipeline !== null];
      return [...whether, (listed as unknown as object[]).length > 0, names.toSorted()];
    };
    const { sha } = (await loom.call<{ sha: string }>('GET', '/merge_requests/1')).body;
    await made(`/statuses/${sha}`, { state: 'success', name: 'elsewhere' });
    const everything = [true, true, true, true, ['elsewhere', 'weave']];
    const nothing = [false, false, false, false, ['elsewhere']];
    expect(await told('stranger')).toEqual(everything);
    await set({ builds_access_level: 'private' });
    expect(await told('stranger')).toEqual(nothing);
    expect(await told('reporter')).toEqual(everything);
    await set({ builds_access_level: 'disabled' });
    expect(await told('administrator')).toEqual(nothing);
  });

  it('are withheld from whoever reads the feed and may not read them', async () => {
    await open();
    interface Event {
      readonly action_name: string;
      readonly target_title: string | null;
      readonly push_data?: unknown;
      readonly note?: unknown;
    }
    const feed = async (who: Who) =>
      (await ask(who, `/projects/${loom.id}/events?per_page=100`)).body as unknown as Event[];
    await made('/issues/1/notes', { body: 'It is the red one' });
    const said = async (who: Who) => JSON.stringify(await feed(who));
    const secrets = ['A thread is loose', 'It is the red one', 'Tie it', 'Write one'];
    const seenBy = async (who: Who) => {
      const text = await said(who);
      return secrets.filter((secret) => text.includes(secret));
    };
    expect(await seenBy('stranger')).toEqual(secrets);
    const before = (await feed('stranger')).length;
    await set({ issues_access_level: 'private' });
    expect(await seenBy('stranger')).toEqual(['Tie it', 'Write one']);
    expect(await seenBy('guest')).toEqual(secrets);
    await set({ repository_access_level: 'private', issues_access_level: 'disabled' });
    expect(await seenBy('stranger')).toEqual([]);
    expect(await seenBy('guest')).toEqual([]);
    expect(await seenBy('reporter')).toEqual(['Tie it', 'Write one']);
    expect(await feed('stranger')).toHaveLength(before);
    const [{ body: own }] = [await ask('stranger', `/users/${writing.ada.id}/events?per_page=100`)];
    expect(secrets.filter((secret) => JSON.stringify(own).includes(secret))).toEqual([]);
  });

  it('leave commits that nothing but merge requests has out of lists of all commits', async () => {
    await open();
    await loom.write('gone', { two: 'two\n' }, { start_branch: 'main' });
    await made('/merge_requests', { source_branch: 'gone', target_branch: 'main', title: 'Of a branch that goes' });
    expect((await loom.call('DELETE', '/repository/branches/gone')).status).toBe(200);
    const { sha } = (await loom.call<{ sha: string }>('GET', '/merge_requests/2')).body;
    const { body } = await ask('visitor', `/projects/${loom.id}/repository/commits?all=true`);
    const ids = (body as unknown as { id: string }[]).map(({ id }) => id);
    expect(ids).toContain((await loom.call<{ sha: string }>('GET', '/merge_requests/1')).body.sha);
    expect(ids).not.toContain(sha);
  });

  it('are named in other projects only where their readers may know of them', async () => {
    await open();
    const knot = await writing.newProject({ visibility: 'public' });
    await knot.call('POST', '/issues', { title: 'A knot' });
    const mention = (words: string) => made('/issues', { title: words, description: `see ${knot.project.path}#1` });
    const notes = async () => {
      await pushesFollowed(writing.service);
      const { body } = await knot.call<{ body: string }[]>('GET', '/issues/1/notes?sort=asc');
      return body.map((note) => note.body);
    };
    const { iid } = (await mention('Seen by all')) as { iid: number };
    const told = [`mentioned in issue ${loom.project.path}#${iid}`];
    expect(await notes()).toEqual(told);
    await set({ issues_access_level: 'private' });
    await mention('Seen by members');
    expect(await notes()).toEqual(told);
  });

  it('are told by the feed to have changed, and not how, for whom they are not for', async () => {
    await open();
    const names = async () => {
      const { body } = await ask('stranger', `/projects/${loom.id}/events?target_type=issue&per_page=100`);
      return new Set((body as unknown as { action_name: string }[]).map((event) => event.action_name));
    };
    expect(await names()).toContain('opened');
    await set({ issues_access_level: 'private' });
    expect(await names()).toEqual(new Set(['updated']));
  });

  it('are kept from git', async () => {
    await open();
    const { service, ada } = writing;
    // Said at once: git says who asks only where it is asked, and a public project asks nobody.
    const list = (who?: TestUser) => {
      const name = Buffer.from(`oauth2:${who?.token ?? ''}`).toString('base64');
      const said = who === undefined ? [] : ['-c', `http.extraHeader=Authorization: Basic ${name}`];
      return tryGit([...said, 'ls-remote', remoteOf(service, loom.project.path)]);
    };
    expect((await list()).stdout).toContain('refs/merge-requests/1/head');
    await set({ merge_requests_access_level: 'private' });
    expect((await list(people.stranger)).stdout).toContain('refs/heads/main');
    expect((await list(people.stranger)).stdout).not.toContain('refs/merge-requests');
    expect((await list(people.reporter)).stdout).toContain('refs/merge-requests/1/head');
    // A job names such a ref, and its name and token in the address, which git tells where it is asked.
    const named = remoteOf(service, loom.project.path, 'oauth2', people.reporter!.token);
    const tree = await WorkTree.init();
    expect((await tree.try('fetch', named, 'refs/merge-requests/1/head')).code).toBe(0);
    const stranger = remoteOf(service, loom.project.path, 'oauth2', people.stranger!.token);
    expect((await tree.try('fetch', stranger, 'refs/merge-requests/1/head')).code).not.toBe(0);
    expect((await tree.try('fetch', stranger, 'refs/heads/main')).code).toBe(0);
    await set({ merge_requests_access_level: 'enabled', repository_access_level: 'private' });
    for (const who of [undefined, people.stranger, people.guest]) expect((await list(who)).code).not.toBe(0);
    expect((await list(people.reporter)).code).toBe(0);
    await set({ repository_access_level: 'disabled' });
    for (const who of [people.administrator, people.maintainer, ada]) expect((await list(who)).code).not.toBe(0);
  });

  it('are not begun while they are switched off, and go on when they are switched on again', async () => {
    await open();
    const runner = await runnerOf(writing, loom);
    const pipelines = async () => {
      const { query } = writing.service.service.database.reader;
      const [{ count }] = (await query('pipelines').where({ project_id: loom.id }).count({ count: '*' })) as [
        { count: number | string },
      ];
      return Number(count);
    };
    const before = await pipelines();
    await set({ builds_access_level: 'disabled' });
    expect(await runner.take()).toBeUndefined();
    await loom.write('main', { two: 'two\n' });
    await loom.write('topic', { three: 'three\n' });
    await pushesFollowed(writing.service);
    expect(await pipelines()).toBe(before);
    expect((await ask('administrator', `/projects/${loom.id}/pipeline?ref=main`, 'POST')).status).toBe(403);
    await set({ builds_access_level: 'enabled' });
    expect(await runner.take()).toMatchObject({ job_info: { name: 'weave' } });
    await set({ issues_access_level: 'disabled' });
    expect((await ask('administrator', `/projects/${loom.id}/issues`, 'POST', { title: 'No' })).status).toBe(403);
    await loom.commit('main', 'Closes #1', [{ action: 'create', file_path: 'four', content: 'four\n' }]);
    await pushesFollowed(writing.service);
    await set({ issues_access_level: 'enabled' });
    expect((await loom.call('GET', '/issues/1')).body).toMatchObject({ state: 'opened' });
  });

  it('leave the lists of to-dos', async () => {
    await open();
    await made('/issues/1/notes', { body: 'Look, @sten and @gus' });
    const todos = async (who: Who) => ((await ask(who, '/todos')).body as unknown as object[]).length;
    // A job that follows the comment makes them.
    await until(async () => (await todos('stranger')) === 1 && (await todos('guest')) === 1);
    await set({ issues_access_level: 'private' });
    expect([await todos('stranger'), await todos('guest')]).toEqual([0, 1]);
    await set({ issues_access_level: 'disabled' });
    expect([await todos('stranger'), await todos('guest')]).toEqual([0, 0]);
  });

  it('give alerts no incident while issues are switched off', async () => {
    await open();
    const alerts = AlertingProject.of(writing.service, writing.ada, loom.id);
    const key = await alerts.integrate();
    const iids = async () => (await alerts.alerts()).map(({ title, issue_iid: iid }) => [title, iid !== null]);
    expect((await sendAlert(key, { title: 'With' })).status).toBe(200);
    await set({ issues_access_level: 'disabled' });
    expect((await sendAlert(key, { title: 'Without' })).status).toBe(200);
    expect((await iids()).toSorted()).toEqual([
      ['With', false],
      ['Without', false],
    ]);
    await set({ issues_access_level: 'enabled' });
    expect((await iids()).toSorted()).toEqual([
      ['With', true],
      ['Without', false],
    ]);
  });

  it('are chosen in the settings of the project, by whoever saw what others have chosen', async () => {
    await open();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn('ada');
    const page = `/${loom.project.path}/-/settings`;
    const text = await (await browser.get(page)).text();
    expect(text).toContain('name="issues_access_level"');
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
    const { name, path } = (await loom.call<{ name: string; path: string }>('GET', '')).body;
    const form = { name, path, description: '', topics: '', visibility: 'public', seen };
    const saved = await browser.submit(page, page, {
      ...form,
      issues_access_level: 'private',
      builds_access_level: 'disabled',
    });
    expect(saved.status).toBe(303);
    expect((await loom.call('GET', '')).body).toMatchObject({
      ...{ issues_access_level: 'private', builds_access_level: 'disabled', snippets_access_level: 'enabled' },
    });
    const late = await browser.submit(page, page, { ...form, issues_access_level: 'enabled' });
    expect(late.status).toBe(409);
    expect((await browser.submit(page, page, { ...form, seen: '', issues_access_level: 'open' })).status).toBe(400);
    expect((await loom.call('GET', '')).body).toMatchObject({ issues_access_level: 'private' });
  });

  it('are copied by forks, which nobody makes where forking is not for them', async () => {
    await open();
    const fork = (who: Who) => ask(who, `/projects/${loom.id}/fork`, 'POST', { path: `fork-of-${who}` });
    await set({ forking_access_level: 'disabled', issues_access_level: 'private' });
    for (const who of ['stranger', 'maintainer', 'administrator'] as const) expect((await fork(who)).status).toBe(403);
    await set({ forking_access_level: 'private' });
    expect((await fork('stranger')).status).toBe(403);
    expect((await fork('guest')).status).toBe(403);
    expect(await fork('reporter')).toMatchObject({
      status: 201,
      body: { forking_access_level: 'private', issues_access_level: 'private', snippets_access_level: 'enabled' },
    });
  });

  it('are no wider in a fork than in its source, where they give its code away', async () => {
    await open();
    const { id } = (await ask('reporter', `/projects/${loom.id}/fork`, 'POST', { path: 'close-fork', name: 'Close' }))
      .body as unknown as {
      id: number;
    };
    const levelOf = async () =>
      ((await ask('reporter', `/projects/${id}`)).body as Record<string, unknown>)['forked_from_project'];
    const widen = () => ask('reporter', `/projects/${id}`, 'PUT', { repository_access_level: 'enabled' });
    expect((await ask('reporter', `/projects/${id}`, 'PUT', { repository_access_level: 'private' })).status).toBe(200);
    await set({ repository_access_level: 'private' });
    expect(await levelOf()).toBeDefined();
    expect(await widen()).toMatchObject({
      status: 400,
      body: { message: { repository_access_level: [expect.anything()] } },
    });
    await set({ repository_access_level: 'enabled' });
    expect((await widen()).status).toBe(200);
    // Whoever made it may have the code as it is: it is no fork any more.
    await set({ repository_access_level: 'private' });
    expect(await levelOf()).toBeUndefined();
  });

  it('are not told of beside what is, by a pipeline of a merge request or by names that lists offer', async () => {
    await open();
    const page = async (path: string): Promise<string> =>
      (await fetch(`${writing.service.url}/${loom.project.path}/-/${path}`)).text();
    await loom.write('checked', { checked: 'yes\n' }, { start_branch: 'main' });
    const { iid } = await made<{ iid: number }>('/merge_requests', {
      ...{ source_branch: 'checked', target_branch: 'main', title: 'Checked' },
    });
    await pushesFollowed(writing.service);
    expect(await page(`merge_requests/${iid}`)).toContain('<summary>Pipeline');
    await set({ builds_access_level: 'private' });
    expect(await page(`merge_requests/${iid}`)).not.toContain('<summary>Pipeline');
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn('sten');
    const offered = await (await browser.get(`/${loom.project.path}/-/issues`)).text();
    expect(offered).toContain('<option value="rita">');
    // Visitors are told no names of people.
    expect(await page('issues')).not.toContain('<option value="rita">');
  });

  it('have no tab, and no page, for whom they are not for', async () => {
    await open();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn('sten');
    const tabs = async () => await (await browser.get(`/${loom.project.path}`)).text();
    const at = `href="/${loom.project.path}/-`;
    expect(await tabs()).toContain(`${at}/issues"`);
    await set({
      issues_access_level: 'private',
      merge_requests_access_level: 'disabled',
      snippets_access_level: 'private',
    });
    const narrowed = await tabs();
    for (const tab of ['issues', 'merge_requests', 'snippets']) {
      expect(narrowed).not.toContain(`${at}/${tab}"`);
      expect([tab, (await browser.get(`/${loom.project.path}/-/${tab}`)).status]).toEqual([tab, 403]);
    }
    await set({ builds_access_level: 'disabled', releases_access_level: 'private' });
    const code = await (await browser.get(`/${loom.project.path}/-/tree/main`)).text();
    for (const tab of ['pipelines', 'environments', 'releases']) {
      expect(code).not.toContain(`${at}/${tab}"`);
      expect([tab, (await browser.get(`/${loom.project.path}/-/${tab}`)).status]).toEqual([tab, 403]);
    }
  });
});
