import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type AlertBody, type IntegrationBody } from '../support/alerting.js';
import { countRetries } from '../support/count-retries.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import { playRounds, timesOf } from '../support/rounds.js';

const ROUNDS = timesOf(16, 100);
const ENDED = { end_time: '2026-03-01T12:00:00Z' };

/** An alert and its incident end each other. Whoever ends one locks the alert first, so that there is no deadlock. */
describeEachDeployment('an alert and its incident that end at once', (deploy) => {
  let deployment: Deployment;
  let place: AlertingProject;
  let integration: IntegrationBody;
  let countsOfRetries: readonly (() => number)[];
  let serial = 0;

  beforeAll(async () => {
    deployment = await deploy();
    const { service, nodes } = deployment;
    place = await AlertingProject.create(service, await service.addUser('ada'), 'engine');
    integration = await place.integrate();
    countsOfRetries = nodes.map((node) => countRetries(node.service.database));
  });

  afterAll(() => deployment.close());

  const open = async (): Promise<{ readonly title: string; readonly iid: number; readonly issue: string }> => {
    const title = `engine-${(serial += 1)}`;
    await sendAlert(integration, { title, fingerprint: title });
    const [alert] = (await place.alerts(`&search=${title}`)).filter((each) => each.title === title);
    return { title, iid: alert?.iid ?? 0, issue: `/issues/${alert?.issue_iid ?? 0}` };
  };
  const end = async (title: string): Promise<number> =>
    (await sendAlert(integration, { title, fingerprint: title, ...ENDED })).status;
  const close = async (issue: string): Promise<number> =>
    (await place.call('PUT', issue, { state_event: 'close' })).status;
  const resolve = async (iid: number): Promise<number> =>
    (await place.call('PUT', `/alert_management_alerts/${iid}`, { status: 'resolved' })).status;
  const alertOf = async (iid: number): Promise<AlertBody> =>
    (await place.call<AlertBody>('GET', `/alert_management_alerts/${iid}`)).body;
  const retries = (): number => countsOfRetries.reduce((sum, count) => sum + count(), 0);

  it('are both closed in the end, without a deadlock', async () => {
    const before = retries();
    await playRounds(ROUNDS, async () => {
      const { title, iid, issue } = await open();
      expect(await Promise.all([end(title), close(issue), resolve(iid)])).toEqual([200, 200, 200]);
      expect((await alertOf(iid)).status).toBe('resolved');
      expect((await place.call('GET', issue)).body).toMatchObject({ state: 'closed' });
    });
    expect(retries()).toBe(before);
  });

  it('leave the alert resolved when the incident is removed, without a deadlock', async () => {
    const before = retries();
    await playRounds(ROUNDS, async () => {
      const { title, iid, issue } = await open();
      const [ended, removed] = await Promise.all([end(title), place.call('DELETE', issue)]);
      expect([ended, removed.status]).toEqual([200, 204]);
      expect(await alertOf(iid)).toMatchObject({ status: 'resolved', issue_iid: null });
    });
    expect(retries()).toBe(before);
  });
});
