import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface IssueBody {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly updated_at: string;
}

describeEachDatabase('the order of issues', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let author: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, author] = [await service.addUser('ada'), await service.addUser('author')];
  });

  afterAll(() => service.close());

  /** A public project with so many issues, called a, b, c, … */
  const addIssues = async (count: number) => {
    const { body } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: `engine-${(serial += 1)}`, visibility: 'public' },
    });
    const call = <Body = IssueBody>(method: string, path: string, json?: object, who = ada) =>
      service.call<Body>(method, `/projects/${body.id}${path}`, {
        token: who.token,
        ...(json !== undefined && { json }),
      });
    const issues: IssueBody[] = [];
    for (let number = 0; number < count; number += 1)
      issues.push((await call('POST', '/issues', { title: String.fromCharCode(97 + number) })).body);
    const titles = async (sort = 'asc') => {
      const found = await call<readonly IssueBody[]>('GET', `/issues?order_by=relative_position&sort=${sort}`);
      return found.body.map(({ title }) => title).join('');
    };
    const idOf = (title: string) => issues.find((issue) => issue.title === title)?.id;
    const put = (title: string, { before, after }: { before?: string; after?: string }, who = ada) =>
      call(
        'PUT',
        `/issues/${issues.find((issue) => issue.title === title)?.iid}/reorder`,
        { ...(before && { move_before_id: idOf(before) }), ...(after && { move_after_id: idOf(after) }) },
        who,
      );
    return { call, issues, titles, put };
  };

  it('is that of their numbers until somebody puts one beside another, and can be read either way', async () => {
    const { call, issues, titles, put } = await addIssues(4);
    expect(await titles()).toBe('abcd');
    service.clock.advance(60_000);
    const moved = await put('d', { before: 'a', after: 'b' });
    expect(moved).toMatchObject({ status: 200, body: { title: 'd', updated_at: issues[3]?.updated_at } });
    expect(await titles()).toBe('adbc');
    await put('a', { before: 'c' });
    expect(await titles()).toBe('dbca');
    await put('a', { after: 'd' });
    expect(await titles()).toBe('adbc');
    expect(await titles('desc')).toBe('cbda');
    await call('POST', '/issues', { title: 'e' });
    expect(await titles()).toBe('adbce');
  });

  it('takes two neighbours in whichever order they are named', async () => {
    const { titles, put } = await addIssues(4);
    await put('a', { before: 'd', after: 'c' });
    expect(await titles()).toBe('bcad');
  });

  it('holds however often something is put in the same place', async () => {
    const { titles, put } = await addIssues(3);
    // Each halves the room that is left: after some twenty of them others are put further apart.
    for (let times = 0; times < 30; times += 1) {
      const [moved, stays] = times % 2 === 0 ? ['c', 'b'] : ['b', 'c'];
      expect((await put(moved, { before: 'a', after: stays })).status).toBe(200);
      expect(await titles()).toBe(`a${moved}${stays}`);
    }
  });

  it('is one order after many were put in the same place at once', async () => {
    const { titles, put } = await addIssues(5);
    const answers = await Promise.all(['c', 'd', 'e'].map((title) => put(title, { before: 'a' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const order = await titles();
    expect(order).toMatch(/^a[cde]{3}b$/);
    expect(new Set(order.match(/./g))).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
  });

  it('refuses neighbours that are none: of another project, the issue itself, or nobody', async () => {
    const { call, issues, titles, put } = await addIssues(2);
    const { issues: elsewhere } = await addIssues(1);
    for (const json of [{}, { move_after_id: elsewhere[0]?.id }, { move_before_id: 999_999_999 }])
      expect((await call('PUT', `/issues/${issues[0]?.iid}/reorder`, json)).status).toBe(422);
    expect((await put('a', { after: 'a' })).status).toBe(422);
    expect((await call('PUT', '/issues/99/reorder', { move_after_id: issues[0]?.id })).status).toBe(404);
    expect(await titles()).toBe('ab');
  });

  it('is not for the author of an issue to change who is no reporter', async () => {
    const { call, issues } = await addIssues(1);
    const own = await call('POST', '/issues', { title: 'Mine' }, author);
    const json = { move_after_id: issues[0]?.id };
    expect((await call('PUT', `/issues/${own.body.iid}/reorder`, json, author)).status).toBe(403);
  });
});
