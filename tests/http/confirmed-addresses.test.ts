import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../../src/application/identity/requester.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { mailedSecret } from '../support/queued-mails.js';
import type { TestService, TestUser } from '../support/test-service.js';

const MINUTE = 60_000;
const RACES = 200;

describeEachDeployment('an address of e-mail', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let root: TestUser;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    root = await service.addUser('root', { admin: true });
  });

  afterAll(() => deployment.close());

  const add = (who: TestUser, email: string) =>
    service.call<{ id: number }>('POST', '/user/emails', { token: who.token, json: { email } });
  const follow = async (confirmation_token: string) =>
    (await new FormBrowser(service.url).submit('/users/sign_in', '/users/confirmation', { confirmation_token })).status;
  const ownersOf = async (address: string) => {
    const rows = (await service.service.database.reader
      .query('emails')
      .where({ address })
      .orderBy('id')
      .select('user_id', 'confirmed_at')) as { user_id: number; confirmed_at: unknown }[];
    return rows.map(({ user_id, confirmed_at }) => [user_id, confirmed_at !== null]);
  };

  it('that nobody has confirmed blocks nobody: whoever confirms it first has it, and the other loses it', async () => {
    const [squatter, owner] = [await service.addUser('squatter'), await service.addUser('owner')];
    const address = 'owner@her-own.example';
    expect((await add(squatter, address)).status).toBe(201);
    const lost = (await mailedSecret(service, address, 'confirm_email')) ?? '';
    expect((await add(owner, address.toUpperCase())).status).toBe(201);
    expect((await add(owner, address)).status).toBe(409);
    const good = (await mailedSecret(service, address.toUpperCase(), 'confirm_email')) ?? '';
    expect([await follow(good), await follow(lost)]).toEqual([200, 400]);
    expect([await ownersOf(address), await ownersOf(address.toUpperCase())]).toEqual([[], [[owner.id, true]]]);
    expect((await add(squatter, address)).status).toBe(409);
  });

  it('that an administrator gives somebody is theirs, confirmed or not by others', async () => {
    const [squatter, given] = [await service.addUser('squatter2'), await service.addUser('given')];
    const [address, another] = ['given@work.example', 'made@work.example'];
    await add(squatter, address);
    await add(squatter, another);
    const token = { token: root.token };
    expect((await service.call('PUT', `/users/${given.id}`, { ...token, json: { email: address } })).status).toBe(200);
    expect(await ownersOf(address)).toEqual([[given.id, true]]);
    const made = { email: another, username: 'made', name: 'Made', reset_password: true, skip_confirmation: true };
    expect((await service.call('POST', '/users', { ...token, json: made })).status).toBe(201);
    expect(await ownersOf(another)).toHaveLength(1);
    const taken = { ...made, username: 'made2' };
    expect((await service.call('POST', '/users', { ...token, json: taken })).status).toBe(409);
  });

  it(`belongs to one account after ${RACES} races to confirm it`, async () => {
    const { container } = service.service;
    const nodes = deployment.nodes.map((node) => node.service.container.get(IDENTITY_TOKENS.identity));
    const people = [await service.addUser('racer1'), await service.addUser('racer2'), await service.addUser('racer3')];
    const digester = container.get(TOKENS.secretDigester);
    const [createdAt, expiresAt] = [service.clock.now(), new Date(service.clock.now().getTime() + MINUTE)];
    for (let race = 0; race < RACES; race += 1) {
      const address = `race${race}@example.org`;
      // Two hold a link; the third is given the address by the operator.
      await container.get(TOKENS.unitOfWork).execute(async ({ emails, oneTimeTokens }) => {
        for (const { id: userId } of people.slice(0, 2)) {
          const email = { userId, address, primary: false, confirmedAt: null, recoverySince: null, createdAt };
          const { id: emailId } = await emails.add(email);
          const digest = digester.digest(`${race} ${userId}`);
          await oneTimeTokens.add({ purpose: 'confirm_email', userId, emailId, digest, createdAt, expiresAt });
        }
      });
      const identityOf = (turn: number) => nodes[(race + turn) % nodes.length]!;
      const ends = await Promise.allSettled([
        identityOf(0).emailAddresses.confirm(`${race} ${people[0]!.id}`),
        identityOf(1).emailAddresses.confirm(`${race} ${people[1]!.id}`),
        identityOf(1).administerUsers.edit(OPERATOR, people[2]!.id, { email: address }),
      ]);
      const won = ends.filter((end, runner) =>
        runner === 2 ? end.status === 'fulfilled' : end.status === 'fulfilled' && end.value !== undefined,
      );
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
      expect([race, won.length, new Set(refused)]).toEqual([
        race,
        1,
        new Set(refused.length > 0 ? ['Error: Email has already been taken'] : []),
      ]);
      expect([race, (await ownersOf(address)).map(([, confirmed]) => confirmed)]).toEqual([race, [true]]);
    }
  });

  describe('is confirmed by mail', () => {
    it('five times an hour at most, at once or one after the other, and then with a sentence', async () => {
      const eager = await service.addUser('eager', { password: PASSWORD });
      const at = (number: number) => `eager${number}@example.org`;
      const statuses = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map(async (number) => (await add(eager, at(number))).status),
      );
      expect(statuses.sort()).toEqual([201, 201, 201, 201, 201, 429, 429]);
      const { body } = await service.call<{ id: number }[]>('GET', '/user/emails', { token: eager.token });
      expect(body).toHaveLength(5);
      // Removing them changes nothing: it is mails that count.
      for (const { id } of body) await service.call('DELETE', `/user/emails/${id}`, { token: eager.token });
      const refused = await add(eager, at(8));
      expect([refused.status, refused.body]).toEqual([
        429,
        { message: { error: 'An account gets 5 confirmation mails an hour. Try again in 60 minutes.' } },
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBe(3_600);
      const browser = new FormBrowser(service.url);
      await browser.signIn('eager');
      const shown = await browser.submit('/profile/emails', '/profile/emails', { email: at(9) });
      expect([shown.status, shown.headers.get('retry-after')]).toEqual([429, '3600']);
      const html = await shown.text();
      expect(html).toContain('An account gets 5 confirmation mails an hour.');
      expect(html).toContain(`value="${at(9)}"`);
      for (const { clock } of deployment.nodes) clock.advance(60 * MINUTE + 1);
      expect((await add(eager, at(10))).status).toBe(201);
    });
  });
});
