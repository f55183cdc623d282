import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { AttackTable } from '../support/attack-table.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

const MIB = 1_048_576;

describeEachDatabase('attacks on the alert intake', (openTestDatabase) => {
  const table = new AttackTable('D');
  let service: TestService;
  let ada: TestUser;
  let place: AlertingProject;
  let integration: IntegrationBody;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    place = await AlertingProject.create(service, ada, 'engine');
    integration = await place.integrate();
  });

  afterAll(() => service.close());

  const status = async (payload: unknown, headers: Record<string, string> = {}, at = integration) =>
    (await sendAlert(at, payload, headers)).status;

  /** A body that never ends by itself, until it is answered: how many bytes went out, and the answer. */
  const flood = (bytes: number) =>
    new Promise<{ status: number; sent: number }>((resolve, reject) => {
      let sent = 0;
      const chunk = Buffer.alloc(65_536, 'a');
      const headers = { Authorization: `Bearer ${integration.token}`, 'Content-Type': 'application/json' };
      const outgoing = request(integration.url, { method: 'POST', headers }, (answer) => {
        answer.resume();
        answer.once('close', () => resolve({ status: answer.statusCode ?? 0, sent }));
      });
      outgoing.on('error', (error) => (sent > 0 ? resolve({ status: 0, sent }) : reject(error)));
      const write = (): void => {
        while (sent < bytes && !outgoing.destroyed) {
          sent += chunk.length;
          if (!outgoing.write(chunk)) return void outgoing.once('drain', write);
        }
        outgoing.end();
      };
      write();
    });

  table.attack('D1', 'bodies without end are cut off at the limit', async () => {
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(Array.from({ length: 5 }, () => flood(50 * MIB)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([413]));
    expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(150);
    expect(await status({})).toBe(200);
    const declared = await sendAlert(integration, 'x'.repeat(2 * MIB));
    expect([declared.status, declared.headers.get('connection')]).toEqual([413, 'close']);
    return '413 for five of 50 MB at once; memory bounded; others served';
  });

  table.attack('D2', 'deep, wide and huge payloads are refused before they cost', async () => {
    const hostile = [
      '['.repeat(100_000),
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      `{${Array.from({ length: 80_000 }, (_, index) => `"${index}":1`).join(',')}}`,
      `{"a":1e${'9'.repeat(400)}}`,
    ];
    for (const payload of hostile)
      expect([payload.slice(0, 20), await status(payload)]).toEqual([payload.slice(0, 20), 400]);
    expect(await status(`{"title":"${'x'.repeat(10 * MIB)}"}`)).toBe(413);
    expect(await status('{"x":1,"x":2}')).toBe(200);
    return '400 and 413; of duplicate keys the last wins';
  });

  table.attack('D4', 'compressed bodies are not taken', async () => {
    expect(await status('{}', { 'Content-Encoding': 'gzip' })).toBe(415);
    return '415, nothing is inflated';
  });

  table.attack('D5', 'idle and half-open connections hold up nobody', async () => {
    const { hostname, port } = new URL(service.url);
    const sockets = await Promise.all(
      Array.from({ length: 300 }, () => {
        const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
        socket.on('error', () => undefined);
        return new Promise<typeof socket>((resolve) => socket.once('connect', () => resolve(socket)));
      }),
    );
    sockets.forEach((socket, index) =>
      socket.write(index % 2 === 0 ? 'POST /ada/engine/alerts/notify.json HTTP/1.1\r\n' : ''),
    );
    expect(await status({ title: 'beside them' })).toBe(200);
    sockets.forEach((socket) => socket.destroy());
    return '300 half-open connections: others are answered; headers 15 s, requests 60 s at most';
  });

  table.attack('D6', 'only its own key opens an integration', async () => {
    const other = await AlertingProject.create(service, ada, 'other');
    const foreign = await other.integrate();
    const send = (headers: Record<string, string>) => status({}, headers);
    for (const key of [
      '',
      'Bearer',
      'Bearer wrong',
      `Bearer ${foreign.token}`,
      `Bearer ${ada.token}`,
      'Basic x',
      'Digest a',
    ]) {
      expect([key.slice(0, 12), await send({ Authorization: key })]).toEqual([key.slice(0, 12), 401]);
    }
    await other.call('PUT', `/alert_integrations/${foreign.id}`, { active: false });
    expect(await status({}, {}, foreign)).toBe(403);
    expect(await status({}, {}, { ...foreign, token: 'wrong' })).toBe(401);
    return '401; 403 only with the right key; by digest, so time tells nothing';
  });

  table.attack('D7', 'guessed keys are counted where an operator sees them', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => status({}, { Authorization: `Bearer guess-${index}` })));
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/\*path\/alerts\/notify\.json",status="401"\} \d\d/,
    );
    expect(service.logger.lines.filter(({ fields }) => fields['status'] === 401).length).toBeGreaterThanOrEqual(20);
    return 'a line of the log and a metric each; a key has 128 random bits';
  });

  table.attack('D8', 'what alerts say is text, wherever it is shown', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const payload = {
      title: evil,
      description: evil,
      hosts: [evil],
      service: evil,
      monitoring_tool: evil,
      link: 'javascript:alert(1)',
      [evil]: evil,
    };
    const { body } = await sendAlert(integration, payload);
    const [{ iid }] = body as [{ iid: number }];
    const person = await signedIn(service, 'ada');
    const pages = ['', `/${iid}/details`].map((path) => person.get(`/ada/engine/-/alert_management${path}`));
    const incident = (await place.alerts()).find((alert) => alert.iid === iid)?.issue_iid ?? 0;
    for (const page of await Promise.all([...pages, person.get(`/ada/engine/-/issues/${incident}`)])) {
      const html = await page.text();
      expect(page.status).toBe(200);
      expect(html).not.toContain('<img src=x');
      expect(html).not.toMatch(/href="\s*javascript:/i);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    return 'escaped on list, alert and incident; nothing of it is a link; CSP';
  });

  table.attack('D10', 'first occurrences at once are one alert', async () => {
    await Promise.all(Array.from({ length: 100 }, () => status({ title: 'D10' })));
    expect(await place.alerts('&search=D10')).toMatchObject([{ events: 100 }]);
    return 'one open alert, events 100';
  });

  table.attack('D12', 'ends of nothing make nothing', async () => {
    const before = (await place.alerts()).length;
    for (let round = 0; round < 10; round += 1) {
      const payload = { title: 'D12', end_time: '2026-03-01T12:00:00Z' };
      const answers = await Promise.all(Array.from({ length: 100 }, () => sendAlert(integration, payload)));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['[]']));
    }
    expect((await place.alerts()).length).toBe(before);
    return '1,000 times: 200 with [], no alert, no incident';
  });

  table.attack('D14', 'odd hosts and severities fall back', async () => {
    for (const severity of ['CRITICAL\u0000', {}, [], 5, null, 'nonsense'])
      await status({ title: 'D14', fingerprint: JSON.stringify(severity), severity });
    expect(
      await status({ title: 'D14 hosts', hosts: Array.from({ length: 100_000 }, (_, index) => `h${index}`) }),
    ).toBe(200);
    const seen = (await place.alerts('&search=D14')) as unknown as { severity: string; hosts: string[] }[];
    expect(new Set(seen.map(({ severity }) => severity))).toEqual(new Set(['critical']));
    expect(Math.max(...seen.map(({ hosts }) => hosts.join('').length))).toBeLessThanOrEqual(255);
    return 'critical; all hosts together 255 characters';
  });

  table.attack('D15', 'a retry with its key counts once', async () => {
    const key = { 'Idempotency-Key': 'D15' };
    const answers = [
      await sendAlert(integration, { title: 'D15' }, key),
      await sendAlert(integration, { title: 'D15' }, key),
    ];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await place.alerts('&search=D15')).toMatchObject([{ events: 1 }]);
    return 'the same answer, counted once';
  });

  table.attack('D16', 'a storm is refused by its limit, accounted for, and touches no other', async () => {
    const limited = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 10, signIn: 'off' },
    });
    try {
      const stormy = await AlertingProject.create(limited, await limited.addUser('ada'), 'stormy');
      const [one, two] = [await stormy.integrate(), await stormy.integrate('http_endpoint')];
      const answers = await Promise.all(Array.from({ length: 60 }, () => sendAlert(one, { title: 'D16' })));
      expect(answers.filter((answer) => answer.status === 429)).toHaveLength(50);
      expect((await sendAlert(two, { title: 'calm' })).status).toBe(200);
      const log = await stormy.call<{ outcome: string }[]>(
        'GET',
        `/alert_integrations/${one.id}/deliveries?per_page=100`,
      );
      expect(log.body.filter(({ outcome }) => outcome === 'throttled')).toHaveLength(50);
      expect(await stormy.alerts('&search=D16')).toMatchObject([{ events: 10 }]);
    } finally {
      await limited.close();
    }
    return '50 of 60 refused with 429, each in the log and the metric; the other integration untouched';
  });

  table.attack('D17', 'changing an address reveals no secret', async () => {
    const link = await place.integrate('link', { api_url: 'https://pager.example', active: false });
    const edited = await place.call('PUT', `/alert_integrations/${link.id}`, { api_url: 'https://evil.example' });
    expect(edited.body).toMatchObject({ api_url: 'https://evil.example', token: null, url: null });
    return 'a link has no secret to send; keys are shown, never sent';
  });

  table.attack('D18', 'an address inside is never asked', async () => {
    const asked: string[] = [];
    const inside = createServer((incoming, answer) => {
      asked.push(incoming.url ?? '');
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const api_url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    const linked = await AlertingProject.create(service, ada, 'linked');
    const link = await linked.integrate('link', { api_url });
    expect((await linked.call('PUT', `/alert_integrations/${link.id}`, { active: false })).status).toBe(200);
    expect(
      (await linked.call('PUT', `/alert_integrations/${link.id}`, { active: true, api_url: `${api_url}again` })).status,
    ).toBe(200);
    expect((await linked.call('POST', '/alert_integrations/test', { payload: {} })).status).toBe(404);
    await sendAlert(integration, { title: 'D18', url: api_url, link: api_url });
    expect((await (await signedIn(service, 'ada')).get('/ada/linked/-/settings/operations')).status).toBe(200);
    inside.close();
    expect(asked).toEqual([]);
    return 'not offered: the address of a link is shown and never connected to';
  });

  table.attack('D19', 'a payload reaches nothing of another project', async () => {
    const other = await AlertingProject.create(service, ada, 'elsewhere');
    await status({
      title: 'D19',
      project_id: other.id,
      iid: 1,
      issue_iid: 1,
      platform_environment_name: 'other’s',
      status: 'resolved',
    });
    expect(await other.alerts()).toEqual([]);
    expect(await place.alerts('&search=D19')).toMatchObject([{ status: 'triggered' }]);
    return 'ids in a payload are payload';
  });

  table.attack('D20', 'keys are for maintainers alone', async () => {
    const developer = await service.addUser('developer', { password: PASSWORD });
    await place.call('POST', '/members', { user_id: developer.id, access_level: 30 });
    for (const path of ['', `/${integration.id}`, `/${integration.id}/deliveries`]) {
      expect(
        (await service.call('GET', `/projects/${place.id}/alert_integrations${path}`, { token: developer.token }))
          .status,
      ).toBe(403);
    }
    const page = await (await signedIn(service, 'developer')).get('/ada/engine/-/settings/operations');
    expect(await page.text()).not.toContain(integration.token);
    expect(JSON.stringify(service.logger.lines)).not.toContain(integration.token);
    return '403 by REST, absent from the page and the log';
  });

  table.attack('D22', 'test alerts are limited as requests are', async () => {
    const limited = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 20, alerts: 'off', signIn: 'off' },
    });
    try {
      const tested = await AlertingProject.create(limited, await limited.addUser('ada'), 'tested');
      await tested.integrate();
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => tested.call('POST', '/alert_integrations/test', { payload: {} })),
      );
      expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(20);
    } finally {
      await limited.close();
    }
    return '429 by RATE_LIMIT_API';
  });

  table.complete();
});
