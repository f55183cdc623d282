import { Agent, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXPIRING_TABLES } from '../../src/adapters/outbound/persistence/knex/tables.js';
import { createPrometheusMetrics } from '../../src/adapters/outbound/system/prometheus-metrics.js';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { Unavailable } from '../../src/domain/shared/domain-error.js';
import { COUNTERS, STORAGES } from '../../src/infrastructure/composition/storages.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { addSession } from '../support/opened-session.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';

describeEachDatabase('what operators ask', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const ask = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  it('is answered as it is documented', async () => {
    expect(await ask('/-/health')).toMatchObject({ status: 200, text: 'GatehouseOK' });
    expect(await ask('/-/liveness')).toEqual({ status: 200, type: 'application/json', text: '{"status":"ok"}' });
    expect(await ask('/-/readiness')).toEqual({
      status: 200,
      type: 'application/json',
      text: '{"status":"ok","checks":{"database":"ok"}}',
    });
  });

  it('counts requests by the declared route, never by the address sent', async () => {
    await service.call('GET', '/projects/no%2Fsuch-project?private_token=guess', { token: ada.token });
    await ask('/secret-looking/path');
    const { status, type, text } = await ask('/-/metrics');
    expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
    expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/-\/health",status="200"\} 1$/m);
    expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/api\/v4\/projects\/:id",/m);
    expect(text).toMatch(/^# TYPE gatehouse_expired_rows_removed_total counter$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    for (const sent of ['no%2Fsuch', 'guess', 'secret-looking']) expect(text).not.toContain(sent);
  });

  it('removes what has expired, unless it is stopping, and counts it', async () => {
    const { container } = service.service;
    for (let number = 0; number < 3; number += 1) await addSession(service, ada.id, 'second_factor');
    const remaining = async () => {
      const rows = (await container.get(TOKENS.database).reader.query('sessions').count({ total: '*' })) as {
        total: number;
      }[];
      return Number(rows[0]?.total);
    };
    await container.get(TOKENS.cleanUp)();
    expect(await remaining()).toBe(3);
    service.clock.advance(366 * 24 * 3_600_000);
    await container.get(TOKENS.cleanUp)(AbortSignal.abort());
    expect(await remaining()).toBe(3);
    await container.get(TOKENS.cleanUp)();
    expect(await remaining()).toBe(0);
    expect((await ask('/-/metrics')).text).toMatch(/gatehouse_expired_rows_removed_total\{table="sessions"\} 3$/m);
  });
});

