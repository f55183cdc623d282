import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MOST_REQUESTS_OF_A_PERSON } from '../../src/domain/workspace/access-request.js';
import { AskedPlaces } from '../support/asked-places.js';
import { describeEachDatabase } from '../support/databases.js';
import { playRounds, timesOf } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';

const ROUNDS = timesOf(8, 100);

describeEachDatabase('requests for access, when several things are done with one at once', (openTestDatabase) => {
  let service: TestService;
  let places: AskedPlaces;
  let root: TestUser;
  let group: string;
  let project: string;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 'off', signIn: 'off' },
    });
    root = await service.addUser('boss', { admin: true });
    places = new AskedPlaces(service, await service.addUser('ada'));
    group = await places.group();
    project = await places.project(group);
  });

  afterAll(() => service.close());

  const statusesOf = async (answers: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort((one, other) => one - other);

  it('one of several people who ask twice at once is heard once', async () => {
    await playRounds(ROUNDS, async (round) => {
      const asker = await service.addUser(`twice-${round}`);
      expect(await statusesOf([1, 2, 3].map(() => places.ask(asker, project)))).toEqual([201, 409, 409]);
    });
  });

  it('approved and denied at once, one of both holds', async () => {
    await playRounds(ROUNDS, async (round) => {
      const place = round % 2 === 0 ? group : project;
      const asker = await service.addUser(`decided-${round}`);
      await places.ask(asker, place);
      const [approved, denied] = await Promise.all([
        places.approve(places.owner, place, asker),
        places.end(places.owner, place, asker),
      ]);
      const level = await places.levelOf(place, asker);
      expect([approved.status, denied.status, level]).toEqual(
        approved.status === 201 ? [201, 404, 30] : [404, 204, undefined],
      );
      expect(await places.asking(place)).not.toContain(asker.username);
    });
  });

  it('of who becomes a member meanwhile, of the place or of a group above, none is left', async () => {
    await playRounds(ROUNDS, async (round) => {
      const joined = round % 2 === 0 ? group : project;
      const asker = await service.addUser(`joins-${round}`);
      const [asked, added] = await Promise.all([places.ask(asker, project), places.join(joined, asker, 20)]);
      expect([added.status, [201, 409].includes(asked.status)]).toEqual([201, true]);
      expect(await places.asking(project)).not.toContain(asker.username);
    });
  });

  it('approved and made a member otherwise at once, somebody is a member once', async () => {
    await playRounds(ROUNDS, async (round) => {
      const asker = await service.addUser(`both-${round}`);
      await places.ask(asker, project);
      const [approved, added] = await Promise.all([
        places.approve(places.owner, project, asker),
        places.join(project, asker, 20),
      ]);
      expect([
        [201, 409],
        [404, 201],
      ]).toContainEqual([approved.status, added.status]);
      expect(await places.asking(project)).not.toContain(asker.username);
    });
  });

  it('of who is blocked meanwhile none is left, and none is made', async () => {
    await playRounds(ROUNDS, async (round) => {
      const asker = await service.addUser(`blocked-${round}`);
      const [asked] = await Promise.all([
        places.ask(asker, project),
        places.call(root, 'POST', `/users/${asker.id}/block`),
      ]);
      expect([201, 401, 403]).toContain(asked.status);
      expect(await places.asking(project)).not.toContain(asker.username);
    });
  });

  it('of many at once no person has more than they may', async () => {
    const asker = await service.addUser('greedy');
    const all = await Promise.all(Array.from({ length: MOST_REQUESTS_OF_A_PERSON + 4 }, () => places.project()));
    const statuses = await statusesOf(all.map((place) => places.ask(asker, place)));
    expect(statuses.filter((status) => status === 201)).toHaveLength(MOST_REQUESTS_OF_A_PERSON);
    expect(new Set(statuses)).toEqual(new Set([201, 422]));
  });
});
