import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface Change {
  readonly release: string;
  readonly before: string;
  readonly after: string;
  readonly description: string;
}

interface Gone {
  readonly error: string;
  readonly migration: readonly Change[];
}

interface OldRequest {
  readonly form?: Record<string, string>;
  readonly json?: unknown;
}

const GONE = 'API V3 is no longer supported. Use API V4 instead.';

/** The old request, below `/api/v3`; its address below `/api/v4`, or null where there is none; words of the change that it must be told; what it sends. */
type Row = readonly [old: string, link: string | null, told: RegExp, sends?: OldRequest];

const OF_8_17: readonly Row[] = [
  ['GET /projects/mercury', '/projects?search=mercury', /`search` is a filter/],
  ['GET /projects/search/two%20words?page=2', '/projects?search=two+words&page=2', /`search` is a filter/],
  ['GET /projects/5/issues?iid=42', '/projects/5/issues?iids=42', /`iid` is removed/],
  [
    'GET /projects/5/merge_requests?iid[]=42&iid[]=43',
    '/projects/5/merge_requests?iids%5B%5D=42&iids%5B%5D=43',
    /merge requests is called `iids`/,
  ],
  ['GET /projects/merge_request/5', '/projects/merge_requests/5', /singular `merge_request`/],
  ['GET /projects/5/merge_request/42/commits', '/projects/5/merge_requests/42/commits', /singular `merge_request`/],
  ['GET /projects/5/snippets', '/projects/5/snippets', /`expires_at`/],
  ['GET /projects/5/snippets/7', '/projects/5/snippets/7', /`expires_at`/],
  ['GET /projects/5/keys', '/projects/5/deploy_keys', /`deploy_keys`/],
  ['GET /projects/a%2Fb/keys/9', '/projects/a%2Fb/deploy_keys/9', /`deploy_keys`/],
];

const MOVES_OF_9_0: readonly Row[] = [
  ['DELETE /projects/5/star', '/projects/5/unstar', /star is taken back/],
  ['POST /projects/fork/5', '/projects/5/fork', /forked comes first/],
  ['DELETE /todos', '/todos/mark_as_done', /all of them by one POST/],
  ['DELETE /todos/130', '/todos/130/mark_as_done', /A to-do is not deleted/],
  ['GET /projects/visible', '/projects', /One list of projects/],
  ['GET /projects/all?per_page=5', '/projects?per_page=5', /One list of projects/],
  ['GET /projects/owned', '/projects?owned=true', /Owned projects/],
  ['GET /projects/starred', '/projects?starred=true', /Starred projects/],
  ['DELETE /projects/5/deploy_keys/9/disable', '/projects/5/deploy_keys/9', /disable a deploy key/],
  ['PUT /users/7/block', '/users/7/block', /Blocking and unblocking/],
  ['PUT /users/7/unblock', '/users/7/unblock', /Blocking and unblocking/],
  ['GET /groups/owned', '/groups?owned=true', /Owned groups/],
  ['POST /projects/5/trigger/builds', '/projects/5/trigger/pipeline', /starts a pipeline/],
  [
    'GET /projects/5/repository/files?file_path=app/a.rb&ref=main',
    '/projects/5/repository/files/app%2Fa.rb?ref=main',
    /one URL-encoded segment/,
  ],
  [
    'GET /projects/5/repository/commits/c0ffee/blob?file_path=app/a.rb',
    '/projects/5/repository/files/app%2Fa.rb/raw?ref=c0ffee',
    /raw content of a file/,
  ],
  [
    'GET /projects/5/repository/blobs/a%2Fbranch?file_path=a.rb',
    '/projects/5/repository/files/a.rb/raw?ref=a%2Fbranch',
    /raw content of a file/,
  ],
  ['GET /projects/5/repository/commits/c0ffee/jobs', null, /no longer listed/],
];

