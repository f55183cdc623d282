import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillDemo } from '../../../src/infrastructure/demo/fill-demo.js';
import { OAUTH_TOKENS } from '../../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../../src/infrastructure/composition/tokens.js';
import { PASSWORD, type FormBrowser } from '../../support/form-browser.js';
import { AlertingProject, sendAlert, type IntegrationBody } from '../../support/alerting.js';
import { describeDatabase } from '../../support/databases.js';
import { CALLBACK, newProof, OAuthClient, signedIn } from '../../support/oauth-client.js';
import { recordRoundTrips } from '../../support/round-trips.js';
import { TestService, type TestUser } from '../../support/test-service.js';

/** What a group of alerts may cost, whatever its size. */
const ROUND_TRIPS = 8;
const TRIES = 10;

describeDatabase('postgres', 'the round trips to the database', (openTestDatabase) => {
  const recorded = recordRoundTrips();
  let service: TestService;
  let integration: IntegrationBody;
  let ada: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    const place = await AlertingProject.create(service, ada, 'engine');
    await place.call('PUT', '/alert_settings', { create_incident: true, send_email: true });
    integration = await place.integrate();
    await send(1);
    // Whom to tell by mail is found out afterwards, one cause at a time.
    await service.service.container.get(TOKENS.jobLoop).stop();
  });

  afterAll(() => service.close());

  const personalToken = () => service.addToken(ada.id, ['api']);

  const body = (count: number, status: 'firing' | 'resolved', first: number) => ({
    version: '4',
    groupKey: 'group',
    status,
    receiver: 'gatehouse',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'https://alertmanager.example',
    alerts: Array.from({ length: count }, (_, index) => ({
      status,
      labels: { alertname: `Cog ${first + index} jams` },
      annotations: {},
      startsAt: '2026-03-01T12:00:00Z',
      endsAt: status === 'resolved' ? '2026-03-01T13:00:00Z' : '0001-01-01T00:00:00Z',
      generatorURL: 'https://prometheus.example/graph',
      fingerprint: `fingerprint-${first + index}`,
    })),
  });

  /** Sends so many new alerts at once. @returns the number of the first. */
  const send = async (count: number): Promise<number> => {
    const first = serial + 1;
    serial += count;
    const { status, body: touched } = await sendAlert(integration, body(count, 'firing', first));
    expect([status, (touched as unknown[]).length]).toEqual([200, count]);
    return first;
  };

  /** The transactions of a work that had statements with some words. */
  const during = async (words: string, work: () => Promise<unknown>) => {
    const before = recorded.transactions.length;
    await work();
    return recorded.of(words).filter((each) => recorded.transactions.indexOf(each) >= before);
  };

  it.each([1, 64, 400])('of %d new alerts with incidents and mails are eight at most', async (count) => {
    const [group, ...others] = await during('insert into alerts ', () => send(count));
    expect(others).toEqual([]);
    expect(group?.roundTrips).toBeLessThanOrEqual(ROUND_TRIPS);
    expect(group?.statements.filter((text) => text.startsWith('insert into issues '))).toHaveLength(1);
  });

  it('are the same statements for ten alerts as for four hundred', async () => {
    const [few] = await during('insert into alerts ', () => send(10));
    const [many] = await during('insert into alerts ', () => send(400));
    expect(many?.statements.toSorted()).toEqual(few?.statements.toSorted());
  });

  it('of repeats are four at most', async () => {
    const first = await send(100);
    const [group, ...others] = await during('update alerts ', () => sendAlert(integration, body(100, 'firing', first)));
    expect(others).toEqual([]);
    expect(group?.roundTrips).toBeLessThanOrEqual(4);
  });

  it('of alerts that end with their incidents are eight at most', async () => {
    const first = await send(100);
    const [group, ...others] = await during('update alerts ', () =>
      sendAlert(integration, body(100, 'resolved', first)),
    );
    expect(others).toEqual([]);
    expect(group?.roundTrips).toBeLessThanOrEqual(ROUND_TRIPS);
    expect(group?.statements.filter((text) => text.startsWith('insert into notes '))).toHaveLength(1);
  });

  it('of to-dos, as a page and by the API, are the same statements for nine as for two', async () => {
    const person = await signedIn(service, 'ada');
    const { body: project } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: 'Loom' },
    });
    const issues = `/projects/${project.id}/issues`;
    const ask = async () => {
      const { body: issue } = await service.call<{ iid: number }>('POST', issues, {
        token: ada.token,
        json: { title: 'Leak', assignee_ids: [ada.id] },
      });
      expect((await service.call('POST', `${issues}/${issue.iid}/todo`, { token: ada.token })).status).toBe(201);
    };
    const api = () => service.call('GET', '/todos', { token: ada.token });
    const statements = async () => {
      const asked = /from "(?:todos|subjects|issues|issue_assignees|notes|projects|merge_requests)"/;
      const counted: number[] = [];
      for (const ask of [() => person.get('/dashboard/todos'), api])
        counted.push((await recorded.outside(asked, ask)).statements.length);
      return counted;
    };
    for (let count = 0; count < 2; count += 1) await ask();
    const forTwo = await statements();
    for (let count = 0; count < 7; count += 1) await ask();
    expect([forTwo, await statements()]).toEqual([forTwo, forTwo]);
  });

  it('of a code exchange and of a refresh are one to read and one to write', async () => {
    const person = await signedIn(service, 'ada');
    const client = await OAuthClient.register(service);
    const reading = /"oauth_(?:applications|authorization_codes|refresh_tokens)"/;
    const cost = async (work: () => Promise<unknown>) => {
      let written: readonly number[] = [];
      const read = await recorded.outside(reading, async () => {
        written = (await during('insert into oauth_refresh_tokens', work)).map(({ roundTrips }) => roundTrips);
      });
      return { read: read.roundTrips, written };
    };
    // The first time is on a connection that has not prepared the statements, the second on one that has.
    for (let time = 0; time < 2; time += 1) {
      const { verifier, challenge } = newProof();
      const code = await client.code(person, { code_challenge: challenge, code_challenge_method: 'S256' });
      let refreshToken = '';
      const exchange = await cost(async () => {
        const { status, body: tokens } = await client.redeem(code, { code_verifier: verifier });
        expect(status).toBe(200);
        refreshToken = tokens.refresh_token;
      });
      const refresh = await cost(async () => {
        expect((await client.refresh(refreshToken)).status).toBe(200);
      });
      expect({ exchange, refresh }).toEqual({
        exchange: { read: 1, written: [1] },
        refresh: { read: 1, written: [1] },
      });
    }
  });

  it('of code exchanges that come together are those of one', async () => {
    const person = await signedIn(service, 'ada');
    const client = await OAuthClient.register(service);
    const { redeemCode, applicationReader } = service.service.container.get(OAUTH_TOKENS.oauth);
    const asking = Promise.resolve((await applicationReader.find(client.application.id))!);
    const codes: string[] = [];
    for (let count = 0; count < 16; count += 1) codes.push(await client.code(person));
    const exchange = { asking, redirectUri: CALLBACK, codeVerifier: undefined };
    const written = await during('insert into oauth_refresh_tokens', async () => {
      const results = await Promise.all(codes.map((code) => redeemCode.execute({ ...exchange, code })));
      expect(results.map(({ outcome }) => outcome)).toEqual(codes.map(() => 'issued'));
    });
    expect(written.map(({ roundTrips }) => roundTrips)).toEqual([1]);
  });

  describe('of a request outside of transactions are one', () => {
    const ofPeople = /from "(?:users|personal_access_tokens|oauth_)/;
    let browser: FormBrowser;
    let client: OAuthClient;
    beforeAll(async () => {
      browser = await signedIn(service, 'ada');
      client = await OAuthClient.register(service);
    });

    it.each([
      ['a personal access token', async () => ({ 'PRIVATE-TOKEN': await personalToken() })],
      ['a personal access token as a bearer', async () => ({ Authorization: `Bearer ${await personalToken()}` })],
      [
        'the token of an application',
        async () => ({ Authorization: `Bearer ${(await client.tokens(browser)).access_token}` }),
      ],
    ])('for GET /user by %s, the first time and later', async (_, makeHeaders) => {
      const headers = await makeHeaders();
      for (const _time of ['first', 'second']) {
        const { roundTrips } = await recorded.outside(ofPeople, async () => {
          expect((await service.call('GET', '/user', { headers })).status).toBe(200);
        });
        expect(roundTrips).toBe(1);
      }
    });

    it('for introspection, with who asks', async () => {
      const { access_token: token } = await client.tokens(browser);
      const { roundTrips, statements } = await recorded.outside(ofPeople, async () => {
        const { body } = await client.post('/oauth/introspect', { ...client.credentials, token });
        expect(body).toMatchObject({ active: true });
      });
      expect([roundTrips, statements.length]).toEqual([1, 2]);
    });
  });

  describe('of what people look at most', () => {
    let shown: TestService;
    let reading: string;
    let browser: FormBrowser;
    beforeAll(async () => {
      shown = await TestService.start(await openTestDatabase(), { demo: true });
      reading = (await fillDemo(shown.service)).token;
      await shown.service.container.get(TOKENS.jobLoop).stop();
      browser = await signedIn(shown, 'ada');
    });
    afterAll(() => shown.close());

    const api = async (address: string) => (await shown.call('GET', address, { token: reading })).status;
    const page = async (address: string) => (await browser.get(address)).status;

    it.each([
      ['/projects/engines%2Fcompiler', 5, api],
      ['/projects/engines%2Fcompiler/labels', 3, api],
      ['/projects/engines%2Fcompiler/repository/tree', 3, api],
      ['/projects/engines%2Fcompiler/issues', 6, api],
      ['/projects/engines%2Fcompiler/merge_requests', 5, api],
      ['/projects/engines%2Fcompiler/merge_requests/1', 7, api],
      ['/projects/engines%2Fcompiler/merge_requests/1/diffs', 6, api],
      ['/engines/compiler', 7, page],
      ['/engines/compiler/-/tree/HEAD', 6, page],
      ['/engines/compiler/-/merge_requests/1', 11, page],
      ['/engines/compiler/-/merge_requests/1/diffs', 9, page],
    ])('are bounded for %s', async (address, most, open) => {
      // The first time more may be found out, and kept.
      await open(address);
      let least = Infinity;
      // On a busy machine what goes out side by side may be seen as one after the other, never the other way round.
      for (let time = 0; least > most && time < TRIES; time += 1) {
        const { roundTrips } = await recorded.outside(/./, async () => {
          expect(await open(address)).toBe(200);
        });
        least = Math.min(least, roundTrips);
      }
      expect(least).toBeLessThanOrEqual(most);
    });
  });

  it('of a storm are eight at most a group', async () => {
    const groups = await during('insert into alerts ', () => Promise.all(Array.from({ length: 64 }, () => send(1))));
    expect(groups.length).toBeLessThan(32);
    for (const { roundTrips } of groups) expect(roundTrips).toBeLessThanOrEqual(ROUND_TRIPS);
  });
});
