import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { Unavailable } from '../../src/domain/shared/domain-error.js';
import { PostgresServer } from '../support/postgres-server.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const CLIENTS = 6;

interface Readiness {
  readonly status: string;
  readonly checks: { readonly database: 'ok' | { readonly status: string; readonly reason: string } };
}

interface Seen {
  readonly request: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

describe('a statement that takes longer than any may', () => {
  it('is one of a database that is out of reach', async () => {
    const server = await PostgresServer.create();
    const database = openDatabase({ url: server.url(), poolMax: 1 });
    try {
      const tooLong = database.transact(async (session) => {
        await session.run('set local statement_timeout = 20', []);
        await session.run('select pg_sleep(5)', []);
      });
      await expect(tooLong).rejects.toBeInstanceOf(Unavailable);
    } finally {
      await database.close();
      await server.remove();
    }
  });
});

// Only a server can go away; the other database is a file of this process.
describe('while the database is stopped and started under requests', () => {
  let server: PostgresServer;
  let service: TestService;
  let root: TestUser;
  const seen: Seen[] = [];
  const created: string[] = [];

  beforeAll(async () => {
    server = await PostgresServer.create({ durable: true });
    service = await TestService.start(server.url());
    root = await service.addUser('root', { admin: true });
  });

  afterAll(async () => {
    await service.close();
    await server.remove();
  });

  const readiness = async () => {
    const response = await fetch(`${service.url}/-/readiness`);
    return { status: response.status, body: (await response.json()) as Readiness, headers: response.headers };
  };
  const note = async (method: string, path: string, json?: unknown): Promise<number> => {
    const answer = await service.call(method, path, { token: root.token, ...(json === undefined ? {} : { json }) });
    const { status, body, headers } = answer;
    seen.push({ request: `${method} ${path}`, status, retryAfter: headers.get('retry-after'), body });
    return status;
  };
  const keepAsking = async (client: number, stopped: AbortSignal): Promise<void> => {
    for (let round = 0; !stopped.aborted; round += 1) {
      const path = `outage-${client}-${round}`;
      await note('GET', '/projects?per_page=5');
      if ((await note('POST', '/groups', { name: path, path })) === 201) created.push(path);
      await note('GET', '/user');
      await sleep(5);
    }
  };
  /** Waits for some more that were made, or refused. */
  const more = async (of: () => number): Promise<void> => {
    const before = of();
    await until(() => Promise.resolve(of() > before + CLIENTS));
  };
  const made = () => created.length;
  const refused = () => seen.filter(({ status }) => status >= 400).length;

  it('answers 503 with Retry-After, says so in its readiness, stays alive and resumes by itself', async () => {
    const stop = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, client) => keepAsking(client, stop.signal));
    try {
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        await more(made);
        await server.stop(signal);
        await more(refused);
        const gone = await readiness();
        expect(gone.status).toBe(503);
        expect(gone.body).toEqual({
          status: 'failed',
          checks: { database: { status: 'failed', reason: 'The database is out of reach.' } },
        });
        expect(gone.headers.get('retry-after')).toBe('5');
        expect((await fetch(`${service.url}/-/liveness`)).status).toBe(200);
        expect(await (await fetch(`${service.url}/-/health`)).text()).toBe('GatehouseOK');
        const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
        expect(metrics).toMatch(/^gatehouse_build_info\{/m);
        expect(metrics).not.toMatch(/^gatehouse_alerts_open /m);
        await server.start();
        await until(async () => (await readiness()).status === 200);
        await more(made);
      }
    } finally {
      stop.abort();
      await Promise.all(clients);
    }
    expect(await note('GET', '/user')).toBe(200);
  });

  it('answered nothing else, and nothing of what went on inside, which is in the log', () => {
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
    const causes = service.logger.lines.filter(({ message }) => message === 'request refused');
    expect(causes.map(({ level }) => level)).toContain('warn');
    expect(JSON.stringify(causes)).toMatch(/ECONNREFUSED|terminat/);
    for (const { status, retryAfter, body } of seen.filter(({ status }) => status >= 400)) {
      expect([status, retryAfter, body]).toEqual([503, '5', { message: '503 Service Unavailable' }]);
    }
  });

  it('kept everything that it said it had made', async () => {
    expect(created.length).toBeGreaterThan(0);
    const answers = await Promise.all(
      created.map(async (path) => (await service.call('GET', `/groups/${path}`, { token: root.token })).status),
    );
    expect(answers.filter((status) => status !== 200)).toEqual([]);
  });
});