const OTHERS_OF_9_0: readonly Row[] = [
  ...['licenses', 'gitignores', 'platform_ci_ymls', 'gitlab_ci_ymls', 'dockerfiles'].flatMap((type): Row[] => [
    [`GET /${type}`, `/templates/${type}`, /under `\/templates`/],
    [`GET /${type}/some-key`, `/templates/${type}/some-key`, /under `\/templates`/],
  ]),
  ['GET /projects', '/projects', /`membership=true`/],
  ['GET /projects/5/members', '/projects/5/members', /page headers/],
  ['GET /a/list/of/its/own?page=2', '/a/list/of/its/own?page=2', /page headers/],
  ['POST /environments/3/stop', '/environments/3/stop', /can be stopped/],
  ['POST /projects/5/environments/3/stop', '/projects/5/environments/3/stop', /can be stopped/],
  ['POST /projects/5/issues/42/subscription', '/projects/5/issues/42/subscribe', /two addresses, both POST/],
  ['DELETE /projects/5/labels/bug/subscription', '/projects/5/labels/bug/unsubscribe', /two addresses, both POST/],
  ['GET /projects/5/issues?labels=a,b', '/projects/5/issues?labels=a%2Cb', /an issue must have all/],
  ['GET /issues?labels=a,b', '/issues?labels=a%2Cb', /an issue must have all/],
  [
    'POST /projects/5/repository/branches?branch_name=next&ref=main',
    '/projects/5/repository/branches?branch=next&ref=main',
    /The parameter is renamed where branches/,
  ],
  [
    'POST /projects/5/repository/branches',
    '/projects/5/repository/branches',
    /The parameter is renamed where branches/,
    { form: { branch_name: 'next', ref: 'main' } },
  ],
  [
    'POST /projects/5/repository/commits',
    '/projects/5/repository/commits',
    /The parameter is renamed where branches/,
    { json: { branch_name: 'next', commit_message: 'More', actions: [] } },
  ],
  ...['POST', 'PUT', 'DELETE'].map((method): Row => [
    `${method} /projects/5/repository/files?branch_name=next`,
    '/projects/5/repository/files?branch=next',
    /The parameter is renamed where branches/,
  ]),
  ['DELETE /projects/5/repository/branches/next', '/projects/5/repository/branches/next', /in the answer of DELETE/],
  [
    'PUT /projects/5/merge_requests/42/merge',
    '/projects/5/merge_requests/42/merge',
    /renamed where merge requests are merged/,
    { json: { merge_when_build_succeeds: true } },
  ],
  [
    'POST /projects/5/merge_requests/42/cancel_merge_when_build_succeeds',
    '/projects/5/merge_requests/42/cancel_merge_when_pipeline_succeeds',
    /renamed where merge requests are merged/,
  ],
  [
    'POST /projects/5/merge_requests/42/cancel_merge_when_pipeline_succeeds?merge_when_build_succeeds=1',
    '/projects/5/merge_requests/42/cancel_merge_when_pipeline_succeeds?merge_when_pipeline_succeeds=1',
    /renamed where merge requests are merged/,
  ],
  ...['POST /projects', 'POST /projects/user/7', 'PUT /projects/5'].flatMap((request): Row[] => [
    [
      `${request}?merge_when_build_succeeds=true`,
      `${request.split(' ')[1]}?merge_when_pipeline_succeeds=true`,
      /renamed where merge requests are merged/,
    ],
    [`${request}?public=true`, `${request.split(' ')[1]}?visibility=public`, /`public` is ignored/],
    [request, request.split(' ')[1]!, /`public` is ignored/, { form: { public: 'true' } }],
  ]),
  ['PUT /groups/5?visibility_level=20', '/groups/5?visibility=public', /`visibility` is one of/],
  ['GET /projects/5/issues', '/projects/5/issues', /single issue or merge request only/],
  ['GET /issues', '/issues', /single issue or merge request only/],
  ['GET /projects/5/merge_requests', '/projects/5/merge_requests', /single issue or merge request only/],
  ['GET /projects/5/issues/42/notes', '/projects/5/issues/42/notes', /deprecated fields; award emoji/],
  ['GET /projects/5/snippets/7/notes/1', '/projects/5/snippets/7/notes/1', /deprecated fields; award emoji/],
  ['POST /projects/5/members', '/projects/5/members', /409 when they are a member/],
  ['PUT /groups/5/members/7', '/groups/5/members/7', /409 when they are a member/],
  ['DELETE /projects/5', '/projects/5', /202 Accepted/],
  ['DELETE /projects/5/repository/merged_branches', '/projects/5/repository/merged_branches', /202 Accepted/],
  ['GET /projects/5/milestones?iid[]=2', '/projects/5/milestones?iids%5B%5D=2', /milestones is called `iids`/],
  ['GET /projects/5/pipelines', '/projects/5/pipelines', /list tells the basics/],
  ['GET /projects/5/builds/8/trace', '/projects/5/jobs/8/trace', /Builds are called jobs/],
  ['PUT /projects/5?builds_enabled=true', '/projects/5?jobs_enabled=true', /Builds are called jobs/],
  ['POST /projects/5/triggers', '/projects/5/triggers', /requires `description`/],
  ['GET /projects/5/environments', '/projects/5/environments', /within an environment is simplified/],
  ['GET /projects/5/issues/42', '/projects/5/issues/42', /internal one \(`iid`\)/],
  ['POST /projects/5/merge_requests/42/todo', '/projects/5/merge_requests/42/todo', /internal one \(`iid`\)/],
  ['GET /projects/5/issues/42/award_emoji', '/projects/5/issues/42/award_emoji', /internal one \(`iid`\)/],
  ['POST /projects/5/issues/42/time_estimate', '/projects/5/issues/42/time_estimate', /internal one \(`iid`\)/],
  ['GET /projects/5/repository/commits?page=0', '/projects/5/repository/commits?page=1', /counted from 1/],
  ['GET /projects/5/repository/blobs/c0ffee', '/projects/5/repository/blobs/c0ffee', /answered as JSON/],
  ['GET /projects/5/repository/tree?ref_name=main', '/projects/5/repository/tree?ref=main', /tree is called `ref`/],
  ['POST /users?confirm=false', '/users?skip_confirmation=true', /`skip_confirmation` is its opposite/],
  ['POST /users', '/users', /`skip_confirmation` is its opposite/, { json: { username: 'ada', confirm: true } }],
];

