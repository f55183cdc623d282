import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type AlertBody, type IntegrationBody } from '../support/alerting.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import { timesOf } from '../support/rounds.js';

const ROUNDS = timesOf(48, 200);
/** Rounds that run beside each other, each with a fingerprint of its own. */
const ABREAST = 8;
const SENDERS = 3;

/** Of one fingerprint at most one alert is open, whoever comes at once: the database keeps it, and each loser looks again. */
describeEachDeployment('of one fingerprint at most one alert is open', (deploy) => {
  let deployment: Deployment;
  let place: AlertingProject;
  let integration: IntegrationBody;
  let serial = 0;

  beforeAll(async () => {
    deployment = await deploy();
    const { service } = deployment;
    place = await AlertingProject.create(service, await service.addUser('ada'), 'engine');
    await place.call('PUT', '/alert_settings', { create_incident: false });
    integration = await place.integrate();
  });

  afterAll(() => deployment.close());

  const unique = (): string => `fingerprint-${(serial += 1)}`;
  const fire = async (fingerprint: string, fields: object = {}): Promise<number[]> => {
    const { status, body } = await sendAlert(integration, { title: fingerprint, fingerprint, ...fields });
    expect(status).toBe(200);
    return (body as { iid: number }[]).map(({ iid }) => iid);
  };
  const change = async (iid: number | undefined, status: string): Promise<number> =>
    (await place.call('PUT', `/alert_management_alerts/${iid}`, { status })).status;
  const of = async (fingerprint: string): Promise<readonly AlertBody[]> =>
    (await place.alerts(`&search=${fingerprint}`)).filter(({ title }) => title === fingerprint);
  const open = (alerts: readonly AlertBody[]) => alerts.filter(({ status }) => status !== 'resolved');

  const rounds = async (race: (fingerprint: string) => Promise<void>): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += ABREAST)
      await Promise.all(Array.from({ length: ABREAST }, () => race(unique())));
  };

  it('when first occurrences come at once', async () => {
    await rounds(async (fingerprint) => {
      const told = await Promise.all(Array.from({ length: SENDERS }, () => fire(fingerprint)));
      expect(new Set(told.flat()).size).toBe(1);
      expect(await of(fingerprint)).toMatchObject([{ status: 'triggered', events: SENDERS }]);
    });
  });

  it('when two of them are opened again at once: one is, the other is refused', async () => {
    await rounds(async (fingerprint) => {
      const iids: number[] = [];
      for (let times = 0; times < 2; times += 1) {
        const [iid = 0] = await fire(fingerprint);
        iids.push(iid);
        await change(iid, 'resolved');
      }
      const statuses = await Promise.all(iids.map((iid) => change(iid, 'acknowledged')));
      expect(statuses.sort()).toEqual([200, 409]);
      expect(open(await of(fingerprint))).toHaveLength(1);
    });
  });

  it('when one is opened again while it occurs anew', async () => {
    await rounds(async (fingerprint) => {
      const [iid] = await fire(fingerprint);
      await change(iid, 'resolved');
      const [status] = await Promise.all([change(iid, 'triggered'), fire(fingerprint)]);
      const alerts = await of(fingerprint);
      expect(open(alerts)).toHaveLength(1);
      expect([status, alerts.length]).toEqual(status === 200 ? [200, 1] : [409, 2]);
    });
  });

  it('when one ends while it occurs again: each occurrence is counted, before the end or after it', async () => {
    await rounds(async (fingerprint) => {
      await fire(fingerprint);
      await Promise.all([fire(fingerprint), fire(fingerprint, { end_time: '2026-03-01T12:00:00Z' })]);
      const alerts = await of(fingerprint);
      expect(open(alerts).length).toBe(alerts.length - 1);
      expect(alerts.reduce((sum, { events }) => sum + events, 0)).toBe(2);
    });
  });
});
