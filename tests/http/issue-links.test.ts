import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface LinkBody {
  readonly id: number;
  readonly iid: number;
  readonly issue_link_id: number;
  readonly link_type: string;
}

describeEachDatabase('links of issues', (openTestDatabase) => {
  let service: TestService;
  const people: Record<string, TestUser | undefined> = {};
  let open: number;
  let hidden: number;
  let iids: { readonly one: number; readonly two: number; readonly secret: number; readonly far: number };

  const call = <Body = LinkBody>(who: string, method: string, path: string, json?: object) => {
    const token = people[who]?.token;
    return service.call<Body>(method, path, {
      ...(token === undefined ? {} : { token }),
      ...(json === undefined ? {} : { json }),
    });
  };

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    for (const name of ['ada', 'grace', 'gus', 'rex']) people[name] = await service.addUser(name);
    people['root'] = await service.addUser('root', { admin: true });
    const project = async (name: string, visibility: string) =>
      (await call('ada', 'POST', '/projects', { name, visibility })).body.id;
    [open, hidden] = [await project('Open', 'public'), await project('Hidden', 'private')];
    for (const [name, level] of [
      ['gus', 10],
      ['rex', 20],
    ] as const)
      await call('ada', 'POST', `/projects/${open}/members`, { user_id: people[name]?.id, access_level: level });
  });

  afterAll(() => service.close());

  const addIssue = async (project: number, json: object) =>
    (await call('ada', 'POST', `/projects/${project}/issues`, json)).body.iid;

  beforeEach(async () => {
    iids = {
      one: await addIssue(open, { title: 'One' }),
      two: await addIssue(open, { title: 'Two' }),
      secret: await addIssue(open, { title: 'Secret', confidential: true }),
      far: await addIssue(hidden, { title: 'Far' }),
    };
  });

  const links = (iid: number, project = open) => `/projects/${project}/issues/${iid}/links`;
  const link = (who: string, from: number, to: number, more: object = {}, project = open) =>
    call(who, 'POST', links(from), { target_project_id: project, target_issue_iid: to, ...more });
  const linked = async (who: string, iid: number, project = open) =>
    (await call<LinkBody[]>(who, 'GET', links(iid, project))).body.map(({ iid: other, link_type: type }) => [
      other,
      type,
    ]);

  it('are made, told of from both ends, and taken back from either', async () => {
    const made = await link('ada', iids.one, iids.two);
    expect(made).toMatchObject({
      status: 201,
      body: { source_issue: { iid: iids.one }, target_issue: { iid: iids.two }, link_type: 'relates_to' },
    });
    const { body } = await call<LinkBody[]>('nobody', 'GET', links(iids.two));
    expect(body).toEqual([
      expect.objectContaining({
        iid: iids.one,
        issue_link_id: made.body.id,
        link_type: 'relates_to',
        link_created_at: expect.stringMatching(/Z$/),
      }),
    ]);
    expect((await call('nobody', 'GET', `${links(iids.one)}/${made.body.id}`)).body).toEqual(made.body);
    const removed = await call('ada', 'DELETE', `${links(iids.two)}/${made.body.id}`);
    expect([removed.status, removed.body.link_type]).toEqual([200, 'relates_to']);
    expect(await linked('ada', iids.one)).toEqual([]);
  });

  it('say which of two blocks the other', async () => {
    await link('ada', iids.one, iids.two, { link_type: 'blocks' });
    await link('ada', iids.one, iids.secret, { link_type: 'is_blocked_by' });
    expect(await linked('ada', iids.one)).toEqual([
      [iids.two, 'blocks'],
      [iids.secret, 'is_blocked_by'],
    ]);
    expect(await linked('ada', iids.two)).toEqual([[iids.one, 'is_blocked_by']]);
    expect(await linked('ada', iids.secret)).toEqual([[iids.one, 'blocks']]);
  });

  it('are one between two issues, whoever asks first', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => (n % 2 ? link('ada', iids.one, iids.two) : link('ada', iids.two, iids.one))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect((await link('ada', iids.one, iids.two)).body).toEqual({ message: 'Issue(s) already assigned' });
    expect((await link('ada', iids.one, iids.one)).status).toBe(400);
    expect(await linked('ada', iids.one)).toHaveLength(1);
  });

  it('are refused with what is missing', async () => {
    expect(await call('ada', 'POST', links(iids.one), {})).toMatchObject({
      status: 400,
      body: { error: 'target_project_id is missing, target_issue_iid is missing' },
    });
    expect((await link('ada', iids.one, iids.two, { link_type: 'likes' })).status).toBe(400);
    for (const to of [99_999, 0]) expect((await link('ada', iids.one, to)).status).toBe(404);
  });

  describe('who may', () => {
    it('make and remove them: reporters of both projects', async () => {
      for (const [who, status] of [
        ['nobody', 401],
        ['grace', 403],
        ['gus', 403],
        ['rex', 201],
      ] as const)
        expect([who, (await link(who, iids.one, iids.two)).status]).toEqual([who, status]);
      const [made] = (await call<LinkBody[]>('ada', 'GET', links(iids.one))).body;
      for (const [who, status] of [
        ['nobody', 401],
        ['grace', 403],
        ['gus', 403],
        ['rex', 200],
      ] as const)
        expect([who, (await call(who, 'DELETE', `${links(iids.one)}/${String(made?.issue_link_id)}`)).status]).toEqual([
          who,
          status,
        ]);
      // What they don't see is not there.
      expect((await link('rex', iids.one, iids.far, {}, hidden)).status).toBe(404);
    });

    it('see them: whoever sees both ends', async () => {
      await link('ada', iids.one, iids.secret);
      const far = await link('ada', iids.one, iids.far, {}, hidden);
      for (const [who, seen] of [
        ['nobody', []],
        ['gus', []],
        ['rex', [[iids.secret, 'relates_to']]],
        [
          'root',
          [
            [iids.secret, 'relates_to'],
            [iids.far, 'relates_to'],
          ],
        ],
      ] as const)
        expect([who, await linked(who, iids.one)]).toEqual([who, seen]);
      const one = `${links(iids.one)}/${far.body.id}`;
      expect([(await call('rex', 'GET', one)).status, (await call('rex', 'DELETE', one)).status]).toEqual([404, 404]);
      expect((await call('gus', 'GET', links(iids.secret))).status).toBe(404);
    });
  });

  it('go with either issue', async () => {
    await link('ada', iids.one, iids.two);
    expect((await call('ada', 'DELETE', `/projects/${open}/issues/${iids.two}`)).status).toBe(204);
    expect(await linked('ada', iids.one)).toEqual([]);
  });
});
