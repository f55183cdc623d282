import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { AwaitedBodies } from '../support/awaited-bodies.js';
import { describeEachDatabase } from '../support/databases.js';
import { LateRequest } from '../support/late-request.js';
import { TestService, type TestUser } from '../support/test-service.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';

const BODY = JSON.stringify({ title: 'Late', fingerprint: 'late' });
/** Requests that a new state meets in the middle. */
const LATE = 5;
const STORM = 24;

describeEachDatabase('an alert whose body comes late', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let bodies: AwaitedBodies;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    bodies = new AwaitedBodies(service);
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const integrated = async () => {
    const place = await AlertingProject.create(service, ada, `engine-${(serial += 1)}`);
    return { place, integration: await place.integrate() };
  };
  const logOf = async (place: AlertingProject, { id }: IntegrationBody) =>
    (await place.call<{ status: number; payload: unknown }[]>('GET', `/alert_integrations/${id}/deliveries`)).body;

  const CHANGES = {
    'was switched off': {
      change: (place: AlertingProject, { id }: IntegrationBody) =>
        place.call('PUT', `/alert_integrations/${id}`, { active: false }),
      status: 403,
      logged: [{ status: 403, payload: null }],
    },
    'got a new key': {
      change: (place: AlertingProject, { id }: IntegrationBody) =>
        place.call('POST', `/alert_integrations/${id}/reset_token`),
      status: 401,
      logged: [],
    },
    'was removed': {
      change: (place: AlertingProject, { id }: IntegrationBody) => place.call('DELETE', `/alert_integrations/${id}`),
      status: 404,
      logged: undefined,
    },
    'went with its project': {
      change: (place: AlertingProject) => place.call('DELETE', ''),
      status: 404,
      logged: undefined,
    },
  } as const;

  describe.each(Object.entries(CHANGES))('after its integration %s', (_name, { change, status, logged }) => {
    it(`is answered ${status}, and nothing of it is stored`, async () => {
      const { place, integration } = await integrated();
      const late = await Promise.all(Array.from({ length: LATE }, () => LateRequest.beginAlert(integration, BODY)));
      await bodies.are(LATE);
      expect((await change(place, integration)).status).toBeLessThan(300);
      const answers = await Promise.all(late.map((request) => request.finish()));
      expect(answers.map((answer) => answer.status)).toEqual(new Array(LATE).fill(status));
      const { database } = service.service;
      expect(await database.schema('alerts').where({ project_id: place.id as ProjectId })).toEqual([]);
      expect(await database.schema('alert_idempotency_keys').where({ integration_id: integration.id })).toEqual([]);
      if (logged !== undefined)
        expect(await logOf(place, integration)).toMatchObject(
          logged.flatMap((row) => Array.from({ length: LATE }, () => row)),
        );
    });

    it(`is answered ${status}, too, where the body would have been refused`, async () => {
      const { place, integration } = await integrated();
      const late = await LateRequest.beginAlert(integration, '[1, 2, 3]');
      await bodies.are(1);
      await change(place, integration);
      expect((await late.finish()).status).toBe(status);
    });
  });

  it.each(Object.entries(CHANGES))(
    'that comes after its integration %s is refused at once, though the one before was let in',
    async (_name, { change, status }) => {
      const { place, integration } = await integrated();
      expect((await sendAlert(integration, BODY)).status).toBe(200);
      await change(place, integration);
      expect((await sendAlert(integration, BODY)).status).toBe(status);
      expect((await sendAlert(integration, '[1, 2, 3]')).status).toBe(status);
    },
  );

  it('is told the same as one whose head comes late', async () => {
    const { place, integration } = await integrated();
    const late = await LateRequest.beginAlert(integration, BODY);
    await bodies.are(1);
    await place.call('PUT', `/alert_integrations/${integration.id}`, { active: false });
    const { body } = await sendAlert(integration, BODY);
    expect((await late.finish()).text).toContain(JSON.stringify(body));
  });

  it('is refused in the middle of a storm while the others of its turn are judged by themselves', async () => {
    const { place, integration } = await integrated();
    const other = await place.integrate('prometheus', { name: 'Prometheus' });
    const message = JSON.stringify({
      version: '4',
      groupKey: '{}',
      status: 'firing',
      receiver: 'gatehouse',
      groupLabels: {},
      commonLabels: {},
      commonAnnotations: {},
      externalURL: 'http://alertmanager.example',
      alerts: [{ status: 'firing', labels: { alertname: 'Down' }, annotations: {}, startsAt: '2026-03-01T12:00:00Z' }],
    });
    const [late, good] = await Promise.all([
      Promise.all(Array.from({ length: STORM }, () => LateRequest.beginAlert(integration, BODY))),
      Promise.all(Array.from({ length: STORM }, () => LateRequest.beginAlert(other, message))),
    ]);
    await bodies.are(2 * STORM);
    await place.call('POST', `/alert_integrations/${integration.id}/reset_token`);
    const answers = await Promise.all([...late, ...good].map((request) => request.finish()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, STORM)).toEqual(new Array(STORM).fill(401));
    expect(statuses.slice(STORM)).toEqual(new Array(STORM).fill(200));
    expect(await place.alerts()).toMatchObject([{ title: 'Down', events: STORM }]);
  });

  it('is counted where its integration was switched off and on again meanwhile', async () => {
    const { place, integration } = await integrated();
    const late = await LateRequest.beginAlert(integration, BODY);
    await bodies.are(1);
    for (const active of [false, true]) await place.call('PUT', `/alert_integrations/${integration.id}`, { active });
    expect((await late.finish()).status).toBe(200);
    expect(await place.alerts()).toHaveLength(1);
  });

  it('leaves nobody waiting for another where integrations are changed during a storm', async () => {
    const { place, integration } = await integrated();
    const send = async (round: number) =>
      (await sendAlert(integration, { title: `Alert ${round}`, fingerprint: `storm-${round % 7}` })).status;
    const sent = Promise.all(Array.from({ length: 150 }, (_, round) => send(round)));
    const changes: number[] = [];
    for (let round = 0; round < 20; round += 1)
      changes.push((await place.call('PUT', `/alert_integrations/${integration.id}`, { name: `N${round}` })).status);
    expect(new Set(await sent)).toEqual(new Set([200]));
    expect(new Set(changes)).toEqual(new Set([200]));
  });
});
