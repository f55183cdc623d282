import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ActivityQuery } from '../../src/application/activity/ports/activity-reader.js';
import { KnexActivityReader } from '../../src/adapters/outbound/persistence/knex/activity/knex-activity-reader.js';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { insertInto } from '../../src/adapters/outbound/persistence/knex/insert-rows.js';
import { Session } from '../../src/adapters/outbound/persistence/knex/session.js';
import { EVERY_HOUR } from '../../src/infrastructure/composition/schedules.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { clockAhead } from '../support/clock-ahead.js';
import { describeEachDatabase, type OpenTestDatabase } from '../support/databases.js';
import { SEEDED_DAYS, seedActivity, seedOldActivity, type SeededPlaces } from '../support/seed-activity.js';
import { ServiceProcess } from '../support/service-process.js';
import { median, withSpread } from '../support/statistics.js';
import { watchStolenTime } from '../support/stolen-time.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';
import { whole } from '../support/whole-page.js';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

const LARGE = Number(process.env['BENCH_EVENTS'] ?? 10_000_000);
const SMALL = 10_000;
/** Of the cases only those whose names match. */
const CASES = new RegExp(process.env['BENCH_CASES'] ?? '');
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
const DAY_MS = 86_400_000;
const TOO_OLD_MS = 732 * DAY_MS;
/** For the removal of all of them. */
const PATIENCE_MS = 1_500_000;
const DEPTH_IN_PAGES = 50;
/** Who the projects belong to: each has about ten. */
const OWNERS = 800;
const PER_PAGE = 20;

