import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

/** What a request may delay others by, on a machine that does other work too. */
const MOST_HELD_MS = 250;
const TRIES = 3;
const AT_ONCE = 50;

/** As much as can be moved: few long comments, and many short ones. Each names issues wherever it can. */
const CASES = [
  [30, 100_000],
  [3_000, 1_000],
] as const;

describeEachDatabase('an issue that is moved with all its comments', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let from: number;
  let to: number;

  const call = async <Body>(method: string, path: string, json?: object): Promise<Body> => {
    const { status, body } = await service.call<Body>(method, path, { token: ada.token, ...(json && { json }) });
    expect([path, status]).toEqual([path, 201]);
    return body;
  };

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    for (const name of ['from', 'to']) {
      const { id } = await call<{ id: number }>('POST', '/projects', { name, visibility: 'public' });
      if (name === 'from') from = id;
      else to = id;
    }
  });

  afterAll(() => service.close());

  const open = async (notes: number, length: number) => {
    const { id, iid } = await call<{ id: number; iid: number }>('POST', `/projects/${from}/issues`, { title: 'Long' });
    const { schema, reader } = service.service.database;
    const at = reader.dialect.writeInstant(new Date('2020-01-01'));
    const body = '#1 or `#2`, \n'.repeat(Math.ceil(length / 13)).slice(0, length);
    const note = { subject_id: id, author_id: ada.id, body, system: false, created_at: at, updated_at: at };
    for (let made = 0; made < notes; made += AT_ONCE)
      await schema('notes').insert(Array.from({ length: Math.min(AT_ONCE, notes - made) }, () => note));
    return iid;
  };

  it.each(CASES)('%d of %d characters: keeps others waiting for a moment only', async (notes, length) => {
    const held: number[] = [];
    for (let each = 0; each < TRIES; each += 1) {
      const iid = await open(notes, length);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const startedAt = performance.now();
      const moved = await call<{ iid: number }>('POST', `/projects/${from}/issues/${iid}/move`, { to_project_id: to });
      const took = performance.now() - startedAt;
      delay.disable();
      held.push(delay.max / 1e6);
      process.stdout.write(`${notes} of ${length}: ${Math.round(took)} ms, held for ${Math.round(held.at(-1)!)} ms\n`);
      const path = `/projects/${to}/issues/${moved.iid}/notes?sort=asc&per_page=1`;
      const { body } = await service.call<readonly { body: string }[]>('GET', path, { token: ada.token });
      expect(body[0]!.body.slice(0, 30)).toBe('ada/from#1 or `#2`, \nada/from#');
    }
    expect(Math.min(...held)).toBeLessThanOrEqual(MOST_HELD_MS);
  });
});
