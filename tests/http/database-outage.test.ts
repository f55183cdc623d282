import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PostgresServer } from '../support/postgres-server.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { TestService } from '../support/test-service.js';

if (selectedDatabases().includes('postgres')) {
  let server: PostgresServer;
  let service: TestService;

  beforeAll(async () => {
    server = await PostgresServer.create({ durable: true });
    service = await TestService.start(server.url());
  });

  afterAll(async () => {
    await service.close();
    await server.remove();
  });

  it('while the database is away answers are 503 with Retry-After, never 500, and service resumes by itself', async () => {
    const ada = await service.addUser('ada');
    const readiness = () => fetch(`${service.url}/-/readiness`);
    expect((await readiness()).status).toBe(200);

    const seen = new Map<number, number>();
    let running = true;
    const ask = async (): Promise<void> => {
      while (running) {
        const reading = await service.call('GET', '/projects', { token: ada.token });
        const writing = await service.call('POST', '/projects', {
          token: ada.token,
          json: { name: `p${Math.random()}` },
        });
        for (const { status, headers, body } of [reading, writing]) {
          seen.set(status, (seen.get(status) ?? 0) + 1);
          if (status === 503) {
            expect(headers.get('retry-after')).toBe('5');
            expect(body).toEqual({ message: '503 Service Unavailable' });
          }
        }
      }
    };
    const askers = [1, 2, 3, 4].map(ask);
    const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));
    await pause(300);
    await server.stop();
    await pause(700);
    const gone = await readiness();
    expect([gone.status, await gone.json()]).toEqual([
      503,
      { status: 'failed', checks: { database: { status: 'failed', reason: expect.any(String) } } },
    ]);
    expect((await fetch(`${service.url}/-/liveness`)).status).toBe(200);
    const page = await fetch(`${service.url}/explore/projects`);
    expect([page.status, service.logger.lines.filter(({ level }) => level === 'error')]).toEqual([503, []]);
    await server.start();
    await pause(700);
    running = false;
    await Promise.all(askers);

    expect([...seen.keys()].sort()).toEqual([200, 201, 503]);
    expect((await readiness()).status).toBe(200);
    expect((await service.call('GET', '/user', { token: ada.token })).status).toBe(200);
  });
}
