import { randomBytes } from 'node:crypto';
import { AlertingProject } from './alerting.js';
import type { Load } from './load.js';
import { ServiceProcess } from './service-process.js';
import { TestService } from './test-service.js';

/** A service in a process of its own, with a project that takes alerts. */
export class ServedAlerts {
  private constructor(
    readonly settings: Readonly<Record<string, string>>,
    readonly service: ServiceProcess,
    readonly write: Load,
  ) {}

  static async start(databaseUrl: string): Promise<ServedAlerts> {
    const key = randomBytes(32);
    const seeded = await TestService.start(databaseUrl, {}, key);
    const ada = await seeded.addUser('ada');
    const project = await AlertingProject.create(seeded, ada, 'engine');
    await project.call('PUT', '/alert_settings', { create_incident: false });
    const { url, token } = await project.integrate();
    await seeded.close();
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      NODE_ENV: 'production',
      RATE_LIMIT_ALERTS: 'off',
    };
    const service = await ServiceProcess.start(settings);
    const write: Load = {
      url: service.url + new URL(url).pathname,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: 'The engine is hot', fingerprint: 'engine-hot-{n}' }),
      connections: 16,
    };
    return new ServedAlerts(settings, service, write);
  }
}
