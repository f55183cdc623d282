import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AskedPlaces } from '../support/asked-places.js';
import { describeEachDatabase } from '../support/databases.js';
import { queuedMails } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;

describeEachDatabase('mails about requests for access', (openTestDatabase) => {
  let service: TestService;
  let places: AskedPlaces;
  let maintainer: TestUser;
  let developer: TestUser;
  let sam: TestUser;
  let group: string;
  let project: string;
  let seen = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 'off', signIn: 'off' },
    });
    places = new AskedPlaces(service, await service.addUser('ada'));
    [maintainer, developer, sam] = [
      await service.addUser('mary'),
      await service.addUser('dan'),
      await service.addUser('sam'),
    ];
    await service.addUser('boss', { admin: true });
    group = await places.group({ path: 'works', name: 'Works' });
    project = await places.project(group, { path: 'mill', name: 'Mill' });
    await places.join(project, maintainer, 40);
    await places.join(project, developer, 30);
  });

  afterAll(() => service.close());

  beforeEach(async () => {
    // What was asked before is forgotten.
    service.clock.advance(DAY_MS + 1);
    seen = (await queuedMails(service)).length;
  });

  /** What was queued since the beginning of the test. */
  const told = async () =>
    (await queuedMails(service))
      .slice(seen)
      .map(({ recipient, template }) => `${recipient.split('@')[0] ?? ''}: ${template}`)
      .sort();
  const forget = async (place: string) => {
    await places.call(places.owner, 'DELETE', `${place}/members/${sam.id}`);
    await places.end(sam, place, sam);
  };
  const choose = (who: TestUser, place: string, level: string) =>
    places.call(who, 'PUT', `${place}/notification_settings`, { level });

  it('go to who may decide, and to who asked once that is done', async () => {
    await places.ask(sam, project);
    expect(await told()).toEqual(['ada: access_requested', 'mary: access_requested']);
    await places.approve(maintainer, project, sam, { access_level: 20 });
    const [, , granted] = (await queuedMails(service)).slice(seen);
    expect(granted).toMatchObject({
      recipient: 'sam@example.com',
      template: 'access_granted',
      content: { kind: 'project', path: 'works/mill', role: 'Reporter', name: 'sam Example' },
    });
    await forget(project);
  });

  it('go to owners alone where it is a group, and tell who is denied', async () => {
    await places.ask(sam, group);
    expect(await told()).toEqual(['ada: access_requested']);
    await places.end(places.owner, group, sam);
    expect(await told()).toEqual(['ada: access_requested', 'sam: access_denied']);
  });

  it('tell nobody of a place that is hidden from them since, whatever it is called now', async () => {
    const open = await places.group({ path: 'open-works', name: 'Open works' });
    const within = await places.project(open, { path: 'open-mill', name: 'Open mill' });
    for (const place of [open, within]) await places.ask(sam, place);
    const asked = await told();
    for (const [place, path] of [
      [within, 'merger-of-mills'],
      [open, 'merger-of-works'],
    ] as const)
      expect((await places.call(places.owner, 'PUT', place, { visibility: 'private', path })).status).toBe(200);
    for (const place of [open, within]) expect((await places.end(places.owner, place, sam)).status).toBe(204);
    expect(await told()).toEqual(asked);
  });

  it('say nothing of a request that is taken back, or that somebody needs no more', async () => {
    await places.ask(sam, project);
    await places.end(sam, project, sam);
    await places.ask(sam, project);
    await places.join(project, sam, 20);
    expect((await told()).filter((mail) => mail.startsWith('sam'))).toEqual([]);
    await forget(project);
  });

  it('are not sent again for who asks once more within a day', async () => {
    for (const who of [sam, places.owner]) {
      await places.ask(sam, project);
      await places.end(who, project, sam);
    }
    const asked = async () => (await told()).filter((mail) => mail.endsWith('access_requested')).length;
    const before = await asked();
    await places.ask(sam, project);
    await places.end(sam, project, sam);
    expect([before <= 2, await asked()]).toEqual([true, before]);
    service.clock.advance(DAY_MS + 1);
    await places.ask(sam, project);
    expect(await asked()).toBe(before + 2);
    await places.end(sam, project, sam);
  });

  it('go to nobody who wants to be told nothing there', async () => {
    await choose(maintainer, project, 'disabled');
    await choose(places.owner, group, 'disabled');
    await places.ask(sam, project);
    expect(await told()).toEqual([]);
    await choose(maintainer, project, 'mention');
    await choose(sam, '', 'disabled');
    await places.end(places.owner, project, sam);
    service.clock.advance(DAY_MS + 1);
    await places.ask(sam, project);
    expect(await told()).toEqual(['mary: access_requested']);
    for (const place of [group, project]) await choose(places.owner, place, 'global');
    await choose(sam, '', 'participating');
    await places.end(sam, project, sam);
  });

  it('go to ten at most, of those who may decide', async () => {
    const crowd = await places.project();
    for (let number = 0; number < 12; number += 1)
      await places.join(crowd, await service.addUser(`keeper-${number}`), 40);
    await places.ask(sam, crowd);
    expect(await told()).toHaveLength(10);
  });
});
