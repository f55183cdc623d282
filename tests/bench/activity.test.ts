import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ActivityQuery } from '../../src/application/activity/ports/activity-reader.js';
import { KnexActivityReader } from '../../src/adapters/outbound/persistence/knex/activity/knex-activity-reader.js';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { insertRows } from '../../src/adapters/outbound/persistence/knex/insert-rows.js';
import { Session } from '../../src/adapters/outbound/persistence/knex/session.js';
import { EVERY_HOUR } from '../../src/infrastructure/composition/scheduler.module.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { clockAhead } from '../support/clock-ahead.js';
import { describeEachDatabase, type OpenTestDatabase } from '../support/databases.js';
import { seedActivity, seedOldActivity, type SeededPlaces } from '../support/seed-activity.js';
import { ServiceProcess } from '../support/service-process.js';
import { median, withSpread } from '../support/statistics.js';
import { watchStolenTime } from '../support/stolen-time.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const LARGE = Number(process.env['BENCH_EVENTS'] ?? 10_000_000);
const SMALL = 10_000;
const OLD = LARGE / 10;
/** Through all cases, so that none has only the moments in which the machine is busy with something else. */
const ROUNDS = 5;
/** Of each case in a round; the slowest but one is its 99th percentile. */
const REQUESTS = 100;
/** With every so many of them the small feed is asked too. */
const COMPARED_EACH = 4;
const WARM_UP = 5;
/** Whenever its host takes more of the machine's time than this, a case is measured again, */
const MOST_STOLEN = 0.02;
/** but for all cases together only so many times: what is left disturbed is judged as it is. */
const REPEATS = 300;
/** Until entries that are too old are removed: time enough to see the pace without. */
const LEAD_MS = 30_000;
const TOO_OLD_MS = 732 * 86_400_000;
/** For the removal of all of them. */
const PATIENCE_MS = 1_500_000;
const DEPTH_IN_PAGES = 50;
const PER_PAGE = 20;

