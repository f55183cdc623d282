import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { KnexRequestCounts } from '../../src/adapters/outbound/persistence/knex/shared/knex-request-counts.js';
import { CountsInMemory } from '../../src/adapters/outbound/system/counts-in-memory.js';
import { limitPerMinute } from '../../src/adapters/inbound/http/middleware/limit-per-minute.js';
import type { RequestCounts } from '../../src/application/shared/ports/request-counts.js';
import { TooManyRequests } from '../../src/domain/shared/domain-error.js';
import { AdjustableClock } from '../support/adjustable-clock.js';
import { describeEachDatabase } from '../support/databases.js';

const NOW = new Date('2026-03-01T12:00:00.123Z');
const ENDS_AT = new Date('2026-03-01T12:01:00.123Z');

describeEachDatabase('counts of requests', (openTestDatabase) => {
  let database: Database;
  let clock: AdjustableClock;
  let subject = 0;

  beforeAll(async () => {
    database = openDatabase({ url: await openTestDatabase(), poolMax: 4 });
  });
  afterAll(() => database.close());
  beforeEach(() => {
    clock = new AdjustableClock(NOW);
    subject += 1;
  });

  it.each<[where: string, open: () => RequestCounts]>([
    ['in memory', () => new CountsInMemory(clock)],
    ['in the database', () => new KnexRequestCounts(database, clock)],
  ])('are of a minute from the first one on, %s', async (_, open) => {
    const counts = open();
    const [one, other] = [`one ${subject}`, `other ${subject}`];
    expect(await counts.count(one)).toEqual({ times: 1, endsAt: ENDS_AT });
    clock.advance(59_999);
    expect(await counts.count(one)).toEqual({ times: 2, endsAt: ENDS_AT });
    expect(await counts.count(other)).toMatchObject({ times: 1 });
    clock.advance(1);
    expect(await counts.count(one)).toEqual({ times: 1, endsAt: new Date(ENDS_AT.getTime() + 60_000) });
  });

  it('are of all processes together, and each of many at once is told a number of its own', async () => {
    const nodes = [new KnexRequestCounts(database, clock), new KnexRequestCounts(database, clock)];
    const names = ['a', 'b', 'c'].map((name) => `${name} ${subject}`);
    const counted = await Promise.all(
      Array.from({ length: 300 }, async (_, place) => {
        const name = names[place % 3] ?? '';
        return [name, (await nodes[place % 2]?.count(name))?.times] as const;
      }),
    );
    for (const name of names)
      expect(counted.flatMap(([of, times]) => (of === name ? [times] : [])).sort((a = 0, b = 0) => a - b)).toEqual(
        Array.from({ length: 100 }, (_, place) => place + 1),
      );
  });

  it('keep neither what a client sent nor how long that was', async () => {
    const long = `192.0.2.1 ${'\u0000x'.repeat(20_000)} ${subject}`;
    const counts = new KnexRequestCounts(database, clock);
    expect([(await counts.count(long)).times, (await counts.count(long)).times]).toEqual([1, 2]);
    const kept = JSON.stringify(await database.reader.query('request_counts'));
    expect(kept).not.toContain('192.0.2.1');
  });

  it('begin anew where a clock that was wrong by hours began a minute', async () => {
    const wrong = new AdjustableClock(new Date(NOW.getTime() + 5 * 3_600_000));
    await new KnexRequestCounts(database, wrong).count(`early ${subject}`);
    const counted = await new KnexRequestCounts(database, clock).count(`early ${subject}`);
    expect(counted).toEqual({ times: 1, endsAt: ENDS_AT });
  });

  it('are told those who wait when the database is away, and go on when it is back', async () => {
    const away = new Error('away');
    let isAway = true;
    const transact: Database['transact'] = (work) => (isAway ? Promise.reject(away) : database.transact(work));
    const counts = new KnexRequestCounts({ transact }, clock);
    const waiting = [counts.count(`x ${subject}`), counts.count(`y ${subject}`)];
    for (const each of waiting) await expect(each).rejects.toBe(away);
    isAway = false;
    expect(await counts.count(`x ${subject}`)).toMatchObject({ times: 1 });
  });

  it('refuse beyond a limit until the minute has ended, without being asked again', async () => {
    let asked = 0;
    const shared = new KnexRequestCounts(database, clock);
    const counts: RequestCounts = { count: (of) => ((asked += 1), shared.count(of)) };
    const limit = limitPerMinute(`sign-ins ${subject} from`, 2, { counts, clock });
    await limit('192.0.2.1');
    await limit('192.0.2.1');
    for (let time = 0; time < 5; time += 1) await expect(limit('192.0.2.1')).rejects.toThrow(TooManyRequests);
    expect(asked).toBe(3);
    await limit('192.0.2.2');
    clock.advance(60_000);
    await limit('192.0.2.1');
  });

  it('in memory are so many and no more, the busy ones longest', async () => {
    const counts = new CountsInMemory(clock);
    await counts.count('busy');
    for (let number = 0; number < 20_000; number += 1) {
      await counts.count(`quiet ${number}`);
      if (number % 1_000 === 0) await counts.count('busy');
    }
    expect(await counts.count('quiet 0')).toMatchObject({ times: 1 });
    expect(await counts.count('busy')).toMatchObject({ times: 22 });
  });
});
