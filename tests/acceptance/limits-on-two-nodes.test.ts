import { afterEach, expect, it } from '@jest/globals';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeDatabase } from '../support/databases.js';
import { deployTwoNodes } from '../support/deployments.js';
import { PASSWORD } from '../support/form-browser.js';
import { OAuthClient } from '../support/oauth-client.js';
import type { TestService, TestUser } from '../support/test-service.js';

const LIMIT = 6;
/** Of `application/identity/email-addresses.ts`. */
const CONFIRMATIONS_AN_HOUR = 5;
const MINUTE_MS = 60_000;

describeDatabase('postgres', 'two nodes, each asked in turns', (openTestDatabase) => {
  let deployment: Awaited<ReturnType<typeof deployTwoNodes>>;
  let ada: TestUser;

  afterEach(() => deployment.close());

  const deploy = async (limits: Partial<Config['rateLimits']>): Promise<void> => {
    const rateLimits = { api: 'off', alerts: 'off', signIn: 'off', ...limits } as const;
    deployment = await deployTwoNodes(await openTestDatabase(), { rateLimits, trustProxy: 'loopback' });
    ada = await deployment.service.addUser('ada', { password: PASSWORD });
  };

  /** So often what is limited to six is let through: asked of one after the other, then of both at once, then a minute later. */
  const letThrough = async (ask: (node: TestService) => Promise<number>): Promise<readonly (readonly number[])[]> => {
    const [left, right] = deployment.nodes;
    const turns = Array.from({ length: LIMIT + 4 }, (_, turn) => (turn % 2 === 0 ? left : right));
    const inTurns: number[] = [];
    for (const node of turns) inTurns.push(await ask(node));
    const minuteLater = () => {
      for (const node of deployment.nodes) node.steadyClock.advance(MINUTE_MS);
    };
    minuteLater();
    const atOnce = await Promise.all(turns.map(ask));
    minuteLater();
    const later = [await ask(right), await ask(left)];
    return [inTurns, atOnce.sort((one, other) => one - other), later];
  };
  const letThroughAs = (status: number) => [
    [...Array<number>(LIMIT).fill(status), ...Array<number>(4).fill(429)],
    [...Array<number>(LIMIT).fill(status), ...Array<number>(4).fill(429)],
    [status, status],
  ];
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('let an integration send as many alerts as it may, and no more', async () => {
    await deploy({ alerts: LIMIT });
    const { token } = await (await AlertingProject.create(deployment.service, ada, 'engine')).integrate();
    const sent = await letThrough(async (node) => {
      const answer = await sendAlert({ url: `${node.nodeUrl}/ada/engine/alerts/notify.json`, token }, { title: 'Hot' });
      return answer.status;
    });
    expect(sent).toEqual(letThroughAs(200));
  });

  it('let an address try as many wrong keys as it may, and no more, and take a right one all the same', async () => {
    await deploy({ signIn: LIMIT });
    const { token } = await (await AlertingProject.create(deployment.service, ada, 'engine')).integrate();
    const send = async (node: TestService, key: string) =>
      (
        await sendAlert(
          { url: `${node.nodeUrl}/ada/engine/alerts/notify.json`, token: key },
          { title: 'Hot' },
          from('192.0.2.1'),
        )
      ).status;
    expect(await letThrough((node) => send(node, 'wrong'))).toEqual(letThroughAs(401));
    for (const node of deployment.nodes) expect(await send(node, token)).toBe(200);
  });

  it('let an address offer as many passwords as it may, and no more, by OAuth and by the page', async () => {
    await deploy({ signIn: LIMIT });
    const client = await OAuthClient.register(deployment.service);
    const grant = async (node: TestService) => {
      const body = new URLSearchParams({
        ...client.credentials,
        grant_type: 'password',
        username: 'ada',
        password: PASSWORD,
      });
      const headers = from('192.0.2.2');
      return (await fetch(`${node.nodeUrl}/oauth/token`, { method: 'POST', body, headers })).status;
    };
    expect(await letThrough(grant)).toEqual(letThroughAs(200));
    const [left, right] = deployment.nodes;
    for (let time = 2; time < LIMIT; time += 1) await grant(left);
    const page = await fetch(`${right.nodeUrl}/users/sign_in`, { headers: from('192.0.2.2') });
    const form = new URLSearchParams({
      authenticity_token: /name="authenticity_token" value="([^"]*)"/.exec(await page.text())?.[1] ?? '',
      login: 'ada',
      password: PASSWORD,
    });
    const cookie = page.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const signIn = await fetch(`${right.nodeUrl}/users/sign_in`, {
      method: 'POST',
      body: form,
      headers: { ...from('192.0.2.2'), cookie, origin: right.url },
      redirect: 'manual',
    });
    expect(signIn.status).toBe(429);
  });

  it('let a person ask the API as often as they may, and no more', async () => {
    await deploy({ api: LIMIT });
    const asked = await letThrough(async (node) => {
      const answer = await fetch(`${node.nodeUrl}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': ada.token } });
      return answer.status;
    });
    expect(asked).toEqual(letThroughAs(200));
  });

  it('mail as often for an account as may be within an hour, and no more', async () => {
    await deploy({});
    let serial = 0;
    const addAddress = async (node: TestService): Promise<number> => {
      const json = { email: `ada-${(serial += 1)}@example.com` };
      return (await node.nodeCall('POST', '/user/emails', { token: ada.token, json })).status;
    };
    const [left, right] = deployment.nodes;
    const answers = await Promise.all([left, right, left, right, left, right, left, right].map(addAddress));
    expect(answers.sort()).toEqual([...Array<number>(CONFIRMATIONS_AN_HOUR).fill(201), 429, 429, 429]);
    expect([await addAddress(left), await addAddress(right)]).toEqual([429, 429]);
  });
});