describeEachDatabase('the metrics', (openTestDatabase) => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
  });

  afterAll(() => service.close());

  const scrape = async (): Promise<ReadonlyMap<string, number>> => {
    const text = await (await fetch(`${service.url}/-/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('gatehouse_'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  };

  it('have every counter from the start, with 0 for each combination of its labels', async () => {
    const metrics = await scrape();
    const combinations = (labels: Readonly<Record<string, readonly string[]>>): string[] =>
      Object.entries(labels).reduce<string[]>(
        (before, [label, values]) =>
          before.flatMap((one) => values.map((value) => `${one}${one === '' ? '' : ','}${label}="${value}"`)),
        [''],
      );
    for (const [name, { labels }] of Object.entries(COUNTERS))
      for (const combination of combinations(labels)) {
        const series = `gatehouse_${name}${combination === '' ? '' : `{${combination}}`}`;
        // The one that the machine may have counted already: it tells how long others had the processor.
        const counted = name === 'event_loop_delays_total' ? expect.any(Number) : 0;
        expect([series, metrics.get(series)]).toEqual([series, counted]);
      }
    const kinds = STORAGES.flatMap((storage) => ('jobs' in storage ? Object.keys(storage.jobs) : []));
    expect(kinds.length).toBeGreaterThan(3);
    for (const kind of kinds)
      for (const outcome of ['done', 'failed'])
        expect(metrics.get(`gatehouse_jobs_total{kind="${kind}",outcome="${outcome}"}`)).toBe(0);
    for (const { table } of EXPIRING_TABLES)
      expect([table, metrics.get(`gatehouse_expired_rows_removed_total{table="${table}"}`)]).toEqual([table, 0]);
  });

  it('say which build runs, how the loop does and what the database is used for', async () => {
    const metrics = await scrape();
    const build = [...metrics.keys()].find((series) => series.startsWith('gatehouse_build_info'));
    expect(build).toMatch(/\{version="\d+\.\d+\.\d+\S*",database="(sqlite|postgres)",node="\d+\.\d+\.\d+"\}$/);
    expect(metrics.get('gatehouse_event_loop_delay_seconds')).toBeGreaterThanOrEqual(0);
    expect(metrics.get('gatehouse_database_connections_max')).toBeGreaterThanOrEqual(2);
    for (const state of ['used', 'idle', 'waiting'])
      expect(metrics.get(`gatehouse_database_connections{state="${state}"}`)).toBeGreaterThanOrEqual(0);
  });

  it('say it once, also after the storage was moved while it serves', async () => {
    const kinds = ['sqlite', 'postgres'];
    const metrics = createPrometheusMetrics({});
    metrics.gauge('build_info', () => [[{ version: '1.0.0', node: '24.0.0', database: kinds.shift() ?? '' }, 1]]);
    await metrics.expose();
    const { text } = await metrics.expose();
    expect(text.match(/^gatehouse_build_info\{.*$/gm)).toEqual([expect.stringContaining('database="postgres"')]);
  });

  it('count what waits, and open alerts with a fingerprint and without, no more often than every few seconds', async () => {
    const { container } = service.service;
    const session = container.get(TOKENS.database).reader;
    const [startedAt, counted] = [performance.now(), { times: 0 }];
    session.query.on('query', ({ sql }: { sql: string }) => {
      if (sql.includes('fingerprint is not null')) counted.times += 1;
    });
    const ada = await service.addUser('ada');
    const project = await service.call<{ id: ProjectId }>('POST', '/projects', {
      token: ada.token,
      json: { name: 'Site' },
    });
    const at = session.dialect.writeInstant(service.clock.now());
    const later = session.dialect.writeInstant(new Date(service.clock.now().getTime() + 3_600_000));
    await container.get(TOKENS.database).transact(async ({ query }) => {
      const alert = { project_id: project.body.id, title: 'x', severity_rank: 1, events: 1 };
      const rest = { search_key: 'x', payload: '{}', hosts: '[]', started_at: at, created_at: at, updated_at: at };
      const fingerprints = ['a', 'b', null, null, null];
      for (const [index, fingerprint] of fingerprints.entries())
        await query('alerts').insert({ ...alert, ...rest, status: 'triggered', iid: index + 1, fingerprint });
      await query('alerts').insert({ ...alert, ...rest, iid: 9, fingerprint: 'a', status: 'resolved' });
      await query('jobs').insert({
        kind: 'remove_group',
        payload: '{"subjectId":1}',
        attempts: 0,
        run_at: later,
        created_at: at,
      });
      const mail = {
        template: 'reset_password',
        recipient: 'x@example.com',
        sealed_content: 'x',
        attempts: 0,
      } as const;
      for (const state of ['waiting', 'waiting', 'sent'] as const)
        await query('queued_mails').insert({ ...mail, state, due_at: later, created_at: at, expires_at: later });
    });
    await until(async () => {
      const metrics = await scrape();
      const counts = ['mails_waiting', 'jobs_waiting', 'alerts_open'].map((name) => metrics.get(`gatehouse_${name}`));
      return counts.join() === '2,1,5';
    });
    for (let time = 0; time < 10; time += 1) await scrape();
    expect(counted.times).toBeGreaterThan(0);
    expect(counted.times).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startedAt) / 5_000));
  });
});

describeEachDatabase('metrics with a token', (openTestDatabase) => {
  let service: TestService;
  const METRICS_TOKEN = 'for-the-collector-alone';

  beforeAll(async () => {
    const metricsToken = new Sensitive(METRICS_TOKEN);
    service = await TestService.start(await openTestDatabase(), { metricsToken });
  });

  afterAll(() => service.close());

  it('are for those who send it; health stays open', async () => {
    const token = METRICS_TOKEN;
    const ask = (authorization?: string) =>
      fetch(`${service.url}/-/metrics`, { headers: authorization === undefined ? {} : { authorization } });
    for (const authorization of [
      undefined,
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
    ]) {
      const refused = await ask(authorization);
      expect([authorization, refused.status, refused.headers.get('www-authenticate'), await refused.json()]).toEqual([
        authorization,
        401,
        'Bearer realm="metrics"',
        { message: '401 Unauthorized' },
      ]);
    }
    for (const scheme of ['Bearer', 'bearer']) {
      const given = await ask(`${scheme} ${token}`);
      expect([given.status, await given.text()]).toEqual([200, expect.stringContaining('gatehouse_build_info')]);
    }
    expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
    expect((await fetch(`${service.url}/-/metrics?private_token=${token}`)).status).toBe(401);
  });

  it('and requests for health are logged for whoever debugs, but for those that fail', async () => {
    const lines = () => service.logger.lines.filter(({ message }) => message === 'request');
    const before = lines().length;
    for (const path of ['health', 'liveness', 'readiness', 'metrics'])
      await (await fetch(`${service.url}/-/${path}`)).text();
    const database = service.service.container.get(TOKENS.database);
    const ping = database.ping.bind(database);
    database.ping = () => Promise.reject(new Unavailable('database'));
    await (await fetch(`${service.url}/-/readiness`)).text();
    database.ping = ping;
    expect(
      lines()
        .slice(before)
        .map(({ level, fields }) => [level, fields['route'], fields['status']]),
    ).toEqual([
      ['debug', '/-/health', 200],
      ['debug', '/-/liveness', 200],
      ['debug', '/-/readiness', 200],
      ['info', '/-/metrics', 401],
      ['info', '/-/readiness', 503],
    ]);
  });
});

describeEachDatabase('the limit of requests', (openTestDatabase) => {
  const LIMIT = 5;
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let alan: TestUser;

  beforeAll(async () => {
    const rateLimits = { api: LIMIT, alerts: 'off', signIn: 'off' } as const;
    service = await TestService.start(await openTestDatabase(), { rateLimits, trustProxy: 'loopback' });
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    alan = await service.addUser('alan');
  });

  afterAll(() => service.close());

  const statuses = async (times: number, token?: string, forwardedFor?: string) => {
    const answers: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const { status } = await service.call('GET', '/projects', {
        ...(token === undefined ? {} : { token }),
        ...(forwardedFor === undefined ? {} : { headers: { 'X-Forwarded-For': forwardedFor } }),
      });
      answers.push(status);
    }
    return answers;
  };
  const allowed = (status: number) => Array<number>(LIMIT).fill(status);

  it('is one for each user, and says when to come back', async () => {
    expect(await statuses(LIMIT + 1, ada.token)).toEqual([...allowed(200), 429]);
    const { status, headers, body } = await service.call('GET', '/user', { token: ada.token });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(body).toEqual({
      message: { error: 'This endpoint has been requested too many times. Try again later.' },
    });
    expect(await statuses(1, grace.token)).toEqual([200]);
  });

  it('tells of itself in a refusal alone, by the headers that clients wait by', async () => {
    const begun = Date.now();
    const by = async () => (await service.call('GET', '/user', { token: alan.token })).headers;
    const names = [
      'ratelimit-name',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'ratelimit-resettime',
    ];
    const told = (headers: Headers) => names.map((name) => headers.get(name));
    expect(told(await by())).toEqual(names.map(() => null));
    await statuses(LIMIT, alan.token);
    const answer = await by();
    // Scripts of other origins see what is named here.
    const seen = answer.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(seen).toEqual(expect.arrayContaining([...names, 'retry-after']));
    const refused = told(answer);
    expect(refused.slice(0, 3)).toEqual(['requests', String(LIMIT), '0']);
    const [reset, resetTime] = [Number(refused[3]) * 1_000, Date.parse(refused[4] ?? '')];
    expect(reset).toBe(resetTime);
    expect(reset).toBeGreaterThan(begun - 60_000);
    expect(reset).toBeLessThanOrEqual(Date.now() + 61_000);
  });

  it('is one for each address where nobody is known', async () => {
    expect(await statuses(LIMIT + 1, undefined, '192.0.2.1')).toEqual([...allowed(200), 429]);
    expect(await statuses(1, undefined, '192.0.2.2')).toEqual([200]);
  });

  it('is one for a whole network of 64 bits', async () => {
    expect(await statuses(LIMIT, undefined, '2001:db8:1:2::1')).toEqual(allowed(200));
    expect(await statuses(1, undefined, '2001:db8:1:2:ffff::9')).toEqual([429]);
    expect(await statuses(1, undefined, '2001:db8:1:3::1')).toEqual([200]);
  });

  it('counts whoever tries tokens that are not good', async () => {
    expect(await statuses(LIMIT + 1, 'guessed', '192.0.2.9')).toEqual([...allowed(401), 429]);
  });

  it('leaves health alone', async () => {
    for (let time = 0; time <= LIMIT; time += 1) expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
  });
});

describe('a service that is told to stop', () => {
  const answerOf = (url: string, agent: Agent, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response));
      }).once('error', reject);
    });

  it('finishes what runs, says that the connection ends, and takes nothing new', async () => {
    const service = await TestService.start('sqlite::memory:');
    const database = service.service.container.get(TOKENS.database);
    const ping = database.ping.bind(database);
    const gate = { asked: (): void => undefined, open: (): void => undefined };
    const asked = new Promise<void>((resume) => (gate.asked = resume));
    const opened = new Promise<void>((resume) => (gate.open = resume));
    database.ping = async () => {
      gate.asked();
      await opened;
      await ping();
    };
    const agent = new Agent({ keepAlive: true });
    const idle = await answerOf(`${service.url}/-/health`, agent);
    expect(idle.headers.connection).toBe('keep-alive');
    const running = answerOf(`${service.url}/-/readiness`, agent);
    await asked;
    const closed = service.close();
    // Whoever makes a connection of their own finds nobody, while the request still runs.
    await until(() =>
      answerOf(`${service.url}/-/health`, new Agent()).then(
        () => false,
        (error: unknown) => String(error).includes('ECONNREFUSED'),
      ),
    );
    gate.open();
    const answer = await running;
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
    await closed;
    await expect(answerOf(`${service.url}/-/health`, agent)).rejects.toThrow(/ECONNREFUSED/);
    agent.destroy();
  });
});
