import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const fired = (labels: object, fields: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'Down', ...labels },
  annotations: { summary: 'The engine is down' },
  startsAt: '2026-03-01T12:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
  fingerprint: 'abc',
  ...fields,
});
const fromAlertmanager = (alerts: readonly object[]) => ({
  version: '4',
  groupKey: '{}',
  status: 'firing',
  receiver: 'gatehouse',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example',
  alerts,
});

describeEachDatabase('alerts', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let developer: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    developer = await service.addUser('developer');
  });

  afterAll(() => service.close());

  const project = () => AlertingProject.create(service, ada, `engine-${(serial += 1)}`);
  const integrated = async (type = 'generic') => {
    const place = await project();
    return { place, integration: await place.integrate(type) };
  };

  describe('that arrive', () => {
    it('are opened with every field read, cut and defaulted', async () => {
      const { place, integration } = await integrated();
      const payload = {
        title: 'Disk full',
        description: 'No space left',
        service: 'db',
        monitoring_tool: 'probe',
        hosts: ['a', ['b', 3]],
        severity: 'HIGH',
        platform_environment_name: 'production',
        start_time: '2026-03-01 12:00:00',
        custom: { deep: [1] },
      };
      expect(await sendAlert(integration, payload)).toMatchObject({
        status: 200,
        body: [{ iid: 1, title: 'Disk full' }],
      });
      const [alert] = await place.alerts();
      expect(alert).toMatchObject({
        title: 'Disk full',
        description: 'No space left',
        service: 'db',
        monitoring_tool: 'probe',
        hosts: ['a', 'b', '3'],
        severity: 'high',
        environment: 'production',
        started_at: '2026-03-01T12:00:00.000Z',
        ended_at: null,
        status: 'triggered',
        events: 1,
        payload,
      });
      await sendAlert(integration, {});
      expect((await place.alerts()).find(({ iid }) => iid === 2)).toMatchObject({
        title: 'New: Incident',
        severity: 'critical',
        hosts: [],
      });
    });

    it('are counted while one of their fingerprint is open, whatever else they say, and opened anew when it is resolved', async () => {
      const { place, integration } = await integrated();
      for (const title of ['first', 'second', 'third']) await sendAlert(integration, { title, fingerprint: 'same' });
      expect(await place.alerts()).toMatchObject([{ title: 'first', events: 3 }]);
      await place.call('PUT', '/alert_management_alerts/1', { status: 'ignored' });
      await sendAlert(integration, { title: 'fourth', fingerprint: 'same' });
      expect(await place.alerts()).toMatchObject([{ status: 'ignored', events: 4 }]);
      await place.call('PUT', '/alert_management_alerts/1', { status: 'resolved' });
      await sendAlert(integration, { title: 'fifth', fingerprint: 'same' });
      expect((await place.alerts('&order_by=created_at&sort=asc')).map(({ events }) => events)).toEqual([4, 1]);
    });

    it('are grouped by what they say where they carry no fingerprint, but for times and hosts and the order of keys', async () => {
      const { place, integration } = await integrated();
      await sendAlert(integration, '{"title":"T","custom":{"a":1,"b":2},"hosts":["x"],"start_time":"2026-03-01"}');
      await sendAlert(integration, '{"custom":{"b":2,"a":1},"title":"T","hosts":["y"]}');
      expect(await place.alerts()).toMatchObject([{ events: 2 }]);
      await sendAlert(integration, { title: 'T', custom: { a: 1, b: 3 } });
      expect(await place.alerts()).toHaveLength(2);
    });

    it('keep fingerprints of different kinds apart', async () => {
      const { place, integration } = await integrated();
      for (const fingerprint of ['a', ['a'], { a: 1 }, 1, true])
        await sendAlert(integration, { title: 'T', fingerprint });
      expect(await place.alerts()).toHaveLength(5);
    });

    it('with an end resolve what is open, and nothing else', async () => {
      const { place, integration } = await integrated();
      const end_time = '2026-03-01T13:00:00Z';
      expect(await sendAlert(integration, { fingerprint: 'x', end_time })).toMatchObject({ status: 200, body: [] });
      expect(await place.alerts()).toEqual([]);
      await sendAlert(integration, { fingerprint: 'x' });
      expect((await sendAlert(integration, { fingerprint: 'x', end_time })).body).toEqual([
        { iid: 1, title: 'New: Incident' },
      ]);
      expect(await place.alerts()).toMatchObject([
        { status: 'resolved', ended_at: '2026-03-01T13:00:00.000Z', events: 1 },
      ]);
      await sendAlert(integration, { fingerprint: 'x', end_time: 'not a time' });
      expect(await place.alerts()).toHaveLength(2);
    });

    it('two hundred at once are one open alert', async () => {
      const { place, integration } = await integrated();
      const answers = await Promise.all(Array.from({ length: 200 }, () => sendAlert(integration, { title: 'storm' })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await place.alerts()).toMatchObject([{ events: 200, issue_iid: 1 }]);
    });

    it('are all taken where the Idempotency-Key is blank: it names nothing', async () => {
      const { place, integration } = await integrated();
      for (const title of ['One', 'Other'])
        expect((await sendAlert(integration, { title }, { 'Idempotency-Key': '' })).status).toBe(200);
      expect(await place.alerts()).toHaveLength(2);
    });

    it('leave the addresses of the API to the API', async () => {
      const post = async (path: string) => {
        const response = await fetch(service.url + path, { method: 'POST' });
        return [response.status, Object.keys((await response.json()) as object)[0]];
      };
      expect(await post('/api/v3/projects/x/alerts/notify.json')).toEqual([410, 'error']);
      expect(await post('/api/v4/projects/alerts/notify.json')).toEqual([404, 'error']);
      expect(await post('/somebody/nothing/alerts/notify.json')).toEqual([404, 'message']);
    });

    it('of one long request leave time for others', async () => {
      const { integration } = await integrated('prometheus');
      const answeredBeside = async (body: object): Promise<number> => {
        const ended = sendAlert(integration, body).then(({ status }) => status);
        let answered = 0;
        // A pause in between: without one the questions alone would keep a small machine busy.
        while (!(await Promise.race([ended, fetch(`${service.url}/-/liveness`).then(() => sleep(5, 0))])))
          answered += 1;
        expect(await ended).toBe(200);
        return answered;
      };
      let most = 0;
      // A busy machine may leave none for a while; one that answers nobody else meanwhile does so each time.
      for (let request = 1; request <= 5 && most <= 3; request += 1) {
        const summaries = Array.from({ length: 1_000 }, (_, index) => `a${request} ${index}`);
        const alerts = summaries.map((summary) => fired({}, { annotations: { summary } }));
        most = Math.max(most, await answeredBeside(fromAlertmanager(alerts)));
      }
      expect(most).toBeGreaterThan(3);
    });

    it('are counted once when their Idempotency-Key comes again, and refused with it for another body', async () => {
      const { place, integration } = await integrated();
      const key = { 'Idempotency-Key': 'once' };
      const answers = await Promise.all([1, 2, 3].map(() => sendAlert(integration, { title: 'T' }, key)));
      expect(answers.map(({ body }) => body)).toEqual(Array(3).fill([{ iid: 1, title: 'T' }]));
      expect(await place.alerts()).toMatchObject([{ events: 1 }]);
      expect((await sendAlert(integration, { title: 'other' }, key)).status).toBe(422);
      service.clock.advance(25 * 3_600_000);
      await service.service.container.get(TOKENS.cleanUp)();
      await sendAlert(integration, { title: 'T' }, key);
      expect(await place.alerts()).toMatchObject([{ events: 2 }]);
    });
  });

  describe('of Prometheus', () => {
    it('are taken element by element, and end by their status', async () => {
      const { place, integration } = await integrated('prometheus');
      const alerts = [
        fired({ severity: 'warning' }),
        fired({ alertname: 'Slow' }, { annotations: {}, startsAt: 'x' }),
        { status: 'firing' },
      ];
      expect((await sendAlert(integration, fromAlertmanager(alerts))).body).toEqual([
        { iid: 1, title: 'The engine is down' },
        { iid: 2, title: 'Slow' },
      ]);
      await sendAlert(integration, fromAlertmanager([alerts[0] ?? {}]));
      expect((await place.alerts('&order_by=created_at&sort=asc'))[0]).toMatchObject({
        events: 2,
        severity: 'low',
        monitoring_tool: 'Prometheus',
      });
      const ended = { ...alerts[0], status: 'resolved', endsAt: '2026-03-01T12:30:00Z' };
      await sendAlert(integration, fromAlertmanager([ended]));
      const [first] = await place.alerts('&status=resolved');
      expect(first).toMatchObject({ iid: 1, ended_at: '2026-03-01T12:30:00.000Z' });
    });

    it('are recognised at every address, and nothing else is at theirs', async () => {
      const { place, integration } = await integrated();
      await sendAlert(integration, fromAlertmanager([fired({})]));
      expect(await place.alerts()).toMatchObject([{ monitoring_tool: 'Prometheus' }]);
      const prometheus = await place.integrate('prometheus');
      expect((await sendAlert(prometheus, { title: 'T' })).status).toBe(422);
      expect((await sendAlert(prometheus, { ...fromAlertmanager([]), version: '3' })).status).toBe(422);
    });
  });

  describe('at the door', () => {
    const status = async (integration: Pick<IntegrationBody, 'url' | 'token'>, body: unknown = {}, headers = {}) =>
      (await sendAlert(integration, body, headers)).status;

    it('are refused in a fixed order: address, key, switch, body', async () => {
      const { place, integration } = await integrated();
      const [nowhere, wrong] = [integration.url.replace('engine', 'nowhere'), { ...integration, token: 'wrong' }];
      expect(await status({ ...integration, url: nowhere }, '{')).toBe(404);
      expect(await status(wrong, '{')).toBe(401);
      await place.call('PUT', `/alert_integrations/${integration.id}`, { active: false });
      expect(await status(wrong, '{')).toBe(401);
      expect(await status(integration, '{')).toBe(403);
      expect((await place.call<IntegrationBody>('GET', `/alert_integrations/${integration.id}`)).body).toMatchObject({
        url: null,
        token: null,
      });
      await place.call('PUT', `/alert_integrations/${integration.id}`, { active: true });
      expect(await status(integration, '{')).toBe(400);
      expect(await status(integration, 'x'.repeat(1_048_576))).toBe(413);
      expect(await status(integration, '{}', { 'Content-Type': 'text/plain' })).toBe(415);
      expect(await place.alerts()).toEqual([]);
    });

    it('take the key as Bearer or as the password of Basic, and of one integration alone', async () => {
      const { place, integration } = await integrated();
      const other = await place.integrate('http_endpoint', { name: 'Nagios & Co' });
      expect(other.url).toMatch(/\/alerts\/notify\/nagios-co\/[0-9a-f]{16}\.json$/);
      const basic = `Basic ${Buffer.from(`:${integration.token}`).toString('base64')}`;
      expect(await status(integration, {}, { Authorization: basic })).toBe(200);
      expect(await status(other)).toBe(200);
      expect(await status({ url: other.url.replace('nagios-co', 'renamed'), token: other.token })).toBe(200);
      expect(await status({ url: other.url, token: integration.token })).toBe(401);
      const reset = await place.call<IntegrationBody>('POST', `/alert_integrations/${other.id}/reset_token`);
      expect(await status(other)).toBe(401);
      expect(await status({ ...other, token: reset.body.token })).toBe(200);
    });

    it.each([
      ['no JSON', '{"a":'],
      ['a list', '[]'],
      ['a scalar', '1'],
      ['nothing', ''],
      ['101 levels', '{"a":'.repeat(101) + '1' + '}'.repeat(101)],
      ['100,000 levels', '['.repeat(100_000)],
      ['10,001 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, 1])))],
      ['a number beyond range', '{"a":1e999}'],
      ['half a character', '{"a":"\\ud800"}'],
    ])('refuse %s with 400', async (_name, body) => {
      const { place, integration } = await integrated();
      const answer = await sendAlert(integration, body);
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['error']]);
      expect(await place.alerts()).toEqual([]);
    });

    it('take hostile values for what they are', async () => {
      const { place, integration } = await integrated();
      const payload =
        '{"title":"a\\u0000b","severity":"CRITICAL\\u0000","hosts":[{"x":1},"<script>"],"x":1,"x":2,"__proto__":{"a":1}}';
      expect((await sendAlert(integration, payload)).status).toBe(200);
      expect(await place.alerts()).toMatchObject([
        { title: 'ab', severity: 'critical', hosts: ['{"x":1}', '<script>'], payload: { x: 2 } },
      ]);
      await sendAlert(integration, { title: 'x'.repeat(300), hosts: Array.from({ length: 100_000 }, () => 'h') });
      const [, cut] = await place.alerts('&sort=asc&order_by=created_at');
      expect([cut?.title.length, (cut as unknown as { hosts: string[] }).hosts.length]).toEqual([200, 255]);
    });
  });

  describe('and their incidents', () => {
    const issue = (place: AlertingProject, iid: number) =>
      place.call<{ state: string; labels: string[]; type: string; author: { username: string }; description: string }>(
        'GET',
        `/issues/${iid}`,
      );

    it('open with a description, a label and the bot as author, and close and reopen with the alert', async () => {
      const { place, integration } = await integrated();
      await sendAlert(integration, {
        title: 'T',
        fingerprint: 'f',
        service: 'db',
        severity: 'low',
        start_time: '2026-03-01T14:05:00Z',
      });
      expect((await issue(place, 1)).body).toMatchObject({
        state: 'opened',
        type: 'INCIDENT',
        severity: 'LOW',
        labels: ['incident'],
        author: { username: 'alert-bot' },
        description: expect.stringContaining(
          '**Start time:** 01 March 2026, 2:05PM (UTC)  \n**Severity:** low  \n**Service:** db',
        ),
      });
      await sendAlert(integration, { fingerprint: 'f', end_time: '2026-03-01T15:00:00Z' });
      expect((await issue(place, 1)).body.state).toBe('closed');
      await place.call('PUT', '/alert_management_alerts/1', { status: 'triggered' });
      expect((await issue(place, 1)).body.state).toBe('opened');
      const notes = (await place.call<{ system: boolean; body: string }[]>('GET', '/issues/1/notes?sort=asc')).body;
      expect(notes.map(({ body }) => body)).toEqual([
        'closed: alert ^alert#1 was resolved',
        'reopened: alert ^alert#1 was reopened',
      ]);
    });

    it('say what Prometheus asked, too', async () => {
      const { place, integration } = await integrated('prometheus');
      await sendAlert(
        integration,
        fromAlertmanager([fired({}, { generatorURL: 'http://p/graph' }), fired({ alertname: 'Slow' })]),
      );
      const told = await Promise.all([1, 2].map(async (iid) => (await issue(place, iid)).body.description));
      expect(told.map((text) => text.includes('**Query:**'))).toEqual([false, true]);
      expect(told[1]).toContain('**Query:** `up == 0`  \n');
    });

    it('have an author whom no administrator can remove or take over, and open on', async () => {
      const { place, integration } = await integrated();
      await sendAlert(integration, { fingerprint: 'before' });
      const { token } = await service.addUser(`admin-${(serial += 1)}`, { admin: true });
      const [bot] = (await service.call<{ id: number }[]>('GET', '/users?username=alert-bot', { token })).body;
      const administer = (method: string, path = '', json?: object) =>
        service.call(method, `/users/${bot?.id}${path}`, { token, ...(json === undefined ? {} : { json }) });
      const refusals = [
        await administer('DELETE'),
        await administer('PUT', '', { username: 'nobody' }),
        await administer('PUT', '', { password: 'a-difference-engine' }),
        await administer('POST', '/block'),
      ];
      for (const { status, body } of refusals) {
        expect([status, body]).toEqual([
          403,
          { message: '403 Forbidden - This account belongs to the service and stays as it is' },
        ]);
      }
      expect((await sendAlert(integration, { fingerprint: 'after' })).status).toBe(200);
      expect((await issue(place, 2)).body).toMatchObject({ author: { username: 'alert-bot' } });
    });

    it('that a person closes resolve their alert', async () => {
      const { place, integration } = await integrated();
      await sendAlert(integration, { fingerprint: 'f' });
      await place.call('PUT', '/issues/1', { state_event: 'close' });
      expect(await place.alerts()).toMatchObject([{ status: 'resolved' }]);
    });

    it('are opened and closed only where the project wants it', async () => {
      const { place, integration } = await integrated();
      expect((await place.call('PUT', '/alert_settings', { auto_close_incident: false })).body).toEqual({
        create_incident: true,
        auto_close_incident: false,
        send_email: false,
      });
      await sendAlert(integration, { fingerprint: 'f' });
      await sendAlert(integration, { fingerprint: 'f', end_time: '2026-03-01T15:00:00Z' });
      expect(await place.alerts()).toMatchObject([{ status: 'resolved' }]);
      expect((await issue(place, 1)).body.state).toBe('opened');
      await place.call('PUT', '/alert_settings', { create_incident: false });
      await sendAlert(integration, { fingerprint: 'g' });
      expect((await place.alerts('&status=triggered'))[0]).toMatchObject({ issue_iid: null });
    });

    it('a status that would make two open alerts of a fingerprint is a 409', async () => {
      const { place, integration } = await integrated();
      await sendAlert(integration, { fingerprint: 'f' });
      await place.call('PUT', '/alert_management_alerts/1', { status: 'resolved' });
      await sendAlert(integration, { fingerprint: 'f' });
      const refused = await place.call('PUT', '/alert_management_alerts/1', { status: 'triggered' });
      expect([refused.status, refused.body]).toEqual([409, { message: 'Cannot have multiple unresolved alerts' }]);
    });
  });

  describe('integrations', () => {
    it('are one of a type, but for HTTP endpoints; a link stands alone', async () => {
      const { place } = await integrated();
      const add = (type: string, fields: object = {}) =>
        place.call('POST', '/alert_integrations', { type, name: 'N', ...fields });
      expect((await add('generic')).body).toEqual({
        message: { type: ['is there already: a project has one of it at most'] },
      });
      expect((await add('http_endpoint')).status).toBe(201);
      expect((await add('http_endpoint')).status).toBe(201);
      expect((await add('link', { api_url: 'https://pager.example' })).status).toBe(400);
      expect((await add('link', { api_url: 'https://pager.example', active: false })).body).toMatchObject({
        url: null,
        token: null,
        api_url: 'https://pager.example',
      });
      // Only a link leads to another product.
      const { body: endpoint } = await add('http_endpoint', { api_url: 'not looked at' });
      expect(endpoint).toMatchObject({ type: 'http_endpoint', api_url: null });
      const path = `/alert_integrations/${(endpoint as { id: number }).id}`;
      const edited = await place.call('PUT', path, { name: 'Renamed', api_url: 'https://pager.example' });
      expect([edited.status, edited.body]).toMatchObject([200, { name: 'Renamed', api_url: null }]);
      expect((await add('nonsense')).body).toMatchObject({ error: 'type does not have a valid value' });
    });

    it('are tested by developers, who see neither list nor key', async () => {
      const { place, integration } = await integrated();
      await place.call('POST', '/members', { user_id: developer.id, access_level: 30 });
      const asDeveloper = (method: string, path: string, json?: object) =>
        service.call(method, `/projects/${place.id}/alert_integrations${path}`, {
          token: developer.token,
          ...(json && { json }),
        });
      expect((await asDeveloper('GET', '')).status).toBe(403);
      expect((await asDeveloper('GET', `/${integration.id}`)).status).toBe(403);
      expect((await asDeveloper('POST', '/test', { payload: { title: 'Trial' } })).body).toEqual([
        { iid: 1, title: 'Trial' },
      ]);
      expect((await asDeveloper('POST', `/${integration.id}/test`, { payload: '{"title":"Trial"}' })).status).toBe(201);
      expect((await asDeveloper('POST', '/test', { payload: '{' })).body).toEqual({
        error: 'The payload is not valid JSON.',
      });
    });

    it('save and test a sample in one step, or nothing at all', async () => {
      const place = await project();
      const bad = await place.call('POST', '/alert_integrations', {
        type: 'http_endpoint',
        name: 'N',
        sample_payload: '{',
      });
      expect([bad.status, (await place.call<unknown[]>('GET', '/alert_integrations')).body]).toEqual([400, []]);
      const good = await place.call('POST', '/alert_integrations', {
        type: 'http_endpoint',
        name: 'N',
        sample_payload: { title: 'S' },
        test: true,
      });
      expect(good).toMatchObject({ status: 201, body: { test_result: [{ iid: 1, title: 'S' }] } });
    });

    it('log what was sent, refused and throttled, and take it again', async () => {
      const limited = await TestService.start(await openTestDatabase(), {
        rateLimits: { api: 'off', alerts: 4, signIn: 'off' },
      });
      try {
        const place = await AlertingProject.create(limited, await limited.addUser('ada'), 'limited');
        const [first, second] = [await place.integrate(), await place.integrate('http_endpoint')];
        await sendAlert(first, { title: 'T' });
        await sendAlert(first, '{');
        await sendAlert(first, { title: 'T' });
        const [{ id: latest }] = (
          await place.call<[{ id: number }]>('GET', `/alert_integrations/${first.id}/deliveries`)
        ).body;
        const replayed = await place.call('POST', `/alert_integrations/${first.id}/deliveries/${latest}/replay`);
        expect(replayed).toMatchObject({ status: 201, body: [{ iid: 1 }] });
        const throttled = await sendAlert(first, { title: 'T' });
        expect([throttled.status, Number(throttled.headers.get('retry-after')) > 0]).toEqual([429, true]);
        expect((await sendAlert(second, { title: 'T' })).status).toBe(200);
        const log = (
          await place.call<{ id: number; outcome: string; reason: string; status: number }[]>(
            'GET',
            `/alert_integrations/${first.id}/deliveries`,
          )
        ).body;
        expect(log.map(({ outcome, reason, status }) => [outcome, reason, status])).toEqual([
          ['throttled', 'This endpoint has been requested too many times. Try again later.', 429],
          ['accepted', 'counted', 200],
          ['accepted', 'counted', 200],
          ['refused', 'The payload is not valid JSON.', 400],
          ['accepted', 'opened', 200],
        ]);
        expect(await place.alerts()).toMatchObject([{ events: 4 }]);
        expect(await (await fetch(`${limited.url}/-/metrics`)).text()).toContain(
          'gatehouse_alerts_total{outcome="throttled"} 1',
        );
      } finally {
        await limited.close();
      }
    });

    it('keep their keys out of the log', async () => {
      const { integration } = await integrated();
      await sendAlert(integration, { title: 'T' });
      expect(JSON.stringify(service.logger.lines)).not.toContain(integration.token);
    });
  });

  it('are listed by status, severity, environment and text, the worst first', async () => {
    const { place, integration } = await integrated();
    for (const [title, severity] of [
      ['one', 'low'],
      ['two', 'critical'],
      ['three', 'medium'],
    ]) {
      await sendAlert(integration, {
        title,
        severity,
        gitlab_environment_name: title === 'two' ? 'staging' : 'production',
      });
    }
    const titles = async (query: string) => (await place.alerts(query)).map(({ title }) => title);
    expect(await titles('&order_by=severity')).toEqual(['two', 'three', 'one']);
    expect(await titles('&environment=staging')).toEqual(['two']);
    expect(await titles('&search=THRE')).toEqual(['three']);
    expect(await titles('&severity=low')).toEqual(['one']);
    await place.call('PUT', '/alert_management_alerts/1', { status: 'acknowledged' });
    expect(await titles('&status=acknowledged,resolved')).toEqual(['one']);
    expect(
      (await service.call('GET', `/projects/${place.id}/alert_management_alerts`, { token: developer.token })).status,
    ).toBe(404);
  });
});
