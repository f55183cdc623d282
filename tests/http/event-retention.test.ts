import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keptSince } from '../../src/domain/activity/event-filter.js';
import { ACTIVITY_TOKENS } from '../../src/infrastructure/composition/activity.tokens.js';
import { BusyProject, type EventBody } from '../support/activity.js';
import { describeDatabase, describeEachDatabase } from '../support/databases.js';
import { deployTwoNodes } from '../support/deployments.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;
const REMOVED = /^gatehouse_expired_rows_removed_total\{table="activity_events"\} (\d+)$/m;

const rowsIn = async (service: TestService): Promise<number> => {
  const rows = (await service.service.database.reader.query('activity_events').count({ total: '*' })) as {
    total: number;
  }[];
  return Number(rows[0]?.total);
};

const removedBy = async (service: TestService): Promise<number> => {
  const text = await (await fetch(`${service.nodeUrl}/-/metrics`)).text();
  return Number(REMOVED.exec(text)?.[1] ?? 0);
};

describeEachDatabase('how long activity events are kept', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let project: BusyProject;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    project = await BusyProject.create(service, ada, 'engine', 'public');
  });

  afterAll(() => service.close());

  const lists = () => ['/events?scope=all&', '/events?', '/users/ada/events?', `/projects/${project.id}/events?`];
  const seen = async (list: string, query = '') => {
    const path = `${list}per_page=100&action=closed${query}`;
    const { body, headers } = await service.call<EventBody[]>('GET', path, { token: ada.token });
    return { titles: body.map(({ target_title }) => target_title), total: headers.get('x-total') };
  };
  const titled = (title: string, createdAt: Date) => ({
    target: { type: 'issue', id: 1, iid: 1, title } as const,
    createdAt,
  });
  const twoYearsAgo = (): Date => keptSince(service.clock.now(), undefined);

  it('is two calendar years to the instant, though they are not yet removed and whatever days are asked for', async () => {
    const edge = twoYearsAgo();
    await project.record(titled('too old', new Date(edge.getTime() - 1)), titled('kept', edge));
    for (const list of lists()) {
      expect([list, await seen(list)]).toEqual([list, { titles: ['kept'], total: '1' }]);
      expect(await seen(list, '&after=1990-01-01')).toEqual({ titles: ['kept'], total: '1' });
      expect(await seen(list, '&pagination=keyset')).toMatchObject({ titles: ['kept'] });
    }
    expect(await rowsIn(service)).toBe(3);
  });

  it('ends for each entry at its own instant', async () => {
    service.clock.advance(1);
    for (const list of lists()) expect([list, await seen(list)]).toEqual([list, { titles: [], total: '0' }]);
  });

  it('is up for all of them once the retention has run, which counts what it removed', async () => {
    const [before, old] = [await removedBy(service), new Date(twoYearsAgo().getTime() - DAY_MS)];
    await project.record(...Array.from({ length: 1_200 }, (_, index) => titled(`${index}`, old)));
    await project.record(titled('young', service.clock.now()));
    await service.service.container.get(ACTIVITY_TOKENS.pruneActivity)();
    expect(await rowsIn(service)).toBe(2);
    expect((await removedBy(service)) - before).toBe(1_202);
    await service.service.container.get(ACTIVITY_TOKENS.pruneActivity)();
    expect([await rowsIn(service), (await removedBy(service)) - before]).toEqual([2, 1_202]);
  });

  it('is what EVENT_RETENTION_DAYS says instead', async () => {
    const short = await TestService.start(await openTestDatabase(), { eventRetentionDays: 30 });
    try {
      const grace = await short.addUser('grace');
      const engine = await BusyProject.create(short, grace, 'engine');
      const ago = (days: number, milliseconds = 0) =>
        new Date(short.clock.now().getTime() - days * DAY_MS - milliseconds);
      await engine.record(titled('too old', ago(30, 1)), titled('kept', ago(30)));
      const { body } = await short.call<EventBody[]>('GET', '/events?action=closed', { token: grace.token });
      expect(body.map(({ target_title }) => target_title)).toEqual(['kept']);
      await short.service.container.get(ACTIVITY_TOKENS.pruneActivity)();
      expect([await rowsIn(short), await removedBy(short)]).toEqual([2, 1]);
    } finally {
      await short.close();
    }
  });
});

if (selectedDatabases().includes('postgres'))
  describeDatabase('postgres', 'the retention of activity events, by two nodes', (openTestDatabase) => {
    it('removes each entry once, whichever node comes first', async () => {
      const { nodes, close } = await deployTwoNodes(await openTestDatabase());
      try {
        const ada = await nodes[0].addUser('ada');
        const project = await BusyProject.create(nodes[0], ada, 'engine');
        const createdAt = new Date(Date.now() - 3 * 366 * DAY_MS);
        await project.record(...Array.from({ length: 300 }, () => ({ createdAt })));
        await Promise.all(nodes.map((node) => node.service.container.get(ACTIVITY_TOKENS.pruneActivity)()));
        const removed = await Promise.all(nodes.map(removedBy));
        expect([await rowsIn(nodes[0]), removed.reduce((sum, each) => sum + each)]).toEqual([1, 300]);
      } finally {
        await close();
      }
    });
  });