const PEOPLE = ['few', 'many', 'quiet'] as const;
type Who = (typeof PEOPLE)[number];
const PROJECTS: Readonly<Record<Who, string>> = {
  few: '3 projects',
  many: '3,000 projects',
  quiet: '2,900 quiet projects',
};

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
    readonly tokens: Readonly<Record<Who, string>>,
    readonly ids: Readonly<Record<Who, number>>,
    readonly places: SeededPlaces,
    readonly secretKey: Buffer<ArrayBuffer>,
  ) {}

  static async open(openTestDatabase: OpenTestDatabase, events: number): Promise<Feed> {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const few = await seeded.addUser('few');
    const [many, quiet] = [await seeded.addUser('many'), await seeded.addUser('quiet')];
    const ids = { few: few.id, many: many.id, quiet: quiet.id };
    const database = openDatabase({ url, poolMax: 4 });
    const places = await addProjects(database, seeded, ids);
    await seedActivity(database, url, events, ids, places);
    await seeded.close();
    return new Feed(
      database,
      url,
      await startService(url, secretKey),
      { few: few.token, many: many.token, quiet: quiet.token },
      ids,
      places,
      secretKey,
    );
  }

  async get(path: string, who: Who): Promise<{ ms: number; next: string | undefined; items: number }> {
    const startedAt = performance.now();
    const response = await fetch(path.startsWith('http') ? path : `${this.service.url}/api/v4${path}`, {
      headers: { 'PRIVATE-TOKEN': this.tokens[who] },
    });
    const body = (await response.json()) as unknown[];
    const ms = performance.now() - startedAt;
    if (response.status !== 200)
      throw new Error(`${path}: ${response.status} ${JSON.stringify(body)} after ${ms.toFixed(0)} ms`);
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
const insertProjects = insertInto('projects', [
  'id',
  'namespace_id',
  'name',
  'name_key',
  'path',
  'full_path',
  'full_path_key',
  'search_key',
  'visibility',
  'archived',
  'merge_when_pipeline_succeeds',
  'created_at',
  'updated_at',
  'last_activity_at',
]);
const insertMembers = insertInto('project_members', ['project_id', 'user_id', 'access_level', 'created_at']);

const addProjects = async (
  database: Database,
  service: TestService,
  people: Readonly<Record<Who, number>>,
): Promise<SeededPlaces> => {
  const at = service.service.container.get(TOKENS.clock).now();
  const [last] = await database.reader.run<{ id: number | null }>('select max(id) as id from projects', []);
  const places = PLACES(Number(last?.id ?? 0) + 1);
  const end = places.others[0] + places.others[1];
  const written = database.reader.dialect.writeInstant(at);
  for (let owner = 1; owner <= OWNERS; owner += 1) await service.addUser(`owner-${owner}`);
  const homes = await database.reader.run<{ id: number; path: string }>(
    "select id, path from namespaces where path like 'owner-%'",
    [],
  );
  await database.transact(async (session) => {
    const ids = Array.from({ length: end - places.ofFew[0] }, (_, index) => places.ofFew[0] + index);
    await insertProjects(
      session,
      ids.map((id) => {
        const name = `p${id}`;
        const home = homes[id % OWNERS];
        const path = `${home?.path}/${name}`;
        return [id, home?.id, name, name, name, path, path, name, 'private', false, false, written, written, written];
      }),
    );
    const member = (projectId: number, userId: number) => [projectId, userId, 30, written];
    const [busy, quiet] = [places.busyOfMany, places.quietOfMany];
    const members = ([first, count]: readonly [number, number], userId: number) =>
      Array.from({ length: count }, (_, index) => member(first + index, userId));
    const rows = [
      ...places.ofFew.map((id) => member(id, people.few)),
      ...members(busy, people.many),
      ...members(quiet, people.many),
      ...members(quiet, people.quiet),
    ];
    await insertMembers(session, rows);
  });
  return places;
};

/** Of a list: days are counted from today back. */
interface Filter {
  readonly action?: string;
  readonly target_type?: string;
  readonly sort?: string;
  readonly before?: number;
  readonly after?: number;
}

const FILTERS: Readonly<Record<string, Filter>> = {
  nothing: {},
  'a common action': { action: 'pushed' },
  'a rare action': { action: 'destroyed' },
  'a common type': { target_type: 'issue' },
  'a rare type': { target_type: 'milestone' },
  'a common action of a type it never had': { action: 'pushed', target_type: 'milestone' },
  before: { before: 300 },
  after: { after: 100 },
  'all of them': { action: 'created', target_type: 'issue', sort: 'desc', before: 200, after: 500 },
};

/** Before all entries there are. */
const BEGINNING = SEEDED_DAYS + 10;

/**
 * A filter of the same entries, or but for some days of them, that nothing is remembered of: how long a list was found to be is, of
 * each for a minute, and every request is to count.
 *
 * @param turn another one for each request of a minute.
 */
const anew = ({ before, after, ...filter }: Filter, turn: number): Filter => {
  if (before === undefined) return { ...filter, before: -1 - turn, ...(after === undefined ? {} : { after }) };
  return { ...filter, before: before + (turn % 40), after: (after ?? BEGINNING) + (Math.floor(turn / 40) % 100) };
};

/** The address of a list. */
const pathTo = (base: string, { before, after, ...filter }: Filter): string => {
  const parameters = new URLSearchParams(filter);
  for (const [name, days] of Object.entries({ before, after }))
    if (days !== undefined) parameters.set(name, new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
  return [base, parameters.toString()].filter((part) => part !== '').join(base.includes('?') ? '&' : '?');
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

  const lists = (feed: Feed, who: Who): Readonly<Record<string, string>> => {
    const ofAll = { 'of all projects': '/events?scope=all' };
    if (who === 'quiet') return ofAll;
    return {
      own: '/events',
      ...ofAll,
      'of another person': `/users/${feed.ids[who === 'few' ? 'many' : 'few']}/events`,
      'of a busy project': `/projects/${who === 'few' ? feed.places.ofFew[0] : feed.places.busyOfMany[0]}/events`,
    };
  };

  interface Case {
    readonly name: string;
    readonly who: Who;
    readonly base: string;
    readonly filter: Filter;
    readonly deep: boolean;
  }

  const casesOf = (feed: Feed): Case[] =>
    PEOPLE.flatMap((who) =>
      Object.entries(lists(feed, who)).flatMap(([list, base]) =>
        Object.entries(FILTERS).flatMap(([filtered, filter]) => {
          const name = `${PROJECTS[who]}, ${list}, ${filtered}`;
          return [
            { name: `${name}, first page`, who, base, filter, deep: false },
            { name: `${name}, deep`, who, base, filter, deep: true },
          ];
        }),
      ),
    );

  /** The address that a request asks: only the first pages carry totals, and each of them asks what was not counted before. */
  type Address = (turn: number) => string;

  const addressOf = async (feed: Feed, { who, base, filter, deep }: Case): Promise<Address> => {
    if (!deep) return (turn) => pathTo(base, anew(filter, turn));
    const path = pathTo(base, filter);
    let at = `${path}${path.includes('?') ? '&' : '?'}pagination=keyset&per_page=100`;
    for (let page = 0; page < DEPTH_IN_PAGES; page += 1) {
      const { next } = await feed.get(at, who);
      if (next === undefined) break;
      at = next;
    }
    return () => ofSize(at, PER_PAGE);
  };

  /** A case with the addresses of its pages. */
  interface Pages {
    readonly name: string;
    readonly who: Who;
    readonly small: Address;
    readonly large: Address;
    /** Of as many entries as the small feed fills its page with. */
    readonly alike: Address;
    /** In milliseconds, of the first request to a service that has just begun. */
    readonly first: number;
    /** Of requests until now. */
    turn: number;
  }

  const pagesOf = async (inSmall: Case, inLarge: Case): Promise<Pages> => {
    if (small === undefined || large === undefined) throw new Error('There are no feeds.');
    const [ofSmall, ofLarge] = [await addressOf(small, inSmall), await addressOf(large, inLarge)];
    const { ms: first } = await large.get(ofLarge(0), inLarge.who);
    const { items } = await small.get(ofSmall(0), inSmall.who);
    const alike: Address = (turn) => (items === 0 ? ofLarge(turn) : ofSize(ofLarge(turn), items));
    return { name: inLarge.name, who: inLarge.who, small: ofSmall, large: ofLarge, alike, first, turn: 0 };
  };

  /** What one round saw of a case: times in milliseconds, and the median of the large feed divided by that of the small one. */
  interface Round {
    readonly p50: number;
    readonly p99: number;
    readonly ratio: number;
  }

  const measure = async (pages: Pages): Promise<Round> => {
    if (small === undefined || large === undefined) throw new Error('There are no feeds.');
    const times: Record<'small' | 'large' | 'alike', number[]> = { small: [], large: [], alike: [] };
    for (let request = -WARM_UP; request < REQUESTS; request += 1) {
      const which = request % COMPARED_EACH === 0 ? (['large', 'small', 'alike'] as const) : (['large'] as const);
      for (const each of which) {
        pages.turn += 1;
        const { ms } = await (each === 'small' ? small : large).get(pages[each](pages.turn), pages.who);
        if (request >= 0) times[each].push(ms);
      }
    }
    return {
      p50: median(times.large),
      p99: p99(times.large),
      ratio: median(times.alike) / median(times.small),
    };
  };

  it('is as flat as its indexes: each page, counted, within 20 ms in 99 of 100, and at most half as long again as of few entries', async () => {
    if (small === undefined || large === undefined) throw new Error('There are no feeds.');
    const ofSmall = casesOf(small);
    const cases: { readonly pages: Pages; readonly rounds: Round[] }[] = [];
    for (const [index, inLarge] of casesOf(large).entries()) {
      const inSmall = ofSmall[index];
      if (inSmall?.name !== inLarge.name) throw new Error('The cases differ.');
      if (!CASES.test(inLarge.name)) continue;
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
    const seen = cases.map(({ pages: { name, who, first }, rounds }) => ({
      name,
      who,
      first,
      p50s: rounds.map(({ p50 }) => p50),
      p99s: rounds.map(({ p99 }) => p99),
      ratios: rounds.map(({ ratio }) => ratio),
    }));
    const lines = seen.map(
      ({ name, first, p50s, p99s, ratios }) =>
        `  ${name.padEnd(84)} p50 ${withSpread(p50s, 1)} p99 ${withSpread(p99s, 1)} ms, first ${first.toFixed(1)}, ` +
        `÷ ${SMALL}: ${withSpread(ratios, 2)}`,
    );
    process.stdout.write(`${expect.getState().currentTestName ?? ''}: ${LARGE} entries\n${lines.join('\n')}\n`);
    const slow = seen.filter(({ p99s }) => median(p99s) > 20).map(({ name }) => name);
    // Quiet projects have ten entries in the small feed, and ten thousand in the large one: too few to be compared with.
    const compared = seen.filter(({ who }) => who !== 'quiet');
    const steep = compared.filter(({ ratios }) => median(ratios) > 1.5).map(({ name }) => name);
    const [slowest, ratios] = [seen.map(({ p99s }) => median(p99s)), compared.map(({ ratios }) => median(ratios))];
    process.stdout.write(
      `  slower than 20 ms: ${slow.length} of ${seen.length}, slowest ${Math.max(...slowest).toFixed(1)} ms; ` +
        `more than half as long again: ${steep.length} of ${compared.length}, median ${median(ratios).toFixed(2)}, ` +
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
    const recording = Session.on(database.schema, database.reader.dialect, (sql, bindings) => {
      statements.set(sql, bindings);
      return database.reader.run(sql, bindings);
    });
    const reader = new KnexActivityReader(recording);
    const { many, quiet } = large.ids;
    const filter = { from: new Date(Date.now() - 700 * DAY_MS) };
    const lists: readonly { readonly userId: number; readonly feed: ActivityQuery['feed'] }[] = [
      { userId: many, feed: { kind: 'author', authorId: many as UserId } },
      { userId: many, feed: { kind: 'memberships' } },
      { userId: many, feed: { kind: 'project', projectId: large.places.busyOfMany[0] as ProjectId, level: 30 } },
      { userId: quiet, feed: { kind: 'memberships' } },
    ];
    for (const { userId, feed } of lists) {
      const viewer = { userId: userId as UserId, admin: false, today: new Date().toISOString().slice(0, 10) };
      const [action, targetType] = ['created', 'milestone'] as const;
      for (const narrowed of [{}, { action }, { targetType }, { action, targetType }]) {
        const query = { viewer, feed, filter: { ...filter, ...narrowed }, sort: 'desc' as const };
        await whole(await reader.listPage(query, { page: 1, perPage: 20 }));
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
    const clock = clockAhead(directory, EVERY_HOUR, LEAD_MS);
    await large.restart(clock.settings);
    clock.go();
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
