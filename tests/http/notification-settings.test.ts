import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTIFICATION_EVENTS } from '../../src/domain/notifications/notification-event.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type ApiRequest, type TestUser } from '../support/test-service.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

interface SettingBody {
  readonly level: string;
  readonly events?: Readonly<Record<string, boolean>>;
  readonly notification_email?: string | null;
}

const DEFAULT_ON = ['failed_pipeline', 'fixed_pipeline', 'moved_project'];

/** Every event, with those on that are named or on by default. */
const events = (...on: readonly string[]) =>
  Object.fromEntries(NOTIFICATION_EVENTS.map((event) => [event, on.includes(event) || DEFAULT_ON.includes(event)]));

describeEachDatabase('notification settings', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let group: number;
  let project: number;
  let hidden: number;
  let hiddenGroup: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    const create = async (path: string, json: object) =>
      (await service.call<{ id: number }>('POST', path, { token: ada.token, json })).body.id;
    group = await create('/groups', { name: 'Engines', path: 'engines', visibility: 'public' });
    hiddenGroup = await create('/groups', { name: 'Secret', path: 'secret', visibility: 'private' });
    project = await create('/projects', { name: 'Difference', namespace_id: group, visibility: 'public' });
    hidden = await create('/projects', { name: 'Hidden', namespace_id: hiddenGroup });
  });

  afterAll(() => service.close());

  const get = (path: string, who = grace) =>
    service.call<SettingBody>('GET', `${path}/notification_settings`, { token: who.token });
  const put = (path: string, request: ApiRequest, who = grace) =>
    service.call<SettingBody>('PUT', `${path}/notification_settings`, { token: who.token, ...request });
  const addEmail = (userId: number, address: string, confirmed: boolean) =>
    service.service.container.get(TOKENS.unitOfWork).execute(({ emails }) =>
      emails.add({
        userId: userId as UserId,
        address,
        primary: false,
        confirmedAt: confirmed ? service.clock.now() : null,
        recoverySince: null,
        createdAt: service.clock.now(),
      }),
    );

  it('start as participating, and as global for a group and a project', async () => {
    const fresh = await service.addUser('fresh');
    expect((await get('', fresh)).body).toEqual({ level: 'participating', notification_email: 'fresh@example.com' });
    expect((await get(`/groups/${group}`, fresh)).body).toEqual({ level: 'global' });
    expect((await get(`/projects/${project}`, fresh)).body).toEqual({ level: 'global' });
    expect((await put('', {}, fresh)).body).toEqual({
      level: 'participating',
      notification_email: 'fresh@example.com',
    });
  });

  it('take every level there is, global on the global setting too', async () => {
    for (const level of ['disabled', 'participating', 'watch', 'global', 'mention', 'custom']) {
      for (const path of ['', `/groups/${group}`, '/projects/engines%2Fdifference']) {
        expect(await put(path, { json: { level } })).toMatchObject({ status: 200, body: { level } });
        expect((await get(path)).body).toMatchObject({ level });
      }
    }
  });

  it('refuse a level that there is not, and say so', async () => {
    for (const [level, shown] of [
      ['explosive', 'explosive'],
      ['', ''],
      ['Watch', 'Watch'],
      [2, '2'],
    ] as const) {
      expect(await put(`/projects/${project}`, { json: { level } })).toMatchObject({
        status: 400,
        body: { message: `'${shown}' is not a valid level` },
      });
    }
    expect(await put('', { json: { level: ['watch'] } })).toMatchObject({
      status: 400,
      body: { error: 'level is invalid' },
    });
  });

  it('show all events at custom and at no other level, also globally, and keep what was switched before', async () => {
    for (const path of ['', `/groups/${group}`, `/projects/${project}`]) {
      const hopper = await service.addUser(`hopper${path.replaceAll('/', '-')}`);
      expect((await put(path, { json: { level: 'watch', new_note: true } }, hopper)).body).not.toHaveProperty('events');
      const custom = await put(path, { json: { level: 'custom' } }, hopper);
      expect(custom.body.events).toEqual(events('new_note'));
      expect(Object.keys(custom.body.events ?? {})).toEqual([...NOTIFICATION_EVENTS]);
      expect((await get(path, hopper)).body.events).toEqual(events('new_note'));
      expect((await put(path, { json: { new_issue: true, new_note: false } }, hopper)).body.events).toEqual(
        events('new_issue'),
      );
    }
  });

  it('are read from a query, a form and JSON, with booleans as people write them', async () => {
    const path = `/projects/${project}`;
    await put(path, { json: { level: 'custom' } });
    const answer = await service.call<SettingBody>('PUT', `${path}/notification_settings?new_note=1&unknown=x`, {
      token: grace.token,
    });
    expect(answer.body.events).toMatchObject({ new_note: true });
    expect((await put(path, { form: { new_note: 'off', issue_due: 't' } })).body.events).toMatchObject({
      new_note: false,
      issue_due: true,
    });
    expect(await put(path, { form: { new_note: 'perhaps', new_issue: '' } })).toMatchObject({
      status: 400,
      body: { error: 'new_note is invalid, new_issue is empty' },
    });
  });

  it('keep what several requests at once switch on', async () => {
    const busy = await service.addUser('busy');
    const some = NOTIFICATION_EVENTS.slice(0, 8);
    await Promise.all(some.map((event) => put(`/groups/${group}`, { json: { [event]: true } }, busy)));
    expect((await put(`/groups/${group}`, { json: { level: 'custom' } }, busy)).body.events).toEqual(events(...some));
  });

  it('leave out new_epic below the top tier', async () => {
    const modest = await TestService.start(await openTestDatabase(), { tier: 'premium' });
    const { token } = await modest.addUser('modest');
    const { status, body } = await modest.call<SettingBody>('PUT', '/notification_settings', {
      token,
      json: { level: 'custom', new_epic: 'nonsense' },
    });
    expect(status).toBe(200);
    expect(Object.keys(body.events ?? {})).toEqual(NOTIFICATION_EVENTS.filter((event) => event !== 'new_epic'));
    await modest.close();
  });

  it('need a token of the whole API to be changed, and of reading to be read', async () => {
    expect((await service.call('GET', '/notification_settings')).status).toBe(401);
    for (const [scope, reads] of [
      ['read_user', 403],
      ['read_api', 200],
    ] as const) {
      const token = await service.addToken(grace.id, [scope]);
      for (const path of ['', `/groups/${group}`, `/projects/${project}`]) {
        const address = `${path}/notification_settings`;
        expect((await service.call('GET', address, { token })).status).toBe(reads);
        expect(await service.call('PUT', address, { token, json: { level: 'watch' } })).toMatchObject({
          status: 403,
          body: { error: 'insufficient_scope' },
        });
      }
    }
  });

  describe('the address', () => {
    it('is any confirmed one of the caller, and the primary one again when it is removed', async () => {
      const email = await addEmail(grace.id, 'Grace@navy.example', true);
      expect((await put('', { json: { notification_email: 'grace@NAVY.example' } })).body).toMatchObject({
        notification_email: 'Grace@navy.example',
      });
      await service.call('DELETE', `/user/emails/${email.id}`, { token: grace.token });
      expect((await get('')).body.notification_email).toBe('grace@example.com');
    });

    it('E1 is nobody else’s, not unconfirmed, not two, and no trick of encoding', async () => {
      await addEmail(grace.id, 'unconfirmed@example.com', false);
      await put('', { json: { level: 'watch' } });
      for (const address of [
        'ada@example.com',
        'unconfirmed@example.com',
        'grace@example.com,ada@example.com',
        'grace@example.com ada@example.com',
        'grace@example.com;ada@example.com',
        'grace%40example.com',
        'grace%2540example.com',
        '"grace@example.com"',
        'grace@example.com\r\nBcc: ada@example.com',
        ' grace@example.com',
        '',
        'x'.repeat(900),
      ]) {
        expect([address, await put('', { json: { level: 'mention', notification_email: address } })]).toMatchObject([
          address,
          { status: 400, body: { message: { notification_email: ['is not an email you own'] } } },
        ]);
      }
      for (const value of [['grace@example.com', 'ada@example.com'], { 0: 'grace@example.com' }]) {
        expect(await put('', { json: { notification_email: value } })).toMatchObject({
          status: 400,
          body: { error: 'notification_email is invalid' },
        });
      }
      // Not sent, and so it stays.
      expect((await put('', { json: { notification_email: null } })).status).toBe(200);
      const twice = '/notification_settings?notification_email=grace@example.com&notification_email=ada@example.com';
      expect((await service.call('PUT', twice, { token: grace.token })).status).toBe(400);
      expect((await get('')).body).toEqual({ level: 'watch', notification_email: 'grace@example.com' });
    });

    it('is no affair of groups and projects', async () => {
      const answer = await put(`/projects/${project}`, {
        json: { notification_email: 'ada@example.com', level: 'watch' },
      });
      expect(answer).toMatchObject({ status: 200, body: { level: 'watch' } });
      expect(answer.body).not.toHaveProperty('notification_email');
    });
  });

  it('E2 of what the caller may not see are not there, whatever he sends', async () => {
    for (const [path, thing] of [
      [`/groups/${hiddenGroup}`, 'Group'],
      ['/groups/secret', 'Group'],
      [`/projects/${hidden}`, 'Project'],
      ['/projects/secret%2Fhidden', 'Project'],
      ['/projects/999999', 'Project'],
      ['/projects/hidden', 'Project'],
    ] as const) {
      const notFound = { status: 404, body: { message: `404 ${thing} Not Found` } };
      expect(await get(path)).toMatchObject(notFound);
      expect(await put(path, { json: { level: 'watch' } })).toMatchObject(notFound);
      expect(await put(path, { json: { level: 'explosive', new_note: 'perhaps' } })).toMatchObject(notFound);
      const asked = `${path}/notification_settings/effective?event=new_note`;
      expect(await service.call('GET', asked, { token: grace.token })).toMatchObject(notFound);
    }
  });

  describe('that count', () => {
    it('are told with the place that decides and the reason', async () => {
      const hedy = await service.addUser('hedy');
      const ask = async (path: string, query: string) =>
        (await service.call('GET', `${path}/notification_settings/effective?${query}`, { token: hedy.token })).body;
      expect(await ask('', 'event=new_note')).toEqual({
        event: 'new_note',
        involvement: 'participating',
        level: 'participating',
        decided_by: { kind: 'global', id: null, full_path: null },
        notified: true,
        reason: 'commented',
      });
      await put(`/groups/${group}`, { json: { level: 'watch' } }, hedy);
      expect(await ask(`/projects/${project}`, 'event=new_issue&involvement=none')).toMatchObject({
        level: 'watch',
        decided_by: { kind: 'group', id: group, full_path: 'engines' },
        notified: true,
        reason: 'watching',
      });
      await put(`/projects/${project}`, { json: { level: 'custom', new_issue: true } }, hedy);
      expect(await ask(`/projects/${project}`, 'event=close_issue')).toMatchObject({
        level: 'custom',
        decided_by: { kind: 'project', id: project, full_path: 'engines/difference' },
        notified: false,
        reason: 'event_switched_off',
      });
      expect(await ask(`/projects/${project}`, 'event=close_issue&involvement=mentioned')).toMatchObject({
        notified: true,
        reason: 'mentioned',
      });
      expect(await ask(`/groups/${group}`, 'event=issue_due&involvement=none')).toMatchObject({
        notified: false,
        reason: 'event_not_watched',
      });
      expect(await ask('', 'event=explosion')).toMatchObject({ error: 'event does not have a valid value' });
      expect(await ask('', '')).toEqual({ error: 'event is missing' });
    });
  });
});
