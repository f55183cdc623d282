import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type AlertBody, type IntegrationBody } from '../support/alerting.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import type { TestService, TestUser } from '../support/test-service.js';

const ROUNDS = 6;
/** The two take their locks in opposite orders: a server that finds a deadlock after a second lets one of them try again. */
const ROUNDS_OF_DEADLOCKS = 3;
const AT_ONCE = 6;

interface IssueBody {
  readonly iid: number;
  readonly state: string;
}

describeEachDeployment('the status of an alert that several change at once', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let ada: TestUser;
  let place: AlertingProject;
  let integration: IntegrationBody;
  let serial = 0;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    ada = await service.addUser('ada');
    place = await AlertingProject.create(service, ada, 'engine');
    await place.call('PUT', '/alert_settings', { send_email: true });
    integration = await place.integrate();
  });

  afterAll(() => deployment.close());

  const open = async (): Promise<AlertBody> => {
    const title = `Alert ${(serial += 1)}`;
    await sendAlert(integration, { title });
    const alert = (await place.alerts()).find((each) => each.title === title);
    if (alert === undefined) throw new Error('The alert was not opened.');
    return alert;
  };
  const change = (alert: AlertBody, status: string) =>
    place.call('PUT', `/alert_management_alerts/${alert.iid}`, { status });
  const issueOf = async ({ issue_iid }: AlertBody): Promise<IssueBody> =>
    (await place.call<IssueBody>('GET', `/issues/${issue_iid}`)).body;
  const notesOf = async ({ issue_iid }: AlertBody): Promise<string[]> =>
    (await place.call<{ body: string }[]>('GET', `/issues/${issue_iid}/notes`)).body.map(({ body }) => body);
  const resolvedCauses = async (): Promise<number> =>
    (await service.service.database.schema('notification_causes').where({ kind: 'alert_resolved' })).length;
  const statusOf = async ({ iid }: AlertBody) =>
    (await place.call<AlertBody>('GET', `/alert_management_alerts/${iid}`)).body.status;

  it('is resolved once: one note, one mail, a closed incident', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const alert = await open();
      const before = await resolvedCauses();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => change(alert, 'resolved')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect([await statusOf(alert), (await issueOf(alert)).state]).toEqual(['resolved', 'closed']);
      expect((await notesOf(alert)).filter((body) => body.includes('was resolved'))).toHaveLength(1);
      expect(await resolvedCauses()).toBe(before + 1);
    }
  });

  it('agrees with its incident, whichever of resolved and triggered came last', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const alert = await open();
      const statuses = ['resolved', 'triggered', 'resolved', 'acknowledged'];
      const answers = await Promise.all(statuses.map((status) => change(alert, status)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const status = await statusOf(alert);
      expect([round, status, (await issueOf(alert)).state]).toEqual([
        round,
        status,
        status === 'resolved' ? 'closed' : 'opened',
      ]);
    }
  });

  it('and its incident, closed at the same moment, end together, and are told of once', async () => {
    for (let round = 0; round < ROUNDS_OF_DEADLOCKS; round += 1) {
      const alert = await open();
      const before = await resolvedCauses();
      const answers = await Promise.all([
        change(alert, 'resolved'),
        place.call('PUT', `/issues/${alert.issue_iid}`, { state_event: 'close' }),
      ]);
      expect([round, answers.map(({ status }) => status)]).toEqual([round, [200, 200]]);
      expect([await statusOf(alert), (await issueOf(alert)).state]).toEqual(['resolved', 'closed']);
      expect(await resolvedCauses()).toBe(before + 1);
    }
  });
});
