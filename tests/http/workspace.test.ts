import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import type { GroupId, ProjectId } from '../../src/domain/shared/identifiers.js';

interface Named {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}

describeEachDatabase('groups, projects and members', (openTestDatabase) => {
  let service: TestService;
  let databaseUrl: string;
  let root: TestUser;
  let ada: TestUser;
  let grace: TestUser;

  beforeAll(async () => {
    databaseUrl = await openTestDatabase();
    service = await TestService.start(databaseUrl);
    root = await service.addUser('root', { admin: true });
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
  });

  afterAll(() => service.close());

  const create = async (path: '/projects' | '/groups', by: TestUser, json: Record<string, unknown>): Promise<Named> => {
    const { status, body } = await service.call<Named>('POST', path, { token: by.token, json });
    expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
    return body;
  };
  const statusFor = async (who: TestUser | undefined, path: string, method = 'GET', json?: unknown) =>
    (
      await service.call(method, path, {
        ...(who === undefined ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      })
    ).status;
  const withSimple = (list: string): string => `${list}${list.includes('?') ? '&' : '?'}simple=true`;
  const namesSeenBy = async (who: TestUser | undefined, query: string) => {
    const { body } = await service.call<Named[]>(
      'GET',
      `/projects?${query}`,
      who === undefined ? {} : { token: who.token },
    );
    return body.map(({ name }) => name).sort();
  };

  describe('the list of projects', () => {
    beforeAll(async () => {
      await create('/projects', ada, { name: 'Seen private', visibility: 'private' });
      await create('/projects', ada, { name: 'Seen internal', visibility: 'internal' });
      await create('/projects', ada, { name: 'Seen public', visibility: 'public' });
    });

    it('shows everybody what he may see, with and without a token', async () => {
      expect(await namesSeenBy(undefined, 'search=seen')).toEqual(['Seen public']);
      expect(await namesSeenBy(grace, 'search=seen')).toEqual(['Seen internal', 'Seen public']);
      expect(await namesSeenBy(ada, 'search=seen')).toEqual(['Seen internal', 'Seen private', 'Seen public']);
      expect(await namesSeenBy(root, 'search=seen')).toEqual(['Seen internal', 'Seen private', 'Seen public']);
    });

    it('narrows by owned, membership and visibility', async () => {
      expect(await namesSeenBy(grace, 'search=seen&owned=true')).toEqual([]);
      expect(await namesSeenBy(ada, 'search=seen&owned=yes')).toHaveLength(3);
      expect(await namesSeenBy(grace, 'search=seen&membership=1')).toEqual([]);
      expect(await namesSeenBy(ada, 'search=seen&visibility=internal')).toEqual(['Seen internal']);
      expect(await namesSeenBy(undefined, 'search=seen&membership=true')).toEqual([]);
    });

    it('sorts by what is asked, both ways', async () => {
      const order = async (query: string) =>
        (await service.call<Named[]>('GET', `/projects?search=seen&${query}`, { token: ada.token })).body.map(
          ({ name }) => name,
        );
      expect(await order('order_by=name&sort=asc')).toEqual(['Seen internal', 'Seen private', 'Seen public']);
      expect(await order('order_by=id&sort=desc')).toEqual(['Seen public', 'Seen internal', 'Seen private']);
    });

    it('shows less with simple=true and to strangers', async () => {
      const first = async (query: string, who?: TestUser) =>
        (
          await service.call<object[]>(
            'GET',
            `/projects?search=seen+public&${query}`,
            who === undefined ? {} : { token: who.token },
          )
        ).body[0]!;
      expect(await first('')).not.toHaveProperty('visibility');
      expect(await first('simple=true', ada)).not.toHaveProperty('visibility');
      expect(await first('', ada)).toMatchObject({
        visibility: 'public',
        owner: { username: 'ada' },
        merge_when_pipeline_succeeds: false,
      });
    });

    it('narrows by topics, which a project has in the order in which they were given, each once whatever its case', async () => {
      let serial = 0;
      const about = (topics: unknown, more = {}) => ({ name: `Topical ${(serial += 1)}`, topics, ...more });
      const topicsOf = async (json: object, id?: number) => {
        const path = id === undefined ? '/projects' : `/projects/${id}`;
        const method = id === undefined ? 'POST' : 'PUT';
        const { body } = await service.call<{ topics: string[]; tag_list: string[]; id: number }>(method, path, {
          token: ada.token,
          json,
        });
        expect(body.tag_list).toEqual(body.topics);
        return body;
      };
      const public_ = { visibility: 'public' };
      const { id, topics } = await topicsOf(about(['Mills', ' steam , 100%', 'mILLS'], public_));
      expect(topics).toEqual(['mILLS', 'steam', '100%']);
      await topicsOf(about(['steam'], public_));
      const found = async (query: string) => (await namesSeenBy(undefined, query)).length;
      expect(await Promise.all(['topic=STEAM', 'topic=steam,mills', 'topic=100%25', 'topic=none'].map(found))).toEqual([
        2, 1, 1, 0,
      ]);
      // Another change leaves them, and a list takes the place of all.
      expect((await topicsOf({ description: 'Grinds' }, id)).topics).toEqual(topics);
      expect((await topicsOf({ tag_list: ['water'] }, id)).topics).toEqual(['water']);
      expect(await found('topic=mills')).toBe(0);
      const { body } = await service.call<{ topics: string[] }[]>('GET', '/projects?topic=water');
      expect(body.map((each) => each.topics)).toEqual([['water']]);
      expect((await topicsOf({ topics: [] }, id)).topics).toEqual([]);
      for (const [sent, problem] of [
        [Array.from({ length: 51 }, (_, index) => `t${index}`), 'are too many (maximum is 50)'],
        [['x'.repeat(256)], 'have a name that is too long (maximum is 255 characters)'],
      ] as const) {
        const refused = await service.call('PUT', `/projects/${id}`, { token: ada.token, json: { topics: sent } });
        expect(refused).toMatchObject({ status: 400, body: { message: { topics: [problem] } } });
        const made = await service.call('POST', '/projects', { token: ada.token, json: about(sent) });
        expect(made.status).toBe(400);
      }
    });

    it('has topics, listed by name with how many projects have them, as far as the caller sees these', async () => {
      for (const [name, visibility, topics] of [
        ['Listed one', 'public', ['Zymurgy', 'listed 10%']],
        ['Listed two', 'internal', ['zymurgy']],
        ['Listed three', 'private', ['zymurgy', 'listed secretly']],
      ] as const)
        await create('/projects', ada, { name, path: name.replace(' ', '-').toLowerCase(), visibility, topics });
      const listed = async (who: TestUser | undefined, query: string) => {
        const { body, headers } = await service.call<{ name: string; total_projects_count: number }[]>(
          'GET',
          `/topics?${query}`,
          who && { token: who.token },
        );
        expect(headers.get('x-total')).toBe(String(body.length));
        return body.map(({ name, total_projects_count: count }) => `${name.toLowerCase()} ${count}`);
      };
      expect(await listed(ada, 'search=ZYMU')).toEqual(['zymurgy 3']);
      expect(await listed(grace, 'search=zymu')).toEqual(['zymurgy 2']);
      expect(await listed(undefined, 'search=zymu')).toEqual(['zymurgy 1']);
      expect(await listed(ada, 'search=listed')).toEqual(['listed 10% 1', 'listed secretly 1']);
      expect(await listed(grace, 'search=listed')).toEqual(['listed 10% 1']);
      expect(await listed(undefined, 'search=0%25')).toEqual(['listed 10% 1']);
      expect(await listed(undefined, 'search=d_1')).toEqual([]);
      expect(await listed(ada, '')).toEqual((await listed(ada, '')).toSorted());
      const [topic] = (await service.call<object[]>('GET', '/topics?search=zymurgy')).body;
      expect(topic).toEqual({
        id: null,
        name: 'Zymurgy',
        title: 'Zymurgy',
        description: '',
        total_projects_count: 1,
        avatar_url: null,
      });
    });

    it('finds a percent sign as such', async () => {
      await create('/projects', ada, { name: '100% sure', path: 'sure', visibility: 'public' });
      expect(await namesSeenBy(ada, 'search=100%25')).toEqual(['100% sure']);
      expect(await namesSeenBy(ada, 'search=1%25sure')).toEqual([]);
    });

    it('carries every page header, and links that lead through all of it', async () => {
      const { headers } = await service.call('GET', '/projects?search=seen&per_page=1&page=2', { token: ada.token });
      expect(
        Object.fromEntries(
          [...headers].filter(([name]) => name.startsWith('x-') && !/request-id|content|frame/.test(name)),
        ),
      ).toEqual({
        'x-page': '2',
        'x-per-page': '1',
        'x-prev-page': '1',
        'x-next-page': '3',
        'x-total': '3',
        'x-total-pages': '3',
      });
      const link = (rel: string, page: number) =>
        `<${service.url}/api/v4/projects?page=${page}&per_page=1&search=seen>; rel="${rel}"`;
      expect(headers.get('link')).toBe(
        [link('prev', 1), link('next', 3), link('first', 1), link('last', 3)].join(', '),
      );
    });

    it('clamps page sizes, and answers an empty page beyond the last', async () => {
      const headersOf = async (query: string) => (await service.call('GET', `/projects?${query}`)).headers;
      expect((await headersOf('per_page=1000000')).get('x-per-page')).toBe('100');
      expect((await headersOf('per_page=-5&page=-1')).get('x-page')).toBe('1');
      const beyond = await service.call('GET', '/projects?page=2000');
      expect([beyond.status, beyond.body, beyond.headers.get('x-next-page')]).toEqual([200, [], '']);
      expect((await service.call('GET', '/projects?per_page=0')).body).toEqual({
        error: 'per_page has a value not allowed',
      });
      expect((await service.call('GET', '/projects?page=9e18')).body).toEqual({ error: 'page is invalid' });
    });
  });

  describe('the list of projects as clients ask for it', () => {
    let group: Named;

    beforeAll(async () => {
      group = await create('/groups', ada, { name: 'Yard', path: 'yard', visibility: 'public' });
      for (const name of ['Anvil', 'Bellows', 'Crane'])
        await create('/projects', ada, { name, namespace_id: group.id, visibility: 'public' });
      const hidden = await create('/projects', ada, { name: 'Yard ledger', visibility: 'private' });
      await service.call('POST', `/projects/${hidden.id}/members`, {
        token: ada.token,
        json: { user_id: grace.id, access_level: 10 },
      });
    });

    it('searches the paths of namespaces where that is asked for', async () => {
      expect(await namesSeenBy(ada, 'search=yArD')).toEqual(['Yard ledger']);
      expect(await namesSeenBy(ada, 'search=yArD&search_namespaces=true')).toEqual([
        'Anvil',
        'Bellows',
        'Crane',
        'Yard ledger',
      ]);
      expect(await namesSeenBy(undefined, 'search=yArD/c&search_namespaces=true')).toEqual(['Crane']);
      expect(await namesSeenBy(undefined, 'search_namespaces=true&search=y_rd')).toEqual([]);
    });

    it('narrows by the time of the last activity, which is left out itself', async () => {
      const { body } = await service.call<{ last_activity_at: string }[]>('GET', '/projects?search=bellows');
      const at = body[0]!.last_activity_at;
      const seen = (query: string) => namesSeenBy(undefined, `search=bellows&${query}`);
      const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(at) + ms).toISOString());
      expect(await seen(`last_activity_after=${before}&last_activity_before=${after}`)).toEqual(['Bellows']);
      expect(await seen(`last_activity_after=${at}`)).toEqual([]);
      expect(await seen(`last_activity_before=${at}`)).toEqual([]);
      expect(await seen('last_activity_after=2020-01-01')).toEqual(['Bellows']);
      const refused = await service.call(
        'GET',
        '/projects?last_activity_after=yesterday&last_activity_before=2026-02-30',
      );
      expect([refused.status, refused.body]).toEqual([
        400,
        { error: 'last_activity_after is invalid, last_activity_before is invalid' },
      ]);
    });

    it('narrows to those with merge requests that the caller may read; all have issues', async () => {
      const seen = (who: TestUser, query: string) => namesSeenBy(who, `search=yard&${query}`);
      expect(await seen(ada, 'with_merge_requests_enabled=true')).toEqual(['Yard ledger']);
      // A guest of a private project.
      expect(await seen(grace, 'with_merge_requests_enabled=true')).toEqual([]);
      expect(await seen(grace, 'with_merge_requests_enabled=false')).toEqual(['Yard ledger']);
      for (const value of [true, false])
        expect(await seen(grace, `with_issues_enabled=${value}`)).toEqual(['Yard ledger']);
      expect(await statusFor(grace, '/projects?with_issues_enabled=perhaps')).toBe(400);
    });

    it.each(['asc', 'desc'])('pages by ids, %s', async (sort) => {
      const names: string[] = [];
      const asked = `search=yard/&search_namespaces=true&pagination=keyset&order_by=id&per_page=2&sort=${sort}`;
      const first = sort === 'asc' ? '&id_after=0' : '';
      for (let path: string | undefined = `/projects?${asked}${first}`; path !== undefined;) {
        const { status, body, headers }: Awaited<ReturnType<typeof service.call<Named[]>>> = await service.call<
          Named[]
        >('GET', path);
        expect([status, headers.get('x-per-page'), headers.has('x-total')]).toEqual([200, '2', false]);
        names.push(...body.map(({ name }) => name));
        const link = headers.get('link');
        path = link === null ? undefined : /^<[^>]*\/api\/v4([^>]+)>; rel="next"$/.exec(link)![1]!;
        const last = body.at(-1)!.id;
        if (path !== undefined) expect(path).toContain(sort === 'asc' ? `id_after=${last}` : `id_before=${last}`);
      }
      const all = ['Anvil', 'Bellows', 'Crane'];
      expect(names).toEqual(sort === 'asc' ? all : all.reverse());
    });

    it('pages by number up to entry 50,000, and names the way on', async () => {
      expect(await statusFor(ada, '/projects?per_page=100&page=501')).toBe(200);
      const { status, body } = await service.call<{ error: string }>('GET', '/projects?per_page=100&page=502');
      expect([status, body.error]).toEqual([
        405,
        expect.stringMatching(/50000 for requests that return objects of type Project\. .* using keyset pagination\.$/),
      ]);
    });

    it('refuses to page by ids in another order', async () => {
      const { status, body } = await service.call('GET', '/projects?pagination=keyset&order_by=name');
      const error = 'Keyset pagination is not yet available for this type of request';
      expect([status, body]).toEqual([405, { error }]);
    });
  });

  describe('what a caller may not see', () => {
    it('is 404, and what he may see but not do is 403; without a token a change is 401', async () => {
      const hidden = await create('/projects', ada, { name: 'Unseen', visibility: 'private' });
      const shown = await create('/projects', ada, { name: 'Shown', visibility: 'public' });
      expect(await statusFor(grace, `/projects/${hidden.id}`)).toBe(404);
      expect(await statusFor(grace, `/projects/${hidden.id}`, 'PUT', { name: '' })).toBe(404);
      expect(await statusFor(undefined, `/projects/${hidden.id}`)).toBe(404);
      expect(await statusFor(grace, `/projects/${shown.id}`)).toBe(200);
      expect(await statusFor(grace, `/projects/${shown.id}`, 'PUT', { visibility: 'nonsense' })).toBe(403);
      expect(await statusFor(grace, `/projects/${shown.id}`, 'DELETE')).toBe(403);
      expect(await statusFor(undefined, `/projects/${shown.id}`, 'PUT', {})).toBe(401);
    });

    it('is not found by old addresses either: a path needs a slash', async () => {
      expect((await service.call('GET', '/projects/owned', { token: ada.token })).body).toEqual({
        message: '404 Project Not Found',
      });
    });
  });

  describe('creating and changing', () => {
    it('makes the path of the name and the name of the path, and ignores `public`', async () => {
      expect(await create('/projects', ada, { name: 'Größe & Maß', public: true })).toMatchObject({
        path: 'gro-e-ma',
        visibility: 'private',
      });
      expect(await create('/projects', ada, { path: 'only-path' })).toMatchObject({ name: 'only-path' });
      expect((await service.call('POST', '/projects', { token: ada.token, json: {} })).body).toEqual({
        error: 'name, path are missing, at least one parameter must be provided',
      });
    });

    it('of nothing is refused with what may be given', async () => {
      const { id } = await create('/projects', ada, { name: 'Unchanged' });
      const { status, body } = await service.call('PUT', `/projects/${id}`, { token: ada.token });
      expect([status, body]).toEqual([
        400,
        { error: expect.stringMatching(/^name, path, .* are missing, at least one parameter must be provided$/) },
      ]);
    });

    it('keeps merge_when_pipeline_succeeds', async () => {
      const { id } = await create('/projects', ada, { name: 'Merging', merge_when_pipeline_succeeds: 'on' });
      const read = async () =>
        (await service.call<{ merge_when_pipeline_succeeds: boolean }>('GET', `/projects/${id}`, { token: ada.token }))
          .body.merge_when_pipeline_succeeds;
      expect(await read()).toBe(true);
      await service.call('PUT', `/projects/${id}?merge_when_pipeline_succeeds=0`, { token: ada.token });
      expect(await read()).toBe(false);
    });

    it('names what is taken, whatever its case, and of many at once one wins', async () => {
      await create('/projects', ada, { name: 'Taken' });
      expect(
        (await service.call('POST', '/projects', { token: ada.token, json: { name: 'Other', path: 'TAKEN' } })).body,
      ).toEqual({
        message: { path: ['has already been taken'] },
      });
      const taken = ['has already been taken'];
      const both = { message: { name: taken, path: taken } };
      const { id } = await create('/projects', ada, { name: 'Free' });
      for (const [method, path] of [
        ['POST', '/projects'],
        ['PUT', `/projects/${id}`],
      ] as const) {
        const { status, body } = await service.call(method, path, {
          token: ada.token,
          json: { name: 'taken', path: 'taken' },
        });
        expect([status, body]).toEqual([400, both]);
      }
      const renamed = await service.call('PUT', `/projects/${id}`, { token: ada.token, json: { name: 'Taken' } });
      expect(renamed.body).toEqual({ message: { name: taken } });
      expect(await statusFor(ada, `/projects/${id}`, 'PUT', { name: 'FREE', path: 'FREE' })).toBe(200);
      const attempts = await Promise.all(
        Array.from({ length: 10 }, () => statusFor(ada, '/groups', 'POST', { name: 'Race', path: 'race' })),
      );
      expect(attempts.filter((status) => status === 201)).toHaveLength(1);
      expect(attempts.filter((status) => status === 400)).toHaveLength(9);
    });

    it('keeps a project within the visibility of its group', async () => {
      const group = await create('/groups', ada, { name: 'Closed', path: 'closed', visibility: 'private' });
      const { status, body } = await service.call('POST', '/projects', {
        token: ada.token,
        json: { name: 'Open', namespace_id: group.id, visibility: 'public' },
      });
      expect([status, body]).toEqual([400, { message: { visibility: ['public is not allowed in a private group'] } }]);
    });

    it('nests groups 20 levels deep at most', async () => {
      let parent_id: number | undefined;
      for (let level = 1; level <= 20; level += 1) {
        const given = { name: `Level ${level}`, path: `level-${level}` };
        ({ id: parent_id } = await create('/groups', ada, {
          ...given,
          ...(parent_id === undefined ? {} : { parent_id }),
        }));
      }
      const json = { name: 'Too deep', path: 'too-deep', parent_id };
      expect(await service.call('POST', '/groups', { token: ada.token, json })).toMatchObject({
        status: 400,
        body: { message: { parent_id: ['is too deep: groups nest at most 20 levels'] } },
      });
    });

    it('moves the paths below a group that is renamed, and names what is there after all groups that hold it', async () => {
      const top = await create('/groups', ada, { name: 'Before', path: 'before' });
      const below = await create('/groups', ada, { name: 'Below', path: 'below', parent_id: top.id });
      const project = await create('/projects', ada, { name: 'Deep', namespace_id: below.id });
      await create('/groups', ada, { name: 'Beside', path: 'before-all' });
      expect(await statusFor(ada, `/groups/${top.id}`, 'PUT', { path: 'after', name: 'After' })).toBe(200);
      expect(await statusFor(ada, '/projects/after%2Fbelow%2Fdeep')).toBe(200);
      // It leads on to what is there now.
      expect((await service.call('GET', '/projects/before%2Fbelow%2Fdeep', { token: ada.token })).body).toMatchObject({
        path_with_namespace: 'after/below/deep',
      });
      expect(await statusFor(ada, '/groups/before-all')).toBe(200);
      expect((await service.call('GET', `/projects/${project.id}`, { token: ada.token })).body).toMatchObject({
        path_with_namespace: 'after/below/deep',
        name_with_namespace: 'After / Below / Deep',
        namespace: { name: 'Below', full_path: 'after/below' },
      });
      expect((await service.call('GET', `/groups/${below.id}`, { token: ada.token })).body).toMatchObject({
        full_name: 'After / Below',
      });
    });
  });

  describe('a project', () => {
    it('tells clients what it has and where, in lists too', async () => {
      const { id } = await create('/projects', ada, { name: 'Described', visibility: 'public' });
      const issue = (json: object) => statusFor(ada, `/projects/${id}/issues`, 'POST', json);
      expect([await issue({ title: 'One' }), await issue({ title: 'Two', confidential: true })]).toEqual([201, 201]);
      expect([await issue({ title: 'Three' })]).toEqual([201]);
      expect(await statusFor(ada, `/projects/${id}/issues/3`, 'PUT', { state_event: 'close' })).toBe(200);
      const at = (path: string) => expect.stringMatching(`/api/v4/projects/${id}${path}$`);
      const told = {
        topics: [],
        tag_list: [],
        readme_url: null,
        empty_repo: true,
        creator_id: ada.id,
        issues_enabled: true,
        merge_requests_enabled: true,
        snippets_enabled: true,
        wiki_enabled: false,
        jobs_enabled: true,
        container_registry_enabled: false,
        issues_access_level: 'enabled',
        merge_requests_access_level: 'enabled',
        repository_access_level: 'enabled',
        builds_access_level: 'enabled',
        mirror: false,
        request_access_enabled: true,
        shared_runners_enabled: true,
        public_jobs: true,
        build_git_strategy: 'fetch',
        build_timeout: 3_600,
        ci_default_git_depth: 20,
        ci_config_path: null,
        suggestion_commit_message: null,
        merge_commit_template: null,
        squash_commit_template: null,
        _links: {
          self: at(''),
          issues: at('/issues'),
          merge_requests: at('/merge_requests'),
          repo_branches: at('/repository/branches'),
          labels: at('/labels'),
          events: at('/events'),
          members: at('/members'),
        },
        namespace: { kind: 'user', path: 'ada', full_path: 'ada', parent_id: null, web_url: expect.any(String) },
        owner: { username: 'ada' },
      };
      for (const [who, open] of [
        [ada, 2],
        [root, 2],
        [grace, 1],
      ] as const) {
        const { token } = who;
        const { body } = await service.call('GET', `/projects/${id}`, { token });
        expect(body).toMatchObject({ ...told, open_issues_count: open });
        const { body: list } = await service.call('GET', '/projects?search=described', { token });
        expect(list).toMatchObject([{ ...told, open_issues_count: open }]);
      }
    });

    it('in a namespace of one’s own has its owner as a member and tells them so', async () => {
      const { id } = await create('/projects', ada, { name: 'Owned', visibility: 'public' });
      const { body } = await service.call('GET', `/projects/${id}`, { token: ada.token });
      expect(body).toMatchObject({ permissions: { project_access: { access_level: 50 }, group_access: null } });
      for (const { token } of [ada, grace]) {
        const { body: all } = await service.call('GET', `/projects/${id}/members/all`, { token });
        expect(all).toMatchObject([{ id: ada.id, username: 'ada', access_level: 50, expires_at: null }]);
      }
      expect(await statusFor(grace, `/projects/${id}/members/all/${ada.id}`)).toBe(200);
      expect((await service.call('GET', `/projects/${id}/members`, { token: ada.token })).body).toEqual([]);
    });

    it('tells in lists what the caller may do there, as where it is shown alone', async () => {
      const { id: namespace_id } = await create('/groups', ada, {
        name: 'Told rights',
        path: 'told-rights',
        visibility: 'public',
      });
      const own = await create('/projects', ada, { name: 'Told rights own', visibility: 'public' });
      const grouped = await create('/projects', ada, {
        name: 'Told rights grouped',
        visibility: 'public',
        namespace_id,
      });
      const joined = { user_id: grace.id, access_level: 30 };
      expect(await statusFor(ada, `/projects/${own.id}/members`, 'POST', joined)).toBe(201);
      expect(await statusFor(ada, `/projects/${grouped.id}/members`, 'POST', joined)).toBe(201);
      const fork = await service.call<Named>('POST', `/projects/${own.id}/fork`, { token: grace.token });
      expect(fork.status).toBe(201);
      const lists: [string, readonly Named[]][] = [
        ['/projects?search=told%20rights', [own, grouped]],
        ['/users/ada/projects?search=told%20rights', [own]],
        [`/groups/${namespace_id}/projects`, [grouped]],
        [`/projects/${own.id}/forks`, [fork.body]],
      ];
      for (const { token } of [ada, grace, root])
        for (const [list, expected] of lists) {
          const { body } = await service.call<(Named & { permissions: unknown })[]>('GET', list, { token });
          expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining(expected.map(({ id }) => id)));
          for (const { id, permissions } of body) {
            const { body: alone } = await service.call<{ permissions: unknown }>('GET', `/projects/${id}`, { token });
            expect([list, permissions]).toEqual([list, alone.permissions]);
          }
          for (const less of [await service.call('GET', list), await service.call('GET', withSimple(list), { token })])
            expect(less.body).toEqual(
              expect.not.arrayContaining([expect.objectContaining({ permissions: expect.anything() })]),
            );
        }
      const [asMember] = (
        await service.call<object[]>('GET', `/groups/${namespace_id}/projects`, { token: grace.token })
      ).body;
      expect(asMember).toMatchObject({ permissions: { project_access: { access_level: 30 }, group_access: null } });
    });
  });

  describe('namespaces', () => {
    interface Shown {
      readonly id: number;
      readonly kind: string;
      readonly full_path: string;
    }
    let secret: Named;
    let secretBelow: Named;
    let open: Named;
    const ask = async <Body = Shown>(who: TestUser | undefined, path: string) => {
      const token = who === undefined ? {} : { token: who.token };
      const { status, body } = await service.call<Body>('GET', `/namespaces${path}`, token);
      return { status, body };
    };
    const pathsFor = async (who: TestUser, query: string) =>
      (await ask<Shown[]>(who, `?search=spaced&${query}`)).body.map(({ full_path }) => full_path);

    beforeAll(async () => {
      await service.addUser('spaced-user');
      secret = await create('/groups', ada, { name: 'Spaced secret', path: 'spaced-secret', visibility: 'private' });
      secretBelow = await create('/groups', ada, { name: 'Below', path: 'below', parent_id: secret.id });
      open = await create('/groups', ada, { name: 'Spaced open', path: 'spaced-open', visibility: 'public' });
      const json = { user_id: grace.id, access_level: 30 };
      await service.call('POST', `/groups/${secretBelow.id}/members`, { token: ada.token, json });
    });

    it('are listed as far as the caller is a member of them, to administrators all', async () => {
      expect(await pathsFor(ada, '')).toEqual(['spaced-secret', 'spaced-secret/below', 'spaced-open']);
      expect(await pathsFor(grace, '')).toEqual(['spaced-secret/below']);
      expect(await pathsFor(grace, 'owned_only=true')).toEqual([]);
      expect(await pathsFor(root, '')).toEqual(['spaced-user', 'spaced-secret', 'spaced-secret/below', 'spaced-open']);
      expect(await pathsFor(root, 'owned_only=true')).toEqual([]);
      expect((await ask<Shown[]>(grace, '?search=grace&owned_only=true')).body).toMatchObject([
        { kind: 'user', path: 'grace', full_path: 'grace', parent_id: null, web_url: `${service.url}/grace` },
      ]);
      expect((await ask(undefined, '')).status).toBe(401);
    });

    it('are found by id and path, but not those of other people and their private groups', async () => {
      const encoded = encodeURIComponent('Spaced-Secret/below');
      for (const name of [secretBelow.id, encoded])
        expect(await ask(grace, `/${name}`)).toMatchObject({
          status: 200,
          body: { id: secretBelow.id, kind: 'group', full_path: 'spaced-secret/below', parent_id: secret.id },
        });
      expect((await ask(grace, '/spaced-open')).status).toBe(200);
      const own = (await ask(grace, '/grace')).body;
      expect(own).toMatchObject({ kind: 'user', full_path: 'grace' });
      const notFound = { status: 404, body: { message: '404 Namespace Not Found' } };
      for (const name of [secret.id, 'spaced-secret', 'spaced-user', 'never', 999_999, 0])
        expect([name, await ask(grace, `/${name}`)]).toEqual([name, notFound]);
      expect((await ask(root, `/${own.id}`)).body).toEqual(own);
    });

    it('are told to exist where their name is taken, with one that is free', async () => {
      await create('/groups', ada, { name: 'Next', path: 'spaced-secret1', visibility: 'private' });
      const exists = async (who: TestUser, path: string) => (await ask(who, path)).body;
      expect(await exists(grace, '/Spaced-Secret/exists')).toEqual({ exists: true, suggests: ['Spaced-Secret2'] });
      expect(await exists(grace, '/spaced-user/exists')).toEqual({ exists: true, suggests: ['spaced-user1'] });
      const none = { exists: false, suggests: [] };
      expect(await exists(grace, '/spaced-never/exists')).toEqual(none);
      expect(await exists(ada, `/below/exists?parent_id=${secret.id}`)).toEqual({ exists: true, suggests: ['below1'] });
      expect(await exists(ada, `/below/exists?parent_id=${open.id}`)).toEqual(none);
      expect(await exists(ada, '/below/exists?parent_id=999999')).toEqual(none);
      // Nobody learns what is in groups that they don't see.
      const eve = await service.addUser('spaced-eve');
      expect(await exists(eve, `/below/exists?parent_id=${secret.id}`)).toEqual(none);
      expect(await exists(eve, `/${encodeURIComponent('spaced-secret/below')}/exists`)).toEqual(none);
      expect((await ask(grace, '/x/exists?parent_id=none')).status).toBe(400);
      expect((await ask(undefined, '/x/exists')).status).toBe(401);
    });
  });

  describe('members', () => {
    it('have the highest of their levels, direct or inherited, while it has not ended', async () => {
      const top = await create('/groups', ada, { name: 'Levels', path: 'levels' });
      const below = await create('/groups', ada, { name: 'Inner', path: 'inner', parent_id: top.id });
      const project = await create('/projects', ada, { name: 'Leveled', namespace_id: below.id });
      const url = `/projects/${project.id}`;
      const tomorrow = new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
      await service.call('POST', `/groups/${top.id}/members`, {
        token: ada.token,
        json: { user_id: grace.id, access_level: 40, expires_at: tomorrow },
      });
      expect(await statusFor(grace, url, 'PUT', { description: 'by a maintainer' })).toBe(200);
      await service.call('POST', `${url}/members`, { token: ada.token, json: { user_id: grace.id, access_level: 10 } });
      expect((await service.call('GET', `${url}/members/all/${grace.id}`, { token: ada.token })).body).toMatchObject({
        access_level: 40,
      });
      expect((await service.call('GET', `${url}/members/${grace.id}`, { token: ada.token })).body).toMatchObject({
        access_level: 10,
      });
      service.clock.advance(2 * 86_400_000);
      expect(await statusFor(grace, url, 'PUT', { description: 'no longer' })).toBe(403);
      expect((await service.call('GET', `${url}/members/all/${grace.id}`, { token: ada.token })).body).toMatchObject({
        access_level: 10,
      });
      expect(await service.service.container.get(WORKSPACE_TOKENS.workspace).members.removeExpired()).toBe(1);
    });

    it('are narrowed to some people by their ids', async () => {
      const group = await create('/groups', ada, { name: 'Narrowed', path: 'narrowed' });
      const json = { user_id: grace.id, access_level: 10 };
      await service.call('POST', `/groups/${group.id}/members`, { token: ada.token, json });
      const seen = async (path: string) =>
        (await service.call<{ id: number }[]>('GET', `/groups/${group.id}/${path}`, { token: ada.token })).body.map(
          ({ id }) => id,
        );
      for (const members of ['members', 'members/all']) {
        expect(await seen(`${members}?user_ids[]=${grace.id}`)).toEqual([grace.id]);
        expect(await seen(`${members}?user_ids=${ada.id},${grace.id}`)).toEqual([ada.id, grace.id]);
        expect(await seen(`${members}?user_ids[]=${grace.id}&query=ada`)).toEqual([]);
      }
    });

    it('are listed as people, those of the groups above too, but not those of groups that the caller may not see', async () => {
      const top = await create('/groups', ada, { name: 'Crew', path: 'crew', visibility: 'private' });
      const project = await create('/projects', ada, { name: 'Ship', namespace_id: top.id });
      const url = `/projects/${project.id}/users`;
      expect(await statusFor(grace, url)).toBe(404);
      expect(await statusFor(undefined, url)).toBe(401);
      const json = { user_id: grace.id, access_level: 10 };
      await service.call('POST', `/projects/${project.id}/members`, { token: ada.token, json });
      const seen = async (who: TestUser, query = '') =>
        (await service.call<{ username: string }[]>('GET', `${url}?${query}`, { token: who.token })).body.map(
          ({ username }) => username,
        );
      expect(await seen(ada)).toEqual(['ada', 'grace']);
      expect(await seen(grace)).toEqual(['grace']);
      expect(await seen(ada, 'search=RAC')).toEqual(['grace']);
      expect(await seen(ada, `skip_users[]=${grace.id}`)).toEqual(['ada']);
      expect(await seen(ada, `skip_users=${grace.id},${ada.id}`)).toEqual([]);
      expect(await statusFor(ada, `${url}?skip_users[]=grace`)).toBe(400);
      const { body, headers } = await service.call('GET', `${url}?per_page=1`, { token: ada.token });
      expect(body).toEqual([
        {
          id: ada.id,
          username: 'ada',
          name: expect.any(String),
          state: 'active',
          avatar_url: null,
          web_url: `${service.url}/ada`,
        },
      ]);
      expect([headers.get('x-total'), headers.get('x-next-page')]).toEqual(['2', '2']);
    });

    it('are refused with 409 when they are there and with 400 when anything is wrong, never 422', async () => {
      const { id } = await create('/projects', ada, { name: 'Refusing' });
      const add = async (json: Record<string, unknown>) => {
        const { status, body } = await service.call('POST', `/projects/${id}/members`, { token: ada.token, json });
        return [status, body];
      };
      expect((await add({ user_id: grace.id, access_level: 30 }))[0]).toBe(201);
      expect(await add({ user_id: grace.id, access_level: 30 })).toEqual([409, { message: 'Member already exists' }]);
      expect(await add({ access_level: 30 })).toEqual([400, { error: 'user_id is missing' }]);
      expect(await add({ user_id: root.id, access_level: 50 })).toEqual([
        400,
        { message: { access_level: ['is not included in the list'] } },
      ]);
      expect(await add({ user_id: root.id, access_level: 30, expires_at: '2020-01-01' })).toEqual([
        400,
        { message: { expires_at: ['cannot be a date in the past'] } },
      ]);
      expect(await add({ user_id: root.id, access_level: 30, expires_at: 'soon' })).toEqual([
        400,
        { error: 'expires_at is invalid' },
      ]);
      expect(await add({ user_id: 999_999, access_level: 30 })).toEqual([404, { message: '404 User Not Found' }]);
      const changed = await service.call('PUT', `/projects/${id}/members/${grace.id}`, {
        token: ada.token,
        json: { access_level: 7 },
      });
      expect(changed.status).toBe(400);
    });

    it('may leave, but not the last owner of a group; nobody gives away more than he has', async () => {
      const group = await create('/groups', ada, { name: 'Owned', path: 'owned-group' });
      expect(await statusFor(ada, `/groups/${group.id}/members/${ada.id}`, 'DELETE')).toBe(400);
      await service.call('POST', `/groups/${group.id}/members`, {
        token: ada.token,
        json: { user_id: grace.id, access_level: 40 },
      });
      const project = await create('/projects', ada, { name: 'In owned', namespace_id: group.id });
      expect(
        await statusFor(grace, `/projects/${project.id}/members`, 'POST', { user_id: root.id, access_level: 40 }),
      ).toBe(201);
      expect(
        await statusFor(grace, `/groups/${group.id}/members`, 'POST', { user_id: root.id, access_level: 10 }),
      ).toBe(403);
      expect(await statusFor(grace, `/groups/${group.id}/members/${grace.id}`, 'DELETE')).toBe(204);
    });
  });

  describe('a project that is shared with a group', () => {
    let owner: TestUser;
    let keeper: TestUser;
    let serial = 0;
    const people = new Map<string, TestUser>();

    beforeAll(async () => {
      [owner, keeper] = [await service.addUser('owner'), await service.addUser('keeper')];
      for (const name of ['above', 'within', 'below']) people.set(name, await service.addUser(name));
    });

    const join = async (kind: 'groups' | 'projects', id: number, who: TestUser, level: number, by = keeper) =>
      expect(await statusFor(by, `/${kind}/${id}/members`, 'POST', { user_id: who.id, access_level: level })).toBe(201);

    /** A private project of one person, and private groups of another, one in the other: each with a developer. */
    const begin = async () => {
      const name = `shared-${(serial += 1)}`;
      const project = await create('/projects', owner, { name });
      const top = await create('/groups', keeper, { name: `Top ${name}`, path: `top-${name}` });
      const group = await create('/groups', keeper, { name: `Team ${name}`, path: 'team', parent_id: top.id });
      const lower = await create('/groups', keeper, { name: `Lower ${name}`, path: 'lower', parent_id: group.id });
      for (const [who, place] of [
        ['above', top],
        ['within', group],
        ['below', lower],
      ] as const)
        await join('groups', place.id, people.get(who)!, 30);
      return { name, project, top, group, lower };
    };
    type Begun = Awaited<ReturnType<typeof begin>>;

    const share = (project: number, json: object, who = owner) =>
      service.call<Record<string, unknown>>('POST', `/projects/${project}/share`, { token: who.token, json });
    const unshare = (project: number, group: number | string, who = owner) =>
      service.call('DELETE', `/projects/${project}/share/${group}`, { token: who.token });
    const seenBy = async (project: number) => {
      const seen: string[] = [];
      for (const [name, who] of people) if ((await statusFor(who, `/projects/${project}`)) === 200) seen.push(name);
      return seen;
    };
    /** Shared by the owner, who sees the group as a guest of it. */
    const begun = async (group_access = 20, more: object = {}): Promise<Begun> => {
      const made = await begin();
      await join('groups', made.group.id, owner, 10);
      expect((await share(made.project.id, { group_id: made.group.id, group_access, ...more })).status).toBe(201);
      return made;
    };
    const tomorrow = () => new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);

    it('opens to members of the group and of those above it, with the lower of two levels', async () => {
      const { name, project, group } = await begun(20);
      expect(await seenBy(project.id)).toEqual(['above', 'within']);
      for (const who of ['above', 'within'].map((each) => people.get(each)!)) {
        expect(await namesSeenBy(who, `search=${name}&membership=true&min_access_level=20`)).toEqual([name]);
        expect(await namesSeenBy(who, `search=${name}&min_access_level=30`)).toEqual([]);
        // Milestones are for developers, who they are in the group alone.
        expect(await statusFor(who, `/projects/${project.id}/milestones`, 'POST', { title: 'Early' })).toBe(403);
        expect(
          await statusFor(who, `/projects/${project.id}/labels`, 'POST', { name: who.username, color: '#000000' }),
        ).toBe(201);
      }
      expect(await namesSeenBy(people.get('below'), `search=${name}`)).toEqual([]);
      const { body } = await service.call('GET', `/projects/${project.id}`, { token: people.get('above')!.token });
      expect(body).toMatchObject({
        // Of the group they see what they are members of.
        shared_with_groups: [
          {
            group_id: group.id,
            group_name: `Team ${name}`,
            group_full_path: `top-${name}/team`,
            group_access_level: 20,
            expires_at: null,
          },
        ],
        permissions: { project_access: { access_level: 20 } },
      });
      // Where the link gives more than the group does, the group decides.
      const high = await begun(40);
      expect(
        await statusFor(people.get('within'), `/projects/${high.project.id}/milestones`, 'POST', { title: 'Now' }),
      ).toBe(201);
      expect(await statusFor(people.get('within'), `/projects/${high.project.id}/share/1`, 'DELETE')).toBe(403);
    });

    it('lists their members among all members, with what they have and until when', async () => {
      const until = tomorrow();
      const { project } = await begun(20, { expires_at: until });
      const all = await service.call<{ username: string; access_level: number; expires_at: string | null }[]>(
        'GET',
        `/projects/${project.id}/members/all`,
        { token: people.get('above')!.token },
      );
      expect(all.body.map((each) => [each.username, each.access_level, each.expires_at]).sort()).toEqual([
        ['above', 20, until],
        ['keeper', 20, until],
        ['owner', 50, null],
        ['within', 20, until],
      ]);
      const direct = await service.call<unknown[]>('GET', `/projects/${project.id}/members`, { token: owner.token });
      expect(direct.body).toEqual([]);
      // The owner sees the group, and not the one above it.
      const seen = await service.call<{ username: string }[]>('GET', `/projects/${project.id}/members/all`, {
        token: owner.token,
      });
      expect(seen.body.map(({ username }) => username).sort()).toEqual(['owner', 'within']);
    });

    it('answers what was shared, and refuses what can not be', async () => {
      const { project, group } = await begin();
      await join('groups', group.id, owner, 10);
      const terms = { group_id: group.id, group_access: 30 };
      const told = async (json: object, who = owner) => {
        const { status, body } = await share(project.id, json, who);
        return [status, body];
      };
      expect(await told({ ...terms, group_access: 50 })).toEqual([
        400,
        { message: { group_access: ['is not included in the list'] } },
      ]);
      expect(await told({ ...terms, group_access: 35 })).toEqual([400, expect.anything()]);
      expect(await told({ group_access: 30 })).toEqual([400, { error: 'group_id is missing' }]);
      expect(await told({ group_id: group.id })).toEqual([400, { error: 'group_access is missing' }]);
      expect(await told({ ...terms, expires_at: '2020-01-01' })).toEqual([
        400,
        { message: { expires_at: ['cannot be a date in the past'] } },
      ]);
      expect(await told({ ...terms, group_id: 999_999 })).toEqual([404, { message: '404 Not Found' }]);
      const expires_at = tomorrow();
      expect(await told({ ...terms, expires_at })).toEqual([
        201,
        { id: expect.any(Number), project_id: project.id, ...terms, expires_at },
      ]);
      expect(await told(terms)).toEqual([409, { message: 'The project is shared with this group already' }]);
      expect((await unshare(project.id, group.id)).status).toBe(204);
      for (const missing of [group.id, 999_999, 'team'])
        expect(await unshare(project.id, missing)).toMatchObject({
          status: 404,
          body: { message: '404 Group Link Not Found' },
        });
    });

    it('is for maintainers, who share with groups that they see and gain nothing by it', async () => {
      const { project, group, top } = await begin();
      const maintainer = await service.addUser(`maintainer-${serial}`);
      const terms = { group_id: group.id, group_access: 40 };
      expect(await share(project.id, terms, maintainer)).toMatchObject({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
      await join('projects', project.id, maintainer, 30, owner);
      expect((await share(project.id, terms, maintainer)).status).toBe(403);
      expect((await unshare(project.id, group.id, maintainer)).status).toBe(403);
      await service.call('PUT', `/projects/${project.id}/members/${maintainer.id}`, {
        token: owner.token,
        json: { access_level: 40 },
      });
      // A group that isn't theirs to see is answered as one that isn't there, before its terms are looked at.
      for (const json of [terms, { ...terms, group_access: 7 }, { ...terms, group_id: top.id }])
        expect([(await share(project.id, json, maintainer)).body, json]).toEqual([{ message: '404 Not Found' }, json]);
      const own = await create('/groups', maintainer, { name: 'Own', path: `own-${serial}` });
      expect((await share(project.id, { group_id: own.id, group_access: 50 }, maintainer)).status).toBe(400);
      expect((await share(project.id, { group_id: own.id, group_access: 40 }, maintainer)).status).toBe(201);
      // They own the group, and are a maintainer here as before.
      expect(await statusFor(maintainer, `/projects/${project.id}`, 'DELETE')).toBe(403);
      expect(await namesSeenBy(maintainer, 'owned=true')).toEqual([]);
      // And who is removed has no more than the group leaves them.
      await service.call('DELETE', `/projects/${project.id}/members/${maintainer.id}`, { token: owner.token });
      expect(await statusFor(maintainer, `/projects/${project.id}`)).toBe(200);
      expect((await unshare(project.id, own.id)).status).toBe(204);
      expect(await statusFor(maintainer, `/projects/${project.id}`)).toBe(404);
    });

    it('tells of groups to those alone who may see them', async () => {
      const { project, group } = await begun();
      const guest = await service.addUser(`guest-${serial}`);
      await join('projects', project.id, guest, 40, owner);
      const { body } = await service.call('GET', `/projects/${project.id}`, { token: guest.token });
      expect(body).toMatchObject({ shared_with_groups: [] });
      const members = await service.call<{ username: string }[]>('GET', `/projects/${project.id}/members/all`, {
        token: guest.token,
      });
      expect(members.body.map(({ username }) => username).sort()).toEqual([guest.username, 'owner'].sort());
      // And who manages members takes away what they can't see.
      expect((await unshare(project.id, group.id, guest)).status).toBe(204);
    });

    it('is in the groups that hold it, beside which those are listed that it is shared with, as far as the caller sees them', async () => {
      const { project, top, group } = await begun(20);
      const inside = await create('/projects', keeper, { name: 'Inside', namespace_id: group.id });
      const open = await create('/groups', root, {
        name: `Open ${serial}`,
        path: `open-${serial}`,
        visibility: 'public',
      });
      expect((await share(inside.id, { group_id: open.id, group_access: 30 }, keeper)).status).toBe(201);
      const listed = async (id: number, who: TestUser, query = '') => {
        const { body } = await service.call<Named[]>('GET', `/projects/${id}/groups?${query}`, { token: who.token });
        return body.map((each) => each.id);
      };
      expect(await listed(inside.id, keeper)).toEqual([group.id, top.id]);
      expect(await listed(inside.id, people.get('within')!)).toEqual([group.id]);
      expect(await listed(inside.id, keeper, 'search=team')).toEqual([group.id]);
      expect(await listed(inside.id, keeper, `search=top shared&skip_groups=${group.id}`)).toEqual([top.id]);
      expect(await listed(inside.id, keeper, 'with_shared=true&shared_min_access_level=30')).toEqual([
        open.id,
        group.id,
        top.id,
      ]);
      expect(await listed(inside.id, keeper, 'with_shared=true&shared_min_access_level=40')).toEqual([
        group.id,
        top.id,
      ]);
      // A project in a namespace of one's own is in no group.
      expect(await listed(project.id, owner)).toEqual([]);
      expect(await listed(project.id, owner, 'with_shared=1&shared_visible_only=1')).toEqual([group.id]);
      const guest = await service.addUser(`looker-${serial}`);
      await join('projects', project.id, guest, 10, owner);
      expect(await listed(project.id, guest, 'with_shared=true')).toEqual([]);
      expect(await statusFor(people.get('below'), `/projects/${project.id}/groups`)).toBe(404);
    });

    it('is closed to them at once when it is shared no longer, and when it is moved', async () => {
      const ended = await begun();
      expect((await unshare(ended.project.id, ended.group.id)).status).toBe(204);
      expect(await seenBy(ended.project.id)).toEqual([]);
      const moved = await begun();
      const target = await create('/groups', owner, { name: 'Target', path: `target-${serial}` });
      expect(
        await statusFor(owner, `/projects/${moved.project.id}/transfer`, 'PUT', { namespace: String(target.id) }),
      ).toBe(200);
      expect(await seenBy(moved.project.id)).toEqual([]);
      expect((await share(moved.project.id, { group_id: target.id, group_access: 20 })).body).toEqual({
        message: 'This group holds the project already',
      });
    });

    it('is closed to them at once when a group that holds theirs is removed', async () => {
      const { project, top } = await begun();
      await service.service.container.get(TOKENS.jobLoop).stop();
      expect(await statusFor(keeper, `/groups/${top.id}`, 'DELETE')).toBe(202);
      expect(await seenBy(project.id)).toEqual([]);
      const rows = await service.service.database.reader
        .query('project_group_links')
        .where({ project_id: project.id as ProjectId });
      expect(rows).toEqual([]);
    });

    it('is closed to them on the day on which that ends, and can be shared anew', async () => {
      const { project, group } = await begun(20, { expires_at: tomorrow() });
      expect(await seenBy(project.id)).toEqual(['above', 'within']);
      service.clock.advance(86_400_000);
      expect(await seenBy(project.id)).toEqual([]);
      const { body } = await service.call('GET', `/projects/${project.id}`, { token: owner.token });
      expect(body).toMatchObject({ shared_with_groups: [] });
      const all = await service.call<unknown[]>('GET', `/projects/${project.id}/members/all`, { token: owner.token });
      expect(all.body).toHaveLength(1);
      expect((await share(project.id, { group_id: group.id, group_access: 20 })).status).toBe(201);
      expect(await seenBy(project.id)).toEqual(['above', 'within']);
    });

    it('ends where it has ended, which the clean-up takes away', async () => {
      const { project } = await begun(20, { expires_at: tomorrow() });
      service.clock.advance(86_400_000);
      await service.service.container.get(WORKSPACE_TOKENS.workspace).groupLinks.removeExpired();
      const rows = await service.service.database.reader
        .query('project_group_links')
        .where({ project_id: project.id as ProjectId });
      expect(rows).toEqual([]);
    });

    it('is shared with a hundred groups at most, also where many are added at once', async () => {
      const { project, top } = await begin();
      const { database } = service.service;
      const at = database.reader.dialect.writeInstant(new Date(0));
      const groups = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          create('/groups', owner, { name: `One ${index}`, path: `one-${serial}-${index}` }),
        ),
      );
      const fields = { kind: 'group', parent_id: top.id as GroupId, description: '', visibility: 'private' as const };
      const names = Array.from({ length: 99 }, (_, index) => `many-${serial}-${index}`);
      const rows = names.map((name) => ({
        ...{ ...fields, name, name_key: name, path: name, full_path: name, full_path_key: name, full_name: name },
        ...{ created_at: at, updated_at: at },
      }));
      await database.schema.batchInsert('namespaces', rows, 100);
      const made = await database.schema('namespaces').whereIn('name', names).select('id');
      const links = made.map(({ id }: { id: number }) => ({
        ...{ project_id: project.id, group_id: id, access_level: 10, created_at: at },
      }));
      await database.schema.batchInsert('project_group_links', links, 100);
      const answers = await Promise.all(groups.map(({ id }) => share(project.id, { group_id: id, group_access: 30 })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
      expect(answers.find(({ status }) => status === 422)?.body).toEqual({
        message: 'A project is shared with at most 100 groups',
      });
    });

    it('is shared with one group once, also where many ask at once', async () => {
      const { project, group } = await begin();
      await join('groups', group.id, owner, 10);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => share(project.id, { group_id: group.id, group_access: 30 })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    });

    it('is not shared by who managed it where it was, while it goes elsewhere', async () => {
      const { project, group } = await begin();
      await join('groups', group.id, owner, 10);
      const { access, groupLinks } = service.service.container.get(WORKSPACE_TOKENS.workspace);
      const { id, username } = owner;
      const actor = { kind: 'user', id, username, admin: false, credential: { kind: 'session' } } as const;
      const manager = await access.project(actor, String(project.id), 'manage_project_members');
      const seen = await access.group(actor, String(group.id), 'read_group');
      const target = await create('/groups', owner, { name: 'Elsewhere', path: `elsewhere-${serial}` });
      await statusFor(owner, `/projects/${project.id}/transfer`, 'PUT', { namespace: String(target.id) });
      await expect(groupLinks.share(manager, seen, { accessLevel: 20, expiresAt: null })).rejects.toThrow(
        'Project Not Found',
      );
    });
  });

  describe('removal', () => {
    it('answers 202, hides at once, frees the name, and survives a restart', async () => {
      const victim = await create('/projects', ada, { name: 'Doomed' });
      await service.service.container.get(TOKENS.jobLoop).stop();
      const { status, body } = await service.call('DELETE', `/projects/${victim.id}`, { token: ada.token });
      expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
      expect(await statusFor(ada, `/projects/${victim.id}`)).toBe(404);
      await create('/projects', ada, { name: 'Doomed' });
      const rows = (of: TestService) =>
        of.service.database.reader.query('projects').where({ id: victim.id as ProjectId });
      expect(await rows(service)).toHaveLength(1);
      await service.close();
      service = await TestService.start(databaseUrl);
      // The clock of this test has been moved before.
      service.clock.advance(7 * 86_400_000);
      await service.service.container.get(TOKENS.jobRunner).runDue();
      await until(async () => (await rows(service)).length === 0);
    });

    it('of a group takes everything inside with it', async () => {
      const group = await create('/groups', ada, { name: 'Falling', path: 'falling' });
      const below = await create('/groups', ada, { name: 'Lower', path: 'lower', parent_id: group.id });
      const project = await create('/projects', ada, { name: 'Lowest', namespace_id: below.id });
      expect(await statusFor(ada, `/groups/${group.id}`, 'DELETE')).toBe(202);
      for (const path of [`/groups/${group.id}`, `/groups/${below.id}`, `/projects/${project.id}`]) {
        expect([path, await statusFor(root, path)]).toEqual([path, 404]);
      }
      const rows = () => service.service.database.reader.query('projects').where({ id: project.id as ProjectId });
      await until(async () => (await rows()).length === 0);
    });
  });
});
