import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Alertmanager, hasAlertmanager } from '../support/alertmanager.js';
import { AlertingProject, type AlertBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { leftOutWithout } from '../support/system-package.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

describeEachDatabase('Alertmanager, unmodified', (openTestDatabase) => {
  it('fires, repeats across a restart of ours, and resolves; the incident closes', async () => {
    if (leftOutWithout('prometheus-alertmanager', hasAlertmanager())) return;
    const databaseUrl = await openTestDatabase();
    const key = randomBytes(32);
    const port = await freePort();
    const start = () => TestService.start(databaseUrl, { port }, key);
    let service = await start();
    const owner = await service.addUser('ada');
    const { id } = await AlertingProject.create(service, owner, 'engine');
    const place = () => AlertingProject.of(service, owner, id);
    const intake = await place().integrate('prometheus');
    const alertmanager = await Alertmanager.start(intake);
    const first = async (): Promise<AlertBody | undefined> => (await place().alerts())[0];
    try {
      await alertmanager.add();
      await until(async () => (await first()) !== undefined);
      expect(await first()).toMatchObject({
        title: 'The engine is down',
        severity: 'high',
        environment: 'production',
        status: 'triggered',
        issue_iid: 1,
      });
      await until(async () => ((await first())?.events ?? 0) >= 2);
      const before = (await first())?.events ?? 0;
      await service.close();
      service = await start();
      // A connection of before may still be tried once.
      await until(async () => ((await first().catch(() => undefined))?.events ?? 0) > before);
      await alertmanager.add(new Date());
      await until(async () => (await first())?.status === 'resolved');
      expect((await place().call('GET', '/issues/1')).body).toMatchObject({
        state: 'closed',
        closed_by: { username: 'alert-bot' },
      });
      expect(await place().alerts()).toHaveLength(1);
    } finally {
      await alertmanager.stop();
      await service.close();
    }
  });
});
