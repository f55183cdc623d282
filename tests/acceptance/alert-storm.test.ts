import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { LateRequest } from '../support/late-request.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const SENDERS = 48;
const KINDS = 10;
const OTHER_WRITES = 30;

/** The built service, as it is run: where the database works in its own thread, a storm is taken in another one. */
describeEachDatabase('a storm of alerts on the built service', (openTestDatabase) => {
  let databaseUrl: string;
  let service: ServiceProcess;
  let running = true;
  let owner: TestUser;
  let projectId: number;
  let integration: IntegrationBody;
  const key = randomBytes(32);

  beforeAll(async () => {
    databaseUrl = await openTestDatabase();
    const preparing = await TestService.start(databaseUrl, {}, key);
    owner = await preparing.addUser('ada');
    const place = await AlertingProject.create(preparing, owner, 'engine');
    await place.call('PUT', '/alert_settings', { create_incident: false });
    projectId = place.id;
    const given = await place.integrate();
    await preparing.close();
    const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: key.toString('base64'), RATE_LIMIT_ALERTS: 'off' };
    service = await ServiceProcess.start(settings);
    integration = { ...given, url: `${service.url}${new URL(given.url).pathname}` };
  });

  afterAll(async () => {
    if (running) await service.end('SIGKILL');
  });

  const acknowledged = new Map<string, number>();
  const storm = async (goesOn: () => boolean): Promise<void> => {
    const send = async (sender: number): Promise<void> => {
      for (let turn = sender; goesOn(); turn += 1) {
        const title = `kind ${turn % KINDS}`;
        const { status } = await sendAlert(integration, { title, fingerprint: title }).catch(() => ({ status: 0 }));
        if (status === 200) acknowledged.set(title, (acknowledged.get(title) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  };

  const writeElsewhere = async (number: number): Promise<number> => {
    const response = await fetch(`${service.url}/api/v4/projects/${projectId}/labels`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': owner.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `label ${number}`, color: '#112233' }),
    });
    return response.status;
  };

  it('leaves everybody else who writes their turn', async () => {
    const statuses: number[] = [];
    await Promise.all([
      storm(() => statuses.length < OTHER_WRITES),
      (async () => {
        for (let number = 0; number < OTHER_WRITES; number += 1) statuses.push(await writeElsewhere(number));
      })(),
    ]);
    expect(statuses).toEqual(Array.from({ length: OTHER_WRITES }, () => 201));
  });

  it('is counted in the metrics', async () => {
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    const counted = Number(/gatehouse_alerts_total\{outcome="counted"\} (\d+)/.exec(metrics)?.[1]);
    expect(counted).toBe([...acknowledged.values()].reduce((sum, times) => sum + times, 0) - KINDS);
  });

  it.each([
    ['what is no JSON', '{"title"', 400, { error: 'The payload is not valid JSON.' }],
    ['what is no object', '[]', 400, { error: 'The payload must be a JSON object.' }],
    [
      'what nests too deep',
      `{"title":${'['.repeat(101)}${']'.repeat(101)}}`,
      400,
      { error: 'The payload nests deeper than 100 levels.' },
    ],
  ])('refuses %s in the same words as ever', async (_name, payload, status, body) => {
    expect(await sendAlert(integration, payload)).toMatchObject({ status, body });
  });

  it('judges a body by what its integration is when it comes', async () => {
    const edit = async (method: string, path: string, json: object = {}): Promise<unknown> => {
      const response = await fetch(`${service.url}/api/v4/projects/${projectId}/alert_integrations${path}`, {
        method,
        headers: { 'PRIVATE-TOKEN': owner.token, 'Content-Type': 'application/json' },
        body: JSON.stringify(json),
      });
      return response.status === 204 ? undefined : response.json();
    };
    const made = (await edit('POST', '', { type: 'http_endpoint', name: 'Late' })) as IntegrationBody;
    const endpoint = { ...made, url: service.url + new URL(made.url).pathname };
    const begin = () => LateRequest.beginAlert(endpoint, JSON.stringify({ title: 'Late' }));
    const statuses: number[] = [];
    for (const change of [
      () => edit('PUT', `/${made.id}`, { active: false }),
      () => edit('POST', `/${made.id}/reset_token`),
      () => edit('DELETE', `/${made.id}`),
    ]) {
      const late = await begin();
      await sleep(100);
      await change();
      statuses.push((await late.finish()).status);
      const shown = (await edit('PUT', `/${made.id}`, { active: true })) as Partial<IntegrationBody>;
      Object.assign(endpoint, { token: shown.token });
    }
    expect(statuses).toEqual([403, 401, 404]);
  });

  it('answers a request of one Idempotency-Key once, and refuses another body under it', async () => {
    const headers = { 'Idempotency-Key': 'only once' };
    const first = await sendAlert(integration, { title: 'Once' }, headers);
    expect(first).toMatchObject({ status: 200, body: [{ title: 'Once' }] });
    expect((await sendAlert(integration, { title: 'Once' }, headers)).body).toEqual(first.body);
    expect(await sendAlert(integration, { title: 'Twice' }, headers)).toMatchObject({ status: 422 });
  });

  it('has all that was acknowledged when it is told to end in its midst', async () => {
    const sum = () => [...acknowledged.values()].reduce((all, times) => all + times, 0);
    const before = sum();
    const ending = storm(() => running);
    await until(() => Promise.resolve(sum() > before + SENDERS));
    const ended = await service.end('SIGTERM');
    running = false;
    await ending;
    expect(ended).toBe(0);
    const after = await TestService.start(databaseUrl, {}, key);
    try {
      const alerts = await AlertingProject.of(after, owner, projectId).alerts('&search=kind');
      const events = new Map(alerts.map((alert) => [alert.title, alert.events]));
      expect([...events.values()].reduce((all, times) => all + times, 0)).toBeGreaterThan(before);
      for (const [title, times] of acknowledged) expect(events.get(title)).toBeGreaterThanOrEqual(times);
    } finally {
      await after.close();
    }
  });
});
