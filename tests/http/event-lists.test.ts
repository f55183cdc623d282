import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_OFFSET } from '../../src/domain/shared/page.js';
import type { NewActivityEvent } from '../../src/application/activity/ports/activity-repository.js';
import { ACTIONS, TARGET_TYPES } from '../../src/domain/activity/activity-event.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { BusyProject, type EventBody } from '../support/activity.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import type { Answer, TestService, TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;
const CURSOR_REFUSED = 'cursor is invalid';

const nextOf = (headers: Headers): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.replace(/^.*\/api\/v4/, '');

describeEachDeployment('lists of activity events', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let stranger: TestUser;
  let serial = 0;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    stranger = await service.addUser('stranger');
  });

  afterAll(() => deployment.close());

  const addProject = (visibility = 'private', owner = ada) =>
    BusyProject.create(service, owner, `engine-${(serial += 1)}`, visibility);
  const get = <Body = EventBody[]>(path: string, { token } = ada, headers = {}) =>
    service.call<Body>('GET', path, { token, headers });
  const titlesOf = (events: readonly EventBody[]) => events.map(({ target_title }) => target_title);
  const titles = async (path: string, who = ada) => titlesOf((await get(path, who)).body);

  /** A person of his own, who did in a project of his own what is recorded. */
  const addDoer = async (...entries: readonly (Partial<NewActivityEvent> & { title: string })[]) => {
    const doer = await service.addUser(`doer-${(serial += 1)}`);
    const project = await addProject('public', doer);
    await project.record(...entries.map(({ title, ...entry }) => ({ ...titled(title), ...entry })));
    return { doer, project, lists: listsOf(doer, project) };
  };
  const titled = (title: string, type: 'issue' | 'milestone' | 'note' = 'issue') => ({
    target: { type, id: 1, iid: 1, title },
  });
  const listsOf = (doer: TestUser, project: BusyProject) => [
    '/events?scope=all&',
    '/events?',
    `/users/${doer.id}/events?`,
    `/projects/${project.id}/events?`,
  ];
  const ago = (milliseconds: number) => new Date(service.clock.now().getTime() - milliseconds);
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `${index}`, createdAt: ago(3_600_000 - index * 1_000) }));
  const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => `${count - 1 - index}`);

  describe('filters', () => {
    it.each(ACTIONS)('action=%s leaves that action alone', async (action) => {
      const { doer, lists } = await addDoer(
        ...ACTIONS.map((each, index) => ({ title: each, action: each, createdAt: ago(index * 1_000) })),
      );
      const expected = action === 'created' ? ['created', null] : [action];
      for (const list of lists)
        expect([list, new Set(await titles(`${list}action=${action}`, doer))]).toEqual([list, new Set(expected)]);
    });

    it.each(TARGET_TYPES)('target_type=%s leaves that type alone', async (type) => {
      const { doer, lists } = await addDoer(
        ...TARGET_TYPES.map((each) => ({ title: each, target: { type: each, id: 1, iid: 1, title: each } })),
      );
      const expected = type === 'project' ? ['project', null] : [type];
      for (const list of lists)
        expect([list, new Set(await titles(`${list}target_type=${type}`, doer))]).toEqual([list, new Set(expected)]);
    });

    it('before and after leave out the given days themselves, which begin and end in UTC', async () => {
      const at = (title: string, instant: string) => ({ title, createdAt: new Date(instant) });
      const { doer, lists } = await addDoer(
        at('end of the day before', '2026-02-27T23:59:59.999Z'),
        at('begin', '2026-02-28T00:00:00.000Z'),
        at('end', '2026-02-28T23:59:59.999Z'),
        at('begin of the day after', '2026-03-01T00:00:00.000Z'),
      );
      for (const list of lists) {
        const seen = (query: string) => titles(`${list}action=closed&sort=asc&${query}`, doer);
        expect(await seen('before=2026-02-28')).toEqual(['end of the day before']);
        expect(await seen('after=2026-02-28')).toEqual(['begin of the day after']);
        expect(await seen('after=2026-02-27&before=2026-03-01')).toEqual(['begin', 'end']);
        expect(await seen('after=2026-02-27&before=2026-02-28')).toEqual([]);
        expect(await seen('after=2026-03-01&before=2026-02-27')).toEqual([]);
        expect(await seen('before=9999-12-31&after=0001-01-01')).toHaveLength(4);
      }
    });

    it('hold together', async () => {
      const { doer, lists } = await addDoer(
        { title: 'it', action: 'reopened', createdAt: ago(2 * DAY_MS) },
        { title: 'another action', createdAt: ago(2 * DAY_MS) },
        { title: '', ...titled('another type', 'milestone'), action: 'reopened', createdAt: ago(2 * DAY_MS) },
        { title: 'another day', action: 'reopened' },
      );
      const today = service.clock.now().toISOString().slice(0, 10);
      for (const list of lists)
        expect(await titles(`${list}action=reopened&target_type=issue&before=${today}`, doer)).toEqual(['it']);
    });

    it('sort turns the order, and what happened at one instant stands as it was recorded', async () => {
      const createdAt = ago(1_000);
      const { doer, lists } = await addDoer(...['one', 'two', 'three'].map((title) => ({ title, createdAt })));
      for (const list of lists) {
        expect(await titles(`${list}action=closed`, doer)).toEqual(['three', 'two', 'one']);
        expect(await titles(`${list}action=closed&sort=desc`, doer)).toEqual(['three', 'two', 'one']);
        expect(await titles(`${list}action=closed&sort=asc`, doer)).toEqual(['one', 'two', 'three']);
      }
    });

    it.each([
      ['action', ACTIONS, ['destroy', 'Closed', 'CLOSED', ' closed', 'pushed to']],
      ['target_type', TARGET_TYPES, ['Issue', 'ISSUE', 'epic', 'MergeRequest']],
      ['sort', ['asc', 'desc'], ['ASC', 'up', 'created_at']],
    ])('%s outside the list is 400 with all that is allowed', async (name, allowed, values) => {
      const { doer, lists } = await addDoer();
      for (const list of lists)
        for (const value of values) {
          const { status, body } = await get<unknown>(`${list}${name}=${encodeURIComponent(value)}`, doer);
          expect([list, value, status, body]).toEqual([
            list,
            value,
            400,
            { error: `${name} does not have a valid value`, allowed },
          ]);
        }
    });

    it.each(['action', 'target_type', 'sort', 'before', 'after'])('%s that is empty is 400', async (name) => {
      const { status, body } = await get<unknown>(`/events?${name}=`);
      expect([status, body]).toEqual([400, { error: `${name} is empty` }]);
    });

    it('of days at the end and the beginning of the calendar are empty', async () => {
      const { lists } = await addDoer({ title: 'now' });
      for (const list of lists)
        for (const query of ['after=9999-12-31', 'before=0001-01-01', 'before=0000-01-01'])
          expect([list, query, (await get(`${list}${query}`)).body]).toEqual([list, query, []]);
    });

    it.each(['before', 'after'])('%s that is no real day is 400', async (name) => {
      const { doer, lists } = await addDoer();
      const odd = ['2016-02-30', '2016-2-1', '2016-13-01', '2016-02-01T00:00:00Z', '20160201', 'today', '1456790400'];
      for (const list of lists) {
        for (const value of odd) {
          const { status, body } = await get<unknown>(`${list}${name}=${value}`, doer);
          expect([list, value, status, body]).toEqual([list, value, 400, { error: `${name} is invalid` }]);
        }
        for (const twice of [`${name}[]=2016-02-01`, `${name}=2016-02-01&${name}=2016-02-02`, `${name}[a]=2016-02-01`])
          expect([twice, (await get(`${list}${twice}`, doer)).status]).toEqual([twice, 400]);
      }
      expect((await get(`/events?${name}=2016-02-29`)).status).toBe(200);
    });

    it('scope=all is everybody in the projects of the caller, and any other word is what he did himself', async () => {
      const { doer, project } = await addDoer({ title: 'mine' });
      await project.record({ ...titled('of another'), authorId: grace.id });
      const outside = await addProject('public');
      await outside.record({ ...titled('elsewhere') });
      const seen = async (query: string) => new Set(await titles(`/events?${query}`, doer));
      expect(await seen('scope=all&action=closed')).toEqual(new Set(['mine', 'of another']));
      for (const scope of ['', 'scope=', 'scope=mine', 'scope=ALL'])
        expect([scope, await seen(`action=closed&${scope}`)]).toEqual([scope, new Set(['mine'])]);
      expect(await titles(`/users/${doer.id}/events?action=closed&scope=all`, doer)).toEqual(['mine']);
    });
  });

  describe('pages', () => {
    it('by number carry every header, and links that repeat the filters and no credential', async () => {
      const { doer } = await addDoer(...numbered(7));
      const path = `/users/${doer.id}/events`;
      const query = `action=closed&per_page=3&private_token=${ada.token}`;
      const second = await get(`${path}?page=2&${query}`);
      expect(titlesOf(second.body)).toEqual(newestFirst(7).slice(3, 6));
      const headers = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];
      expect(headers.map((name) => second.headers.get(name))).toEqual(['2', '3', '3', '1', '7', '3']);
      const link = (page: number, rel: string) =>
        `<${service.service.container.get(TOKENS.publicAddress).baseUrl}/api/v4${path}?action=closed&page=${page}&per_page=3>; rel="${rel}"`;
      expect(second.headers.get('link')).toBe(
        [link(1, 'prev'), link(3, 'next'), link(1, 'first'), link(3, 'last')].join(', '),
      );
    });

    it('beyond the last are empty and say so', async () => {
      const { doer } = await addDoer(...numbered(2));
      const beyond = await get(`/users/${doer.id}/events?action=closed&page=9`);
      expect([beyond.status, beyond.body]).toEqual([200, []]);
      expect([beyond.headers.get('x-next-page'), beyond.headers.get('x-total')]).toEqual(['', '2']);
    });

    it.each([
      ['per_page=1000000', '1', '100'],
      ['per_page=-5', '1', '20'],
      ['page=-1', '1', '20'],
      ['page=0', '1', '20'],
    ])('of %s are clamped', async (query, page, perPage) => {
      const { headers, status } = await get(`/events?${query}`);
      expect([status, headers.get('x-page'), headers.get('x-per-page')]).toEqual([200, page, perPage]);
    });

    it.each(['per_page=0', 'per_page=many', 'page=x', 'page=1.5', 'page[]=1'])('of %s are 400', async (query) => {
      expect((await get(`/events?${query}`)).status).toBe(400);
    });

    it('deeper than the maximum offset are 405, and name the way on', async () => {
      const last = MAX_OFFSET / 100 + 1;
      expect((await get(`/events?per_page=100&page=${last}`)).status).toBe(200);
      for (const page of [last + 1, 900_000_000]) {
        const { status, body } = await get<{ error: string }>(`/events?per_page=100&page=${page}`);
        expect([status, body.error]).toEqual([405, expect.stringContaining('keyset pagination')]);
      }
    });

    it.each(['desc', 'asc'])(
      'by cursor, %s, walk all and no entry twice, whatever is recorded meanwhile',
      async (sort) => {
        const { doer, project } = await addDoer(...numbered(11));
        const expected = sort === 'desc' ? newestFirst(11) : newestFirst(11).reverse();
        const walked: unknown[] = [];
        let next: string | undefined =
          `/projects/${project.id}/events?action=closed&pagination=keyset&per_page=3&sort=${sort}`;
        for (let pages = 0; next !== undefined; pages += 1) {
          const { headers, body, status }: Answer<EventBody[]> = await get(next, doer);
          expect([status, headers.get('x-per-page'), pages < 9]).toEqual([200, '3', true]);
          for (const name of ['x-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'])
            expect([name, headers.get(name)]).toEqual([name, null]);
          walked.push(...titlesOf(body));
          next = nextOf(headers);
          if (pages === 1)
            await project.record({
              ...titled('meanwhile'),
              createdAt: sort === 'desc' ? service.clock.now() : ago(2 * DAY_MS),
            });
        }
        expect(walked).toEqual(expected);
      },
    );

    it('by cursor carry no link once they end, and the filters while they do not', async () => {
      const { doer } = await addDoer(...numbered(4));
      const path = `/users/${doer.id}/events?action=closed&target_type=issue&pagination=keyset&per_page=2`;
      const first = await get(`${path}&private_token=${ada.token}`);
      const link = first.headers.get('link') ?? '';
      for (const told of ['action=closed', 'target_type=issue', 'pagination=keyset', 'per_page=2', 'cursor='])
        expect(link).toContain(told);
      expect(link).not.toContain(ada.token);
      const second = await get(nextOf(first.headers) ?? '');
      expect([titlesOf(second.body), second.headers.get('link')]).toEqual([['1', '0'], null]);
    });

    it('of cursors that are forged, cut short, or of another caller, list or filter are 400', async () => {
      const { doer, project } = await addDoer(...numbered(4));
      const list = `/projects/${project.id}/events`;
      const query = 'action=closed&pagination=keyset&per_page=2';
      const cursor =
        new URLSearchParams((nextOf((await get(`${list}?${query}`)).headers) ?? '').split('?')[1]).get('cursor') ?? '';
      const flipped = `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`;
      const plain = Buffer.from(JSON.stringify({ at: 0, id: 0, list, caller: ada.id })).toString('base64url');
      const refused: [string, string, TestUser][] = [
        ...[cursor.slice(0, -1), cursor.slice(0, 10), `${cursor}A`, flipped, plain, 'null', '{}', ''].map(
          (bad): [string, string, TestUser] => [`${list}?${query}`, bad, ada],
        ),
        [`${list}?${query}`, cursor, doer],
        [`/users/${doer.id}/events?${query}`, cursor, ada],
        [`${list}?${query}&sort=asc`, cursor, ada],
        [`${list}?${query}&target_type=issue`, cursor, ada],
        [`${list}?${query}&before=2099-01-01`, cursor, ada],
        [`${list}?pagination=keyset`, cursor, ada],
      ];
      for (const [path, bad, who] of refused) {
        const { status, body } = await get<unknown>(`${path}&cursor=${encodeURIComponent(bad)}`, who);
        expect([path, bad, status, body]).toEqual([path, bad, 400, { error: CURSOR_REFUSED }]);
      }
      expect(await titles(`${list}?${query}&cursor=${encodeURIComponent(cursor)}&page=7`)).toEqual(['1', '0']);
      const other = await get<unknown>(`${list}?pagination=offset`);
      expect([other.status, other.body]).toEqual([
        400,
        { error: 'pagination does not have a valid value', allowed: ['keyset'] },
      ]);
    });
  });

  describe('a list that did not change', () => {
    it('is 304 to who has it already', async () => {
      const { doer, lists } = await addDoer(...numbered(3));
      for (const list of lists) {
        const first = await get(`${list}action=closed`, doer);
        const tag = first.headers.get('etag') ?? '';
        expect(tag).not.toBe('');
        const again = await get<unknown>(`${list}action=closed`, doer, {
          'If-None-Match': tag,
          // Else fetch asks for an answer that is not cached.
          'Cache-Control': 'max-age=0',
        });
        expect([list, again.status, again.body]).toEqual([list, 304, '']);
      }
    });

    it('has the same tag and total whatever happens where the reader does not see it', async () => {
      const doer = await service.addUser(`quiet-${(serial += 1)}`);
      const open = await addProject('public', doer);
      const hidden = await addProject('private', doer);
      await open.record(titled('seen'));
      const seen = async () => {
        const { headers, body } = await get(`/users/${doer.id}/events?action=closed`, stranger);
        return { titles: titlesOf(body), tag: headers.get('etag'), total: headers.get('x-total') };
      };
      const before = await seen();
      expect(before).toMatchObject({ titles: ['seen'], total: '1' });
      await hidden.record(titled('hidden'), titled('hidden too'));
      expect(await seen()).toEqual(before);
      await open.record(titled('news'));
      expect((await seen()).tag).not.toBe(before.tag);
    });
  });

  describe('access', () => {
    it('needs a token, everywhere', async () => {
      const project = await addProject('public');
      for (const path of ['/events', `/users/${ada.id}/events`, `/projects/${project.id}/events`, '/users/0/events']) {
        const { status, body } = await service.call('GET', path);
        expect([path, status, body]).toEqual([path, 401, { message: '401 Unauthorized' }]);
      }
    });

    it.each(['read_user', 'read_api', 'api'] as const)('is given by the scope %s alone', async (scope) => {
      const project = await addProject();
      const token = await service.addToken(ada.id, [scope]);
      for (const path of ['/events', `/users/${ada.id}/events`, `/projects/${project.id}/events`])
        expect([path, (await get(path, { ...ada, token })).status]).toEqual([path, 200]);
    });

    it.each(['openid', 'profile', 'email'] as const)('is not given by the scope %s', async (scope) => {
      const project = await addProject();
      const token = await service.addToken(ada.id, [scope]);
      for (const path of ['/events', `/users/${ada.id}/events`, `/projects/${project.id}/events`]) {
        const { status, body } = await get<unknown>(path, { ...ada, token });
        expect([path, status, body]).toMatchObject([
          path,
          403,
          { error: 'insufficient_scope', scope: 'read_user api read_api' },
        ]);
      }
    });

    it('finds people by number and by name in any case, and nobody else', async () => {
      const { doer } = await addDoer({ title: 'it' });
      for (const id of [doer.id, doer.username, doer.username.toUpperCase()])
        expect(await titles(`/users/${id}/events?action=closed`)).toEqual(['it']);
      for (const id of ['0', '999999', 'nobody', '9'.repeat(30), '-1', 'ada%20', '%F0%9F%92%A9']) {
        const { status, body } = await get<unknown>(`/users/${id}/events?action=nonsense`);
        expect([id, status, body]).toEqual([id, 404, { message: '404 User Not Found' }]);
      }
    });

    it('finds projects by number and by path, and those that are not visible not at all', async () => {
      const project = await addProject();
      for (const id of [project.id, encodeURIComponent(project.path)])
        expect((await get(`/projects/${id}/events`)).status).toBe(200);
      for (const [id, who] of [
        [project.id, stranger],
        [encodeURIComponent(project.path), stranger],
        ['999999', ada],
        ['ada%2Fnothing', ada],
      ] as const) {
        const { status, body } = await get<unknown>(`/projects/${id}/events?action=nonsense`, who);
        expect([id, status, body]).toEqual([id, 404, { message: '404 Project Not Found' }]);
      }
    });

    it('to what was done in a private project ends for who leaves it, and his own doings there with it', async () => {
      const project = await addProject();
      const member = await service.addUser(`member-${(serial += 1)}`);
      await project.addMember(member, 'developer');
      await project.call('POST', '/issues', { title: 'Inside' }, member);
      expect(await titles('/events', member)).toContain('Inside');
      expect(await titles(`/users/${member.id}/events`, stranger)).toEqual([]);
      await project.call('DELETE', `/members/${member.id}`);
      for (const list of ['/events', '/events?scope=all', `/users/${member.id}/events`, `/users/${ada.id}/events`]) {
        const { body, headers } = await get(`${list}${list.includes('?') ? '&' : '?'}per_page=100`, member);
        const inside = body.filter(({ project_id }) => project_id === project.id);
        expect([list, inside, Number(headers.get('x-total'))]).toEqual([list, [], body.length]);
      }
      expect(await titles(`/users/${member.id}/events?target_type=issue`)).toEqual(['Inside']);
    });

    it('to a confidential issue is for reporters, its author and its assignees, whether or not it was one before', async () => {
      const project = await addProject('public');
      const people = {
        author: await service.addUser(`author-${serial}`),
        guest: await service.addUser(`guest-${serial}`),
        reporter: await service.addUser(`reporter-${serial}`),
        assignee: await service.addUser(`assignee-${serial}`),
      };
      await project.addMember(people.guest, 'guest');
      await project.addMember(people.assignee, 'guest');
      await project.addMember(people.reporter, 'reporter');
      const json = { title: 'Secret', confidential: true };
      const { iid } = (await project.call('POST', '/issues', json, people.author)).body;
      await project.call('PUT', `/issues/${iid}`, { assignee_ids: [people.assignee.id] });
      await project.call('POST', `/issues/${iid}/notes`, { body: 'whisper' }, people.author);
      const sees = async (who: TestUser) => {
        const lists = [`/projects/${project.id}/events?`, `/users/${people.author.id}/events?`];
        const answers = await Promise.all(lists.map((list) => get(`${list}per_page=100`, who)));
        return answers.map(({ body }) => titlesOf(body).filter((title) => title === 'Secret').length);
      };
      for (const who of [ada, people.author, people.reporter, people.assignee])
        expect([who.username, await sees(who)]).toEqual([who.username, [2, 2]]);
      for (const who of [people.guest, stranger])
        expect([who.username, await sees(who)]).toEqual([who.username, [0, 0]]);
      await project.call('PUT', `/issues/${iid}`, { confidential: false });
      expect(await sees(stranger)).toEqual([2, 2]);
      await project.call('PUT', `/issues/${iid}`, { confidential: true });
      expect(await sees(stranger)).toEqual([0, 0]);
      await project.call('DELETE', `/issues/${iid}`);
      expect([await sees(stranger), await sees(people.reporter)]).toEqual([
        [0, 0],
        [3, 2],
      ]);
    });
  });
});