/** A page of a list with so many entries. */
const ofSize = (path: string, entries: number): string => {
  const [base, query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('per_page', `${entries}`);
  return `${base}?${parameters.toString()}`;
};

const PLACES = (first: number): SeededPlaces => ({
  ofFew: [first, first + 1, first + 2],
  busyOfMany: [first + 3, 100],
  quietOfMany: [first + 103, 2_900],
  left: first + 3_003,
  others: [first + 3_004, 5_000],
});

const startService = (
  url: string,
  secretKey: Buffer,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> =>
  ServiceProcess.start({
    DATABASE_URL: url,
    SECRET_KEY: secretKey.toString('base64'),
    NODE_ENV: 'production',
    ...settings,
  });

/** A feed of a size, and the service in a process of its own on it. */
class Feed {
  private constructor(
    readonly database: Database,
    readonly url: string,
    private service: ServiceProcess,
    readonly tokens: { readonly few: string; readonly many: string },
    readonly ids: { readonly few: number; readonly many: number },
    readonly places: SeededPlaces,
    readonly secretKey: Buffer<ArrayBuffer>,
  ) {}

  static async open(openTestDatabase: OpenTestDatabase, events: number): Promise<Feed> {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const [few, many] = [await seeded.addUser('few'), await seeded.addUser('many')];
    const database = openDatabase({ url, poolMax: 4 });
    const places = await addProjects(database, seeded, few.id, many.id);
    await seedActivity(database, url, events, { few: few.id, many: many.id }, places);
    await seeded.close();
    return new Feed(
      database,
      url,
      await startService(url, secretKey),
      { few: few.token, many: many.token },
      { few: few.id, many: many.id },
      places,
      secretKey,
    );
  }

  async get(path: string, who: 'few' | 'many'): Promise<{ ms: number; next: string | undefined; items: number }> {
    const startedAt = performance.now();
    const response = await fetch(path.startsWith('http') ? path : `${this.service.url}/api/v4${path}`, {
      headers: { 'PRIVATE-TOKEN': this.tokens[who] },
    });
    const body = (await response.json()) as unknown[];
    const ms = performance.now() - startedAt;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
    const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return { ms, next: link?.replace(/^https?:\/\/[^/]+/, this.service.url), items: body.length };
  }

  async restart(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.service.end('SIGTERM');
    this.service = await startService(this.url, this.secretKey, settings);
  }

  async close(): Promise<void> {
    await this.service.end('SIGTERM');
    await this.database.close();
  }
}

/** The projects behind the entries, beneath every use case: thousands of them by REST would take minutes. */
const addProjects = async (
  database: Database,
  service: TestService,
  few: number,
  many: number,
): Promise<SeededPlaces> => {
  const at = service.service.container.get(TOKENS.clock).now();
  const [last] = await database.reader.run<{ id: number | null }>('select max(id) as id from projects', []);
  const places = PLACES(Number(last?.id ?? 0) + 1);
  const end = places.others[0] + places.others[1];
  const written = database.reader.dialect.writeInstant(at);
  const owner = await service.addUser('owner');
  const [home] = await database.reader.run<{ id: number }>('select id from namespaces where owner_id = ?', [owner.id]);
  await database.transact(async (session) => {
    const ids = Array.from({ length: end - places.ofFew[0] }, (_, index) => places.ofFew[0] + index);
    const columns = ['id', 'namespace_id', 'name', 'name_key', 'path', 'full_path', 'full_path_key', 'search_key'];
    await insertRows(
      session,
      'projects',
      [
        ...columns,
        'visibility',
        'archived',
        'merge_when_pipeline_succeeds',
        'created_at',
        'updated_at',
        'last_activity_at',
      ],
      ids.map((id) => {
        const name = `p${id}`;
        const texts = [name, name, name, `owner/${name}`, `owner/${name}`, name];
        return [id, home?.id, ...texts, 'private', false, false, written, written, written];
      }),
    );
    const member = (projectId: number, userId: number) => [projectId, userId, 30, written];
    const [busy, quiet] = [places.busyOfMany, places.quietOfMany];
    const ofMany = Array.from({ length: busy[1] + quiet[1] }, (_, index) => member(busy[0] + index, many));
    const rows = [...places.ofFew.map((id) => member(id, few)), ...ofMany];
    await insertRows(session, 'project_members', ['project_id', 'user_id', 'access_level', 'created_at'], rows);
  });
  return places;
};

const FILTERS: Readonly<Record<string, string>> = {
  nothing: '',
  'a common action': 'action=pushed',
  'a rare action': 'action=destroyed',
  'a common type': 'target_type=issue',
  'a rare type': 'target_type=milestone',
  'a common action of a type it never had': 'action=pushed&target_type=milestone',
  before: `before=${new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)}`,
  after: `after=${new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10)}`,
  'all of them': `action=created&target_type=issue&sort=desc&before=${new Date(Date.now() - 200 * 86_400_000)
    .toISOString()
    .slice(0, 10)}&after=${new Date(Date.now() - 500 * 86_400_000).toISOString().slice(0, 10)}`,
};

const p99 = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1] ?? NaN;

describeEachDatabase('the cost of a feed', (openTestDatabase) => {
  let [small, large]: Feed[] = [];

  beforeAll(async () => {
    small = await Feed.open(openTestDatabase, SMALL);
    large = await Feed.open(openTestDatabase, LARGE);
  });

  afterAll(async () => {
    await small?.close();
    await large?.close();
  });

  const lists = (feed: Feed, who: 'few' | 'many'): Record<string, string> => ({
    own: '/events',
    'of all projects': '/events?scope=all',
    'of another person': `/users/${feed.ids[who === 'few' ? 'many' : 'few']}/events`,
    'of a busy project': `/projects/${who === 'few' ? feed.places.ofFew[0] : feed.places.busyOfMany[0]}/events`,
  });

  interface Case {
    readonly name: string;
    readonly who: 'few' | 'many';
    readonly path: string;
    readonly deep: boolean;
  }

  const casesOf = (feed: Feed): Case[] =>
    (['few', 'many'] as const).flatMap((who) =>
      Object.entries(lists(feed, who)).flatMap(([list, base]) =>
        Object.entries(FILTERS).flatMap(([filter, query]) => {
          const path = [base, query].filter((part) => part !== '').join(base.includes('?') ? '&' : '?');
          const name = `${who === 'few' ? '3' : '3,000'} projects, ${list}, ${filter}`;
          return [
            { name: `${name}, first page`, who, path, deep: false },
            { name: `${name}, deep`, who, path, deep: true },
          ];
        }),
      ),
    );

  const startOf = async (feed: Feed, { who, path, deep }: Case): Promise<string> => {
    if (!deep) return path;
    let at = `${path}${path.includes('?') ? '&' : '?'}pagination=keyset&per_page=100`;
    for (let page = 0; page < DEPTH_IN_PAGES; page += 1) {
      const { next } = await feed.get(at, who);
      if (next === undefined) break;
      at = next;
    }
    return ofSize(at, PER_PAGE);
  };

  /** A case with the addresses of its pages, found once. */
  interface Pages {
    readonly name: string;
    readonly who: 'few' | 'many';
    readonly small: string;
    readonly large: string;
    /** Of as many entries as the small feed fills its page with. */
    readonly alike: string;
    /** In milliseconds, of the first request, when nothing is remembered of the list. */
    readonly first: number;
  }

  const pagesOf = async (inSmall: Case, inLarge: Case): Promise<Pages> => {
    if (small === undefined || large === undefined) throw new Error('There are no feeds.');
    const [ofSmall, ofLarge] = [await startOf(small, inSmall), await startOf(large, inLarge)];
    const { ms: first } = await large.get(ofLarge, inLarge.who);
    const { items } = await small.get(ofSmall, inSmall.who);
    const alike = items === 0 || items === PER_PAGE ? ofLarge : ofSize(ofLarge, items);
    return { name: inLarge.name, who: inLarge.who, small: ofSmall, large: ofLarge, alike, first };
  };

  /** What one round saw of a case: times in milliseconds, and the median of the large feed divided by that of the small one. */
  interface Round {
    readonly p50: number;
    readonly p99: number;
    readonly ratio: number;
  }

  const measure = async ({ who, ...pages }: Pages): Promise<Round> => {
    if (small === undefined || large === undefined) throw new Error('There are no feeds.');
    const times: Record<'small' | 'large' | 'alike', number[]> = { small: [], large: [], alike: [] };
    for (let request = -WARM_UP; request < REQUESTS; request += 1) {
      const which = request % COMPARED_EACH === 0 ? (['large', 'small', 'alike'] as const) : (['large'] as const);
      for (const each of which) {
        const { ms } = await (each === 'small' ? small : large).get(pages[each], who);
        if (request >= 0) times[each].push(ms);
      }
    }
    return {
      p50: median(times.large),
      p99: p99(times.large),
      ratio: median(times.alike) / median(times.small),
    };
  };

  it('is as flat as its indexes: each page within 20 ms in 99 of 100, and at most half as long again as of few entries', async () => {
    if (small === undefined || large === undefined) throw new Error('There are no feeds.');
    const ofSmall = casesOf(small);
    const cases: { readonly pages: Pages; readonly rounds: Round[] }[] = [];
    for (const [index, inLarge] of casesOf(large).entries()) {
      const inSmall = ofSmall[index];
      if (inSmall?.name !== inLarge.name) throw new Error('The cases differ.');
      cases.push({ pages: await pagesOf(inSmall, inLarge), rounds: [] });
    }
    let [repeats, disturbed] = [REPEATS, 0];
    const undisturbed = async (pages: Pages): Promise<Round> => {
      for (;;) {
        const stolen = watchStolenTime();
        const round = await measure(pages);
        if (stolen() <= MOST_STOLEN) return round;
        if (repeats === 0) {
          disturbed += 1;
          return round;
        }
        repeats -= 1;
      }
    };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { pages, rounds } of cases) rounds.push(await undisturbed(pages));
    const seen = cases.map(({ pages: { name, first }, rounds }) => ({
      name,
      first,
      p50s: rounds.map(({ p50 }) => p50),
      p99s: rounds.map(({ p99 }) => p99),
      ratios: rounds.map(({ ratio }) => ratio),
    }));
    const lines = seen.map(
      ({ name, first, p50s, p99s, ratios }) =>
        `  ${name.padEnd(76)} p50 ${withSpread(p50s, 1)} p99 ${withSpread(p99s, 1)} ms, first ${first.toFixed(1)}, ` +
        `÷ ${SMALL}: ${withSpread(ratios, 2)}`,
    );
    process.stdout.write(`${expect.getState().currentTestName ?? ''}: ${LARGE} entries\n${lines.join('\n')}\n`);
    const slow = seen.filter(({ p99s }) => median(p99s) > 20).map(({ name }) => name);
    const steep = seen.filter(({ ratios }) => median(ratios) > 1.5).map(({ name }) => name);
    const [slowest, ratios] = [seen.map(({ p99s }) => median(p99s)), seen.map(({ ratios }) => median(ratios))];
    process.stdout.write(
      `  slower than 20 ms: ${slow.length} of ${seen.length}, slowest ${Math.max(...slowest).toFixed(1)} ms; ` +
        `more than half as long again: ${steep.length}, median ${median(ratios).toFixed(2)}, ` +
        `largest ${Math.max(...ratios).toFixed(2)}; measured again: ${REPEATS - repeats}, ` +
        `left disturbed: ${disturbed} of ${ROUNDS * seen.length}\n`,
    );
    expect(slow).toEqual([]);
    expect(steep).toEqual([]);
  });

  it('scans the table nowhere', async () => {
    if (large === undefined) throw new Error('There is no feed.');
    const { database, url } = large;
    const statements = new Map<string, readonly unknown[]>();
    const recording = new Session(database.schema, database.reader.dialect, (sql, bindings) => {
      statements.set(sql, bindings);
      return database.reader.run(sql, bindings);
    });
    const reader = new KnexActivityReader(recording);
    const viewer = { userId: large.ids.many, admin: false, today: new Date().toISOString().slice(0, 10) };
    const filter = { from: new Date(Date.now() - 700 * 86_400_000) };
    const feeds: ActivityQuery['feed'][] = [
      { kind: 'author', authorId: large.ids.many },
      { kind: 'memberships' },
      { kind: 'project', projectId: large.places.busyOfMany[0], level: 30 },
    ];
    for (const feed of feeds) {
      const [action, targetType] = ['created', 'milestone'] as const;
      for (const narrowed of [{}, { action }, { targetType }, { action, targetType }]) {
        const query = { viewer, feed, filter: { ...filter, ...narrowed }, sort: 'desc' as const };
        await reader.listPage(query, { page: 1, perPage: 20 });
      }
    }
    for (const [sql, bindings] of statements) {
      const plan = await explain(database, url, sql, bindings);
      process.stdout.write(`${sql.replace(/\s+/g, ' ').slice(0, 160)} …\n${plan}\n`);
      // What was read by an index already may be gone through: SQLite calls it by the same name.
      const scanned = plan.includes('CO-ROUTINE e') ? /SCAN activity_events/ : /SCAN (?:e|activity_events)\b(?! USING)/;
      expect(plan).not.toMatch(/Seq Scan on activity_events/);
      expect(plan).not.toMatch(scanned);
    }
  });

  it('keeps its pace while a million entries that are too old are removed', async () => {
    if (large === undefined) throw new Error('There is no feed.');
    const { database, url, places } = large;
    await seedOldActivity(database, url, OLD, places.left);
    const directory = process.env['GATEHOUSE_TEST_DIRECTORY'] ?? '';
    await large.restart(clockAhead(directory, EVERY_HOUR, LEAD_MS));
    const paths = ['/events', '/events?scope=all', `/projects/${places.busyOfMany[0]}/events`];
    const pace = async (goesOn: () => boolean): Promise<number[]> => {
      const times: number[] = [];
      while (goesOn()) for (const path of paths) times.push((await large?.get(path, 'many'))?.ms ?? NaN);
      return times;
    };
    const rounds = (count: number) => (): boolean => (count -= 1) >= 0;
    const oldest = async (): Promise<number> => {
      const [row] = await database.reader.run<{ created_at: unknown }>(
        'select created_at from activity_events order by created_at limit 1',
        [],
      );
      return database.reader.dialect.readInstant(row?.created_at).getTime();
    };
    await pace(rounds(WARM_UP));
    const [alone, first] = [await pace(rounds(REQUESTS)), await oldest()];
    await until(async () => (await oldest()) > first, 2 * LEAD_MS);
    const startedAt = performance.now();
    const meanwhile: number[] = [];
    const areLeft = async (): Promise<boolean> => (await oldest()) < Date.now() - TOO_OLD_MS;
    while ((await areLeft()) && performance.now() < startedAt + PATIENCE_MS)
      meanwhile.push(...(await pace(rounds(REQUESTS))));
    process.stdout.write(
      `${expect.getState().currentTestName ?? ''}: removed in ${Math.round((performance.now() - startedAt) / 1_000)} s; ` +
        `p50 ${median(alone).toFixed(1)}, p99 ${p99(alone).toFixed(1)} ms alone; ` +
        `p50 ${median(meanwhile).toFixed(1)}, p99 ${p99(meanwhile).toFixed(1)} ms meanwhile (${meanwhile.length} requests)\n`,
    );
    expect(await areLeft()).toBe(false);
    expect(p99(meanwhile)).toBeLessThan(Math.max(20, 2 * p99(alone)));
  });
});

const explain = async (database: Database, url: string, sql: string, bindings: readonly unknown[]): Promise<string> => {
  const asked = url.startsWith('sqlite:') ? `explain query plan ${sql}` : `explain ${sql}`;
  const values = bindings.map((value) => (typeof value === 'boolean' ? Number(value) : value)) as never;
  const answer = (await database.schema.raw(asked, values)) as { rows?: object[] };
  const rows = answer.rows ?? (answer as unknown as object[]);
  return rows.map((row) => `    ${String(Object.values(row).at(-1))}`).join('\n');
};