describeEachDatabase('API V3', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let root: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    root = await service.addUser('root', { admin: true });
  });

  afterAll(() => service.close());

  const askOld = async (method: string, path: string, { form, json }: OldRequest = {}, headers = {}) => {
    const response = await fetch(`${service.url}/api/v3${path}`, {
      method,
      headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : (JSON.parse(text) as Gone),
    };
  };
  const linkTo = (path: string) => `<${service.url}/api/v4${path}>; rel="successor-version"`;
  const seen = new Set<string>();

  // As a rest: the runner would take a parameter that a row leaves out for its own callback.
  const tellsOf =
    (release: string) =>
    async (...[old, link, told, sends]: Row) => {
      const [method = '', path = ''] = old.split(' ');
      const { status, headers, body } = await askOld(method, path, sends);
      expect([status, body?.error, headers.get('link')]).toEqual([410, GONE, link === null ? null : linkTo(link)]);
      const change = body?.migration.find(({ description }) => told.test(description));
      expect(change).toEqual({
        release,
        before: expect.any(String),
        after: expect.any(String),
        description: expect.stringMatching(told),
      });
      seen.add(change?.before ?? '');
    };

  describe('tells of the changes in release 8.17:', () => {
    it.each(OF_8_17)('%s is now %s', tellsOf('8.17'));
  });

  describe('tells of the moves and removals in release 9.0:', () => {
    it.each(MOVES_OF_9_0)('%s is now %s', tellsOf('9.0'));
  });

  describe('tells of the other changes in release 9.0:', () => {
    it.each(OTHERS_OF_9_0)('%s is now %s', tellsOf('9.0'));

    it('which leaves no change out', async () => {
      const { body } = await service.call<Change[]>('GET', '/api_changes?per_page=100');
      expect(body.map(({ before }) => before).filter((before) => !seen.has(before))).toEqual([]);
      expect(body).toHaveLength(42);
    });
  });

  describe('answers', () => {
    it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('410 to %s', async (method) => {
      const { status, headers, body } = await askOld(method, '/whatever/there/was');
      expect([status, body]).toEqual([410, { error: GONE, migration: [] }]);
      expect(headers.get('content-type')).toBe('application/json');
      expect(headers.get('link')).toBe(linkTo('/whatever/there/was'));
    });

    it('410 to HEAD, without a body', async () => {
      const { status, headers, text } = await askOld('HEAD', '/projects/owned');
      expect([status, text, headers.get('link')]).toEqual([410, '', linkTo('/projects?owned=true')]);
    });

    it('204 to a browser that asks before it crosses origins, which may then read the answer', async () => {
      const { status } = await askOld('OPTIONS', '/projects', {}, { 'Access-Control-Request-Method': 'GET' });
      expect(status).toBe(204);
      const { headers } = await askOld('GET', '/projects');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('Link');
    });

    it('with the common headers of the API, whatever the token', async () => {
      const { headers: v4 } = await service.call('GET', '/nowhere');
      const { status, headers } = await askOld('GET', '/user', {}, { 'PRIVATE-TOKEN': 'nonsense' });
      expect(status).toBe(410);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      for (const name of ['cache-control', 'x-content-type-options', 'x-frame-options', 'vary']) {
        expect([name, headers.get(name)]).toEqual([name, v4.get(name)]);
      }
    });

    it('at /api/v3 itself, and nowhere beside it', async () => {
      expect((await askOld('GET', '')).headers.get('link')).toBe(linkTo(''));
      expect((await askOld('GET', '/?a=b')).headers.get('link')).toBe(linkTo('?a=b'));
      expect((await fetch(`${service.url}/api/v30/projects`)).status).toBe(404);
    });

    it('the same whatever the body is', async () => {
      const send = (type: string, body: string | Buffer) =>
        fetch(`${service.url}/api/v3/users`, { method: 'POST', headers: { 'Content-Type': type }, body });
      for (const [type, body] of [
        ['application/json', '{'],
        ['application/json', '[1,2]'],
        ['application/json', '"text"'],
        ['application/json', '['.repeat(30_000)],
        ['application/json', JSON.stringify({ padding: 'x'.repeat(200_000) })],
        ['application/x-www-form-urlencoded', 'a=1&'.repeat(2_000)],
        ['multipart/form-data', 'no boundary'],
        ['text/plain', 'confirm=true'],
        ['image/png', Buffer.alloc(100_000)],
      ] as const) {
        expect([type, (await send(type, body)).status]).toEqual([type, 410]);
      }
    });

    it('a request that means several changes with all of them, in the order in which they were made', async () => {
      const { body, headers } = await askOld('GET', '/projects/5/merge_request/42/notes?page=2');
      expect(headers.get('link')).toBe(linkTo('/projects/5/merge_requests/42/notes?page=2'));
      expect(body?.migration.map(({ release, after }) => [release, after])).toEqual([
        ['8.17', 'GET /projects/merge_requests/:id'],
        ['9.0', 'every list carries page headers'],
        ['9.0', 'neither'],
        ['9.0', 'issues and merge requests by their IID'],
      ]);
    });

    it('with a link that has no credential', async () => {
      const secrets = ['private_token', 'access_token', 'bearer_token', 'job_token', 'token', 'password'];
      const query = secrets.map((name) => `${name}=s3cret`).join('&');
      const { headers, text } = await askOld('GET', `/projects/owned?${query}&order_by=name`);
      expect(headers.get('link')).toBe(linkTo('/projects?owned=true&order_by=name'));
      expect(text).not.toContain('s3cret');
    });

    it('under one name in log and metrics', async () => {
      await askOld('GET', '/projects/secret-name');
      const lines = service.logger.lines.filter(({ fields }) => fields['route'] === '/api/v3');
      expect(lines.length).toBeGreaterThan(0);
      const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
      expect(metrics).toContain('route="/api/v3"');
      expect(metrics).not.toContain('secret-name');
    });
  });

  describe('the list of changes', () => {
    it('is paged with the usual headers, needs no token and is in the order of the releases', async () => {
      const { status, headers, body } = await service.call<Change[]>('GET', '/api_changes?per_page=6');
      expect([status, headers.get('x-total'), headers.get('x-next-page')]).toEqual([200, '42', '2']);
      expect(headers.get('link')).toContain('rel="next"');
      expect(new Set(body.map(({ release }) => release))).toEqual(new Set(['8.17']));
      expect(Object.keys(body[0]!)).toEqual(['release', 'before', 'after', 'description']);
    });

    it('is narrowed by release and by words', async () => {
      const find = async (query: string) =>
        (await service.call<Change[]>('GET', `/api_changes?per_page=100&${query}`)).body;
      expect(await find('release=8.17')).toHaveLength(6);
      expect(await find('release=9.0')).toHaveLength(36);
      expect((await find('search=MILESTONES')).map(({ release }) => release)).toEqual(['9.0']);
      expect(await find('release=8.17&search=milestones')).toEqual([]);
      expect(await find('release=10.0')).toEqual({
        error: 'release does not have a valid value',
        allowed: ['8.17', '9.0'],
      });
    });
  });

  describe('where V4 has the address, it behaves as the list says:', () => {
    let project: number;

    beforeAll(async () => {
      const { body } = await service.call<{ id: number }>('POST', '/projects', {
        token: ada.token,
        json: { name: 'Mercury', visibility: 'private' },
      });
      project = body.id;
      for (const title of ['first', 'second']) {
        await service.call('POST', `/projects/${project}/issues`, { token: ada.token, json: { title } });
      }
    });

    const asAda = <Body>(method: string, path: string, json?: unknown) =>
      service.call<Body>(method, path, { token: ada.token, ...(json === undefined ? {} : { json }) });
    const follow = async <Body>(old: string): Promise<Body> => {
      const { headers } = await askOld('GET', old);
      const address = /^<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      return (await (await fetch(address, { headers: { 'PRIVATE-TOKEN': ada.token } })).json()) as Body;
    };

    it('what a link leads to is what was asked for', async () => {
      for (const old of ['/projects/mercury', '/projects/owned', '/projects/visible']) {
        expect((await follow<{ name: string }[]>(old)).map(({ name }) => name)).toEqual(['Mercury']);
      }
      expect(await follow(`/projects/${project}/issues?iid=2`)).toMatchObject([{ title: 'second' }]);
      expect(await follow(`/projects/ada%2Fmercury/issues?iid[]=1`)).toMatchObject([{ title: 'first' }]);
    });

    it('`iid` is ignored by the list of issues', async () => {
      expect((await asAda<unknown[]>('GET', `/projects/${project}/issues?iid=1`)).body).toHaveLength(2);
      expect((await asAda<unknown[]>('GET', `/projects/${project}/issues?iid[]=1`)).body).toHaveLength(2);
    });

    it('`public` is ignored where a project is made or changed, and `visibility` is a word', async () => {
      const made = await asAda<{ id: number }>('POST', '/projects', { name: 'Venus', public: true });
      expect(made.body).toMatchObject({ visibility: 'private' });
      const path = `/projects/${made.body.id}`;
      expect((await asAda('PUT', path, { public: true, description: 'changed' })).body).toMatchObject({
        visibility: 'private',
        description: 'changed',
      });
      expect((await asAda('PUT', path, { visibility: '20' })).status).toBe(400);
      expect((await asAda('PUT', path, { visibility: 'public' })).body).toMatchObject({ visibility: 'public' });
      expect((await service.call<unknown[]>('GET', '/projects')).body).toMatchObject([{ name: 'Venus' }]);
    });

    it('lists of issues have no `subscribed`, and notes neither `upvote` nor `downvote`', async () => {
      for (const list of [`/projects/${project}/issues`, '/issues']) {
        const { body } = await asAda<object[]>('GET', list);
        expect(body.length).toBeGreaterThan(0);
        for (const issue of body) expect(issue).not.toHaveProperty('subscribed');
      }
      const notes = `/projects/${project}/issues/1/notes`;
      await asAda('POST', notes, { body: 'A note' });
      const { body } = await asAda<object[]>('GET', notes);
      expect(body).toHaveLength(1);
      expect(Object.keys(body[0]!)).not.toEqual(expect.arrayContaining(['upvote']));
      expect(Object.keys(body[0]!)).not.toEqual(expect.arrayContaining(['downvote']));
    });

    it('issues are addressed by their number within the project', async () => {
      const elsewhere = await asAda<{ id: number }>('POST', '/projects', { name: 'Mars' });
      const path = `/projects/${elsewhere.body.id}/issues`;
      const { body } = await asAda<{ id: number; iid: number }>('POST', path, { title: 'on Mars' });
      expect([body.iid, body.id > body.iid]).toEqual([1, true]);
      expect((await asAda('GET', `${path}/1`)).body).toMatchObject({ title: 'on Mars' });
      expect((await asAda('GET', `${path}/${body.id}`)).status).toBe(404);
    });

    it('a duplicate member is 409, and any other fault 400', async () => {
      const add = (json: unknown) => asAda('POST', `/projects/${project}/members`, json);
      expect((await add({ user_id: root.id, access_level: 30 })).status).toBe(201);
      expect((await add({ user_id: root.id, access_level: 30 })).status).toBe(409);
      expect((await add({ user_id: root.id, access_level: 31 })).status).toBe(400);
      expect((await asAda('PUT', `/projects/${project}/members/${root.id}`, {})).status).toBe(400);
    });

    it('PUT of block is 405, and POST blocks', async () => {
      const asRoot = (method: string, path: string, json?: unknown) =>
        service.call<{ id: number }>(method, path, { token: root.token, ...(json === undefined ? {} : { json }) });
      const { id } = await service.addUser('blocked');
      expect((await asRoot('PUT', `/users/${id}/block`)).status).toBe(405);
      expect((await asRoot('POST', `/users/${id}/block`)).status).toBe(201);
    });

    it('`confirm` is still read as the opposite of `skip_confirmation`, which wins', async () => {
      const create = async (username: string, given: object) => {
        const { body } = await service.call<{ confirmed_at: string | null }>('POST', '/users', {
          token: root.token,
          json: { username, name: username, email: `${username}@new.example`, force_random_password: true, ...given },
        });
        return body.confirmed_at !== null;
      };
      expect(await create('by-confirm', { confirm: false })).toBe(true);
      expect(await create('by-skip', { skip_confirmation: true })).toBe(true);
      expect(await create('by-both', { skip_confirmation: false, confirm: false })).toBe(false);
      expect(await create('by-neither', {})).toBe(false);
    });

    it('a project is removed with 202 and a JSON body', async () => {
      const { body } = await asAda<{ id: number }>('POST', '/projects', { name: 'Pluto' });
      const removed = await asAda('DELETE', `/projects/${body.id}`);
      expect([removed.status, removed.body]).toEqual([202, { message: '202 Accepted' }]);
    });

    it('the old addresses are not there', async () => {
      for (const path of ['/projects/owned', '/groups/owned', '/licenses', `/projects/${project}/keys`]) {
        expect([path, (await asAda('GET', path)).status]).toEqual([path, 404]);
      }
    });
  });
});
