import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface MilestoneBody {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly web_url: string;
}

describeEachDatabase('milestones', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let developer: TestUser;
  let reporter: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, developer, reporter, guest, stranger] = [
      await service.addUser('ada', { password: PASSWORD }),
      await service.addUser('developer'),
      await service.addUser('reporter'),
      await service.addUser('guest', { password: PASSWORD }),
      await service.addUser('stranger'),
    ];
  });

  afterAll(() => service.close());

  /** A project with everybody but the stranger, and how to reach what is below it. */
  const addProject = async (visibility = 'private') => {
    const { body } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: `engine-${(serial += 1)}`, visibility },
    });
    for (const [{ id }, level] of [
      [developer, 30],
      [reporter, 20],
      [guest, 10],
    ] as const) {
      const json = { user_id: id, access_level: level };
      await service.call('POST', `/projects/${body.id}/members`, { token: ada.token, json });
    }
    const call = <Body = MilestoneBody>(method: string, path: string, json?: object, who = developer) =>
      service.call<Body>(method, `/projects/${body.id}${path}`, {
        token: who.token,
        ...(json === undefined ? {} : { json }),
      });
    const make = async (title: string, fields: object = {}) =>
      (await call('POST', '/milestones', { title, ...fields })).body;
    const titles = async (query: string, path = '/milestones') =>
      (await call<{ title: string }[]>('GET', `${path}?${query}`)).body.map(({ title }) => title);
    return { id: body.id, call, make, titles };
  };

  it('are made with everything that clients read of them, and numbered within their project', async () => {
    const { id, call } = await addProject();
    const made = await call('POST', '/milestones', {
      title: '1.0',
      description: 'The first',
      start_date: '2026-03-01',
      due_date: '2026-03-31',
    });
    expect(made).toEqual({
      status: 201,
      headers: expect.anything(),
      body: {
        id: expect.any(Number),
        iid: 1,
        project_id: id,
        title: '1.0',
        description: 'The first',
        state: 'active',
        start_date: '2026-03-01',
        due_date: '2026-03-31',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        web_url: expect.stringMatching(/\/-\/milestones\/1$/),
      },
    });
    expect((await call('GET', `/milestones/${made.body.id}`)).body).toEqual(made.body);
    expect((await call('POST', '/milestones', { title: '2.0' })).body).toMatchObject({
      iid: 2,
      description: '',
      start_date: null,
      due_date: null,
    });
  });

  it('are listed as they are due, by numbers, state, title and text; the old filter iid is ignored', async () => {
    const { call, make, titles } = await addProject();
    await make('whenever');
    const late = await make('late', { due_date: '2026-12-31' });
    const soon = await make('soon', { due_date: '2026-03-31', description: 'before the spring' });
    service.clock.advance(60_000);
    const closed = await call<MilestoneBody & { updated_at: string }>(
      ...(['PUT', `/milestones/${soon.id}`, { state_event: 'close' }] as const),
    );
    const before = new Date(Date.parse(closed.body.updated_at) - 1).toISOString();
    expect(await titles(`updated_after=${closed.body.updated_at}`)).toEqual(['soon']);
    expect(await titles(`updated_before=${before}`)).toEqual(['late', 'whenever']);
    expect(await titles(`updated_after=${before}&updated_before=${before}`)).toEqual([]);
    expect(await titles('include_parent_milestones=true&include_ancestors=true&state=closed')).toEqual(['soon']);
    expect(await titles('')).toEqual(['soon', 'late', 'whenever']);
    expect(await titles('iids[]=1&iids[]=2')).toEqual(['late', 'whenever']);
    expect(await titles(`iids=${late.iid}`)).toEqual(['late']);
    expect(await titles(`iid[]=${late.iid}`)).toHaveLength(3);
    expect(await titles(`iid=${late.iid}`)).toHaveLength(3);
    expect(await titles('state=closed')).toEqual(['soon']);
    expect(await titles('state=active')).toEqual(['late', 'whenever']);
    expect(await titles('title=late')).toEqual(['late']);
    expect(await titles('search=SPRING')).toEqual(['soon']);
    const paged = await call<unknown[]>('GET', '/milestones?per_page=2');
    expect([paged.headers.get('x-total'), paged.headers.get('x-next-page')]).toEqual(['3', '2']);
    expect((await call('GET', '/milestones?state=open')).body).toEqual({
      error: 'state does not have a valid value',
      allowed: ['active', 'closed', 'all'],
    });
  });

  it('are changed, closed and activated; dates are taken away by an empty text', async () => {
    const { id: project, call, make } = await addProject();
    const { id } = await make('1.0', { start_date: '2026-03-01', due_date: '2026-03-31' });
    const change = async (json: object) => (await call('PUT', `/milestones/${id}`, json)).body;
    expect(await change({ title: '1.1', due_date: '2026-04-30' })).toMatchObject({
      title: '1.1',
      start_date: '2026-03-01',
      due_date: '2026-04-30',
    });
    expect(await change({ state_event: 'close' })).toMatchObject({ state: 'closed' });
    expect(await change({ state_event: 'activate', start_date: '' })).toMatchObject({
      state: 'active',
      start_date: null,
    });
    expect(await change({ state_event: 'reopen' })).toEqual({
      error: 'state_event does not have a valid value',
      allowed: ['close', 'activate'],
    });
    const form = await service.call('PUT', `/projects/${project}/milestones/${id}`, {
      token: developer.token,
      form: { due_date: '' },
    });
    expect(form.body).toMatchObject({ due_date: null });
  });

  it('name every problem, and keep nothing of what was refused', async () => {
    const { call, make, titles } = await addProject();
    const refused = async (json: object) => {
      const { status, body } = await call<unknown>('POST', '/milestones', json);
      expect(status).toBe(400);
      return body;
    };
    const { id } = await make('1.0', { start_date: '2026-03-02' });
    expect(await refused({})).toEqual({ error: 'title is missing' });
    expect(await refused({ title: ' ', start_date: '2026-03-02', due_date: '2026-03-01' })).toEqual({
      message: { title: ["can't be blank"], due_date: ['must be greater than start date'] },
    });
    expect(await refused({ title: '1.0' })).toEqual({ message: { title: ['has already been taken'] } });
    expect(await refused({ title: 'x', due_date: '2026-02-30' })).toEqual({ error: 'due_date is invalid' });
    const before = await call('PUT', `/milestones/${id}`, { title: 'early', due_date: '2026-03-01' });
    expect([before.status, before.body]).toEqual([400, { message: { due_date: ['must be greater than start date'] } }]);
    expect(await titles('')).toEqual(['1.0']);
    expect((await call('PUT', `/milestones/${id}`, { due_date: '2026-03-02' })).status).toBe(200);
  });

  it('are read by who may read the project, and changed by developers', async () => {
    const { call, make } = await addProject();
    const { id } = await make('1.0');
    const path = `/milestones/${id}`;
    for (const who of [guest, reporter]) {
      expect((await call('GET', path, undefined, who)).status).toBe(200);
      expect((await call('POST', '/milestones', { title: 'x' }, who)).status).toBe(403);
      expect((await call('PUT', path, { title: 'x' }, who)).status).toBe(403);
      expect((await call('DELETE', path, undefined, who)).status).toBe(403);
    }
    for (const each of ['/milestones', path, `${path}/issues`]) {
      expect((await call('GET', each, undefined, stranger)).body).toEqual({ message: '404 Project Not Found' });
    }
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).body).toEqual({ message: '404 Milestone Not Found' });
    expect((await call('DELETE', path)).status).toBe(404);
    const open = await addProject('public');
    await open.make('for all to see');
    const { body } = await service.call<MilestoneBody[]>('GET', `/projects/${open.id}/milestones`);
    expect(body).toMatchObject([{ title: 'for all to see' }]);
  });

  it('of another project are not there, whatever their number', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const { id } = await one.make('1.0');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await other.call(method, `/milestones/${id}`)).status).toBe(404);
    }
    for (const odd of ['0', '-1', 'x', '9999999999999999']) {
      expect((await one.call('GET', `/milestones/${odd}`)).status).toBe(404);
    }
  });

  describe('of issues', () => {
    it('are given, changed and taken away, and those of another project are refused', async () => {
      const { call, make } = await addProject();
      const { id, title } = await make('1.0', { due_date: '2026-03-31' });
      const issue = (await call('POST', '/issues', { title: 'planned', milestone_id: id })).body;
      const path = `/issues/${issue.iid}`;
      expect(issue).toMatchObject({ milestone: { id, iid: 1, title, due_date: '2026-03-31', state: 'active' } });
      expect((await call('PUT', path, { title: 'still' })).body).toMatchObject({ milestone: { id } });
      for (const nothing of [0, '', null]) {
        expect((await call('PUT', path, { milestone_id: nothing })).body).toMatchObject({ milestone: null });
        expect((await call('PUT', path, { milestone_id: String(id) })).body).toMatchObject({ milestone: { id } });
      }
      const elsewhere = await (await addProject()).make('elsewhere');
      for (const [method, where] of [
        ['PUT', path],
        ['POST', '/issues'],
      ] as const) {
        const refused = await call(method, where, { title: 'x', milestone_id: elsewhere.id });
        expect([refused.status, refused.body]).toEqual([
          400,
          { message: { milestone_id: ['is none of this project'] } },
        ]);
      }
      expect((await call('PUT', path, { milestone_id: -1 })).body).toEqual({ error: 'milestone_id is invalid' });
      expect((await call('GET', path)).body).toMatchObject({ title: 'still', milestone: { id } });
    });

    it('narrow lists by their title, by any and by none', async () => {
      const { id, call, make, titles } = await addProject();
      const first = await make('1.0');
      const second = await make('2.0');
      await call('POST', '/issues', { title: 'one', milestone_id: first.id });
      await call('POST', '/issues', { title: 'two', milestone_id: second.id });
      await call('POST', '/issues', { title: 'none' });
      await call('POST', '/issues', { title: 'secret', confidential: true, milestone_id: first.id }, ada);
      expect(await titles('milestone=1.0', '/issues')).toEqual(['secret', 'one']);
      expect(await titles('milestone=3.0', '/issues')).toEqual([]);
      expect(await titles('milestone=Any', '/issues')).toEqual(['secret', 'two', 'one']);
      expect(await titles('milestone=None', '/issues')).toEqual(['none']);
      expect(await titles('', `/milestones/${first.id}/issues`)).toEqual(['secret', 'one']);
      const asGuest = await call<{ title: string }[]>('GET', `/milestones/${first.id}/issues`, undefined, guest);
      expect(asGuest.body.map(({ title }) => title)).toEqual(['one']);
      const everywhere = await service.call<{ project_id: number }[]>('GET', '/issues?scope=all&milestone=2.0', {
        token: guest.token,
      });
      expect(everywhere.body.map(({ project_id }) => project_id)).toContain(id);
    });

    it('narrow lists and counts by how their milestones stand, by `milestone_id` instead of a title', async () => {
      const { id, call, make, titles } = await addProject();
      const today = Date.parse(service.clock.now().toISOString().slice(0, 10));
      const day = (from: number) => new Date(today + from * 86_400_000).toISOString().slice(0, 10);
      const began = await make('began', { start_date: day(-1), due_date: day(20) });
      const next = await make('next', { start_date: day(1), due_date: day(10) });
      await call('POST', '/issues', { title: 'one', milestone_id: began.id });
      await call('POST', '/issues', { title: 'two', milestone_id: next.id });
      await call('POST', '/issues', { title: 'none' });
      const everywhere = async (query: string) => {
        const path = `/issues?scope=all&${query}`;
        const all = await service.call<{ title: string; project_id: number }[]>('GET', path, { token: guest.token });
        return all.body.filter((issue) => issue.project_id === id).map(({ title }) => title);
      };
      for (const [query, found] of [
        ['milestone_id=None', ['none']],
        ['milestone_id=Any', ['two', 'one']],
        ['milestone_id=Upcoming', ['two']],
        ['milestone_id=Started', ['one']],
        ['not[milestone_id]=None', ['two', 'one']],
        ['not[milestone_id]=Any', ['none']],
        ['not[milestone_id]=Upcoming', ['none', 'one']],
        ['not[milestone_id]=Started', ['none', 'two']],
        ['not[milestone]=began', ['none', 'two']],
        ['not[milestone]=None', ['two', 'one']],
        ['not[milestone]=Any', ['none']],
      ] as const) {
        expect([query, await titles(query, '/issues'), await everywhere(query)]).toEqual([query, found, found]);
        const counted = await call('GET', `/issues_statistics?${query}`);
        expect(counted.body).toMatchObject({ statistics: { counts: { all: found.length } } });
      }
      for (const list of ['/issues', '/issues_statistics', '/merge_requests'])
        for (const [query, error] of [
          [`milestone_id=${began.id}`, 'milestone_id does not have a valid value'],
          ['milestone_id=started', 'milestone_id does not have a valid value'],
          ['milestone_id=Any&milestone=began', 'milestone, milestone_id are mutually exclusive'],
          [`not[milestone_id]=${began.id}`, 'not[milestone_id] does not have a valid value'],
          ['not[milestone_id]=Any&not[milestone]=began', 'not[milestone], not[milestone_id] are mutually exclusive'],
        ] as const) {
          const { status, body } = await call('GET', `${list}?${query}`);
          expect([list, query, status, body]).toMatchObject([list, query, 400, { error }]);
        }
    });

    it('stay when their milestone is removed', async () => {
      const { call, make } = await addProject();
      const { id } = await make('1.0');
      const { iid } = (await call('POST', '/issues', { title: 'stays', milestone_id: id })).body;
      expect((await call('DELETE', `/milestones/${id}`)).status).toBe(204);
      expect((await call('GET', `/issues/${iid}`)).body).toMatchObject({ title: 'stays', milestone: null });
    });

    it('are never half there when one is removed while issues are planned for it', async () => {
      const { call, make } = await addProject();
      const { id } = await make('1.0');
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, (_, number) => call('POST', '/issues', { title: `N${number}`, milestone_id: id })),
        call('DELETE', `/milestones/${id}`),
      ]);
      for (const { status } of answers) expect([201, 204, 400]).toContain(status);
      const left = await call<{ milestone: unknown }[]>('GET', '/issues');
      for (const { milestone } of left.body) expect(milestone).toBeNull();
    });
  });

  it('have a page at their web_url, with the issues that its reader may see, shown as text', async () => {
    const { call, make } = await addProject();
    const milestone = await make('<b>1.0</b>', { description: '<script>', start_date: '2026-03-01' });
    const { web_url: issueUrl } = (await call('POST', '/issues', { title: 'planned <i>', milestone_id: milestone.id }))
      .body;
    await call('POST', '/issues', { title: 'secret', confidential: true, milestone_id: milestone.id }, ada);
    const { pathname } = new URL(milestone.web_url);
    const pageOf = async (username: string) => (await signedIn(service, username)).get(pathname);
    const shown = await (await pageOf('ada')).text();
    for (const told of ['&lt;b&gt;1.0&lt;/b&gt;', '2026-03-01', '&lt;script&gt;', 'planned &lt;i&gt;', 'secret'])
      expect(shown).toContain(told);
    expect(shown).not.toContain('<script>');
    expect(await (await pageOf('guest')).text()).not.toContain('secret');
    const ofIssue = await (await (await signedIn(service, 'guest')).get(new URL(issueUrl).pathname)).text();
    expect(ofIssue).toContain(`href="${pathname}"`);
    expect((await fetch(service.url + pathname)).status).toBe(404);
    for (const odd of ['7', 'x']) {
      expect((await (await signedIn(service, 'ada')).get(pathname.replace(/1$/, odd))).status).toBe(404);
    }
  });
});
