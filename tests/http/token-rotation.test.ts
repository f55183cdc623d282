import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { toldAt } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;

interface Token {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly token: string;
  readonly message?: string;
}

describeEachDatabase('a token that is rotated', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    [ada, bob] = [await service.addUser('ada'), await service.addUser('bob')];
  });
  afterAll(() => service.close());

  const call = async (token: string | undefined, path: string, json: object = {}) => {
    const answer = await service.call<Token>('POST', path, { ...(token === undefined ? {} : { token }), json });
    if (answer.status < 300) service.secrets.push(answer.body.token);
    return answer;
  };
  const make = async (scopes: readonly string[] = ['api']): Promise<Token> =>
    (await call(root.token, `/users/${ada.id}/personal_access_tokens`, { name: 'Robot', scopes })).body;
  const rotate = (token: string | undefined, id: number, json?: object) =>
    call(token, `/personal_access_tokens/${id}/rotate`, json);
  const rotateSelf = (token: string, json?: object) => call(token, '/personal_access_tokens/self/rotate', json);
  const works = async (token: string) => (await service.call('GET', '/user', { token })).status === 200;
  const inDays = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

  it('is refused at once, and the new one has its name and scopes for a week, or as long as it is told', async () => {
    const first = await make(['api', 'read_user']);
    const second = await rotate(ada.token, first.id);
    expect(second).toMatchObject({
      status: 200,
      body: { name: 'Robot', scopes: ['api', 'read_user'], expires_at: inDays(7), revoked: false, active: true },
    });
    expect([await works(first.token), await works(second.body.token)]).toEqual([false, true]);
    const third = await rotateSelf(second.body.token, { expires_at: inDays(30) });
    expect([third.status, third.body.expires_at]).toEqual([200, inDays(30)]);
    expect([await works(second.body.token), await works(third.body.token)]).toEqual([false, true]);
  });

  it('takes what came last of it along when it is rotated again, by its id or by itself: two have it', async () => {
    const [first, other] = [await make(), await make()];
    const second = (await rotate(ada.token, first.id)).body;
    expect(await rotate(ada.token, first.id)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    expect(await works(second.token)).toBe(false);

    const third = (await rotateSelf(other.token)).body;
    const fourth = (await rotateSelf(third.token)).body;
    expect((await rotateSelf(other.token)).status).toBe(401);
    expect(await works(fourth.token)).toBe(false);
    expect((await rotateSelf('never-a-token')).status).toBe(401);
  });

  it('is replaced by one token at most, however many rotate it at once, and none of several is left', async () => {
    const first = await make();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(ada.token, first.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await works(answers.find(({ status }) => status === 200)!.body.token)).toBe(false);
  });

  it('gives nobody more than they have, and is nobody else’s', async () => {
    const first = await make();
    const reads = await service.addToken(ada.id, ['read_api']);
    expect((await rotate(reads, first.id)).status).toBe(403);
    expect((await rotate(bob.token, first.id)).status).toBe(404);
    expect((await rotate(undefined, first.id)).status).toBe(401);
    expect((await rotate(ada.token, first.id, { expires_at: inDays(0) })).status).toBe(400);
    expect((await rotate(ada.token, first.id, { expires_at: 'soon' })).status).toBe(400);
    expect((await rotate(ada.token, 999_999_999)).status).toBe(404);
    expect(await works(first.token)).toBe(true);
    expect((await rotate(root.token, first.id)).status).toBe(200);
  });

  it('tells its owner by mail when it is rotated again and ends what came of it, and nothing where nothing ends', async () => {
    const carol = await service.addUser('carol');
    const made = async (): Promise<Token> =>
      (await call(root.token, `/users/${carol.id}/personal_access_tokens`, { name: 'Robot', scopes: ['api'] })).body;
    const reuses = async () =>
      (await toldAt(service, 'carol@example.com')).filter((told) => told.includes('rotated again'));
    const [first, other] = [await made(), await made()];
    await rotateSelf(first.token);
    expect(await reuses()).toEqual([]);
    await rotateSelf(first.token);
    const told =
      'A personal access token that had been rotated was to be rotated again, so the one in its place was revoked: Robot';
    expect(await reuses()).toEqual([`${told} | by the personal access token “Robot”`]);
    await rotateSelf(first.token);
    expect(await reuses()).toHaveLength(1);
    await rotate(carol.token, other.id);
    await rotate(carol.token, other.id);
    expect((await reuses())[1]).toMatch(/: Robot \| by the personal access token “test”, from /);
  });

  it('lives no longer for having expired', async () => {
    const { token } = (await rotateSelf((await make()).token, { expires_at: inDays(2) })).body;
    service.clock.advance(3 * DAY_MS);
    expect((await rotateSelf(token)).status).toBe(401);
  });
});
