import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

const KILLS = 50;
/** So many at once that they are a storm. */
const SENDERS = 24;
const KINDS = 20;
const SHORTEST_LIFE_MS = 30;
const LONGEST_LIFE_MS = 930;

describeEachDatabase('a storm of alerts under kills', (openTestDatabase) => {
  it(`loses none that was acknowledged and counts none twice, after ${KILLS} kills`, async () => {
    const databaseUrl = await openTestDatabase();
    const key = randomBytes(32);
    const port = await freePort();
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      ROOT_PASSWORD: 'a-difference-engine',
    };
    const preparing = await TestService.start(databaseUrl, { baseUrl: settings.BASE_URL }, key);
    const owner = await preparing.addUser('ada');
    const { id } = (
      await preparing.nodeCall<{ id: number }>('POST', '/projects', { token: owner.token, json: { name: 'storm' } })
    ).body;
    const { body: integration } = await preparing.nodeCall<{ url: string; token: string }>(
      'POST',
      `/projects/${id}/alert_integrations`,
      { token: owner.token, json: { type: 'generic', name: 'Storm' } },
    );
    await preparing.close();

    /** By kind: answered with 200, and sent in all. */
    const acknowledged = new Array<number>(KINDS).fill(0);
    const sent = new Array<number>(KINDS).fill(0);
    const sendUntilKilled = async (sender: number): Promise<void> => {
      for (let turn = sender; ; turn += 1) {
        const kind = turn % KINDS;
        sent[kind] = (sent[kind] ?? 0) + 1;
        try {
          const { status } = await sendAlert(integration, { title: `kind ${kind}`, fingerprint: `kind ${kind}` });
          if (status === 200) acknowledged[kind] = (acknowledged[kind] ?? 0) + 1;
        } catch {
          // The process is gone, and with it the answer: this one may count or not.
          return;
        }
      }
    };

    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await ServiceProcess.start(settings);
      const senders = Array.from({ length: SENDERS }, (_, sender) => sendUntilKilled(sender));
      const life = SHORTEST_LIFE_MS + ((LONGEST_LIFE_MS - SHORTEST_LIFE_MS) * kill) / KILLS;
      await new Promise((resume) => setTimeout(resume, life));
      await service.end('SIGKILL');
      await Promise.all(senders);
    }

    const after = await TestService.start(databaseUrl, {}, key);
    try {
      const place = AlertingProject.of(after, owner, id);
      const alerts = await place.alerts();
      const events = (kind: number) => alerts.find(({ title }) => title === `kind ${kind}`)?.events ?? 0;
      const totals = {
        sent: sum(sent),
        acknowledged: sum(acknowledged),
        events: sum(alerts.map((alert) => alert.events)),
      };
      process.stdout.write(`${KILLS} kills: ${JSON.stringify(totals)}\n`);
      expect(alerts).toHaveLength(KINDS);
      expect(totals.acknowledged).toBeGreaterThan(KILLS);
      for (let kind = 0; kind < KINDS; kind += 1) {
        expect(events(kind)).toBeGreaterThanOrEqual(acknowledged[kind] ?? 0);
        expect(events(kind)).toBeLessThanOrEqual(sent[kind] ?? 0);
      }
      // Nothing is half there: every alert has its incident, and every event its arrival.
      expect(new Set(alerts.map(({ issue_iid }) => issue_iid)).size).toBe(KINDS);
      const { schema } = after.service.database;
      const [arrivals] = (await schema('alert_arrivals').count({ count: '*' })) as { count: number | string }[];
      expect(Number(arrivals?.count)).toBe(totals.events);
    } finally {
      await after.close();
    }
  });
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
