import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import { timesOf } from '../support/rounds.js';

const RACES = timesOf(200, 1_000);
const AT_ONCE = 20;

describeEachDeployment('alerts that race', (deploy) => {
  let deployment: Deployment;
  let place: AlertingProject;
  let integration: IntegrationBody;

  beforeAll(async () => {
    deployment = await deploy();
    place = await AlertingProject.create(deployment.service, await deployment.service.addUser('ada'), 'engine');
    integration = await place.integrate();
    await place.call('PUT', '/alert_settings', { create_incident: false });
  });

  afterAll(() => deployment.close());

  it('two hundred of one kind at once, are one open alert with 200 events', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => sendAlert(integration, { title: 'storm' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await place.alerts('&search=storm')).toMatchObject([{ events: 200, status: 'triggered' }]);
  });

  it(`a repeat against an end, ${RACES} times, come to one of the two legal ends`, async () => {
    const race = async (index: number): Promise<string> => {
      const fingerprint = `race-${index}`;
      await sendAlert(integration, { title: fingerprint, fingerprint });
      await Promise.all([
        sendAlert(integration, { title: fingerprint, fingerprint }),
        sendAlert(integration, { title: fingerprint, fingerprint, end_time: '2026-03-01T12:00:00Z' }),
      ]);
      const ends = await place.alerts(`&search=${fingerprint}%0A&sort=asc&order_by=created_at`);
      return ends
        .map(({ status, events }) => `${status} ${events}`)
        .sort()
        .join(', ');
    };
    const seen = new Map<string, number>();
    for (let done = 0; done < RACES; done += AT_ONCE) {
      const ends = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(done + index)));
      for (const end of ends) seen.set(end, (seen.get(end) ?? 0) + 1);
    }
    // The repeat was first and counted, or the end was first and the repeat opened another.
    const legal = ['resolved 2', 'resolved 1, triggered 1'];
    expect([...seen.keys()].filter((end) => !legal.includes(end))).toEqual([]);
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(RACES);
  });
});
