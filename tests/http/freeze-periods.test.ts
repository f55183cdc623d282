import { expect, it } from '@jest/globals';
import { CI_FILE, jobsOfNewest, runnerOf } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Period {
  readonly id: number;
  readonly freeze_start: string;
  readonly freeze_end: string;
  readonly cron_timezone: string;
  readonly [field: string]: unknown;
}

const WEEKEND = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' };
const CI = `
build: {script: make}
deploy: {script: deploy, rules: [{if: $CI_DEPLOY_FREEZE == null}]}
`;
const [REPORTER, DEVELOPER, MAINTAINER] = [20, 30, 40];

describeWriting('freeze periods', (writing) => {
  const ALL = '/freeze_periods';
  const make = async (loom: WrittenProject, fields: object = WEEKEND) => {
    const made = await loom.call<Period>('POST', ALL, fields);
    expect(made.status).toBe(201);
    return made.body;
  };
  const daily = (minutes: number): string => {
    const at = new Date(writing.service.clock.now().getTime() + minutes * 60_000);
    return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  };
  /** One that goes on now, and for an hour. */
  const NOW = () => ({ freeze_start: daily(-2), freeze_end: daily(60) });

  it('are made, told, changed and removed', async () => {
    const loom = await writing.newProject();
    const made = await make(loom);
    expect(made).toEqual({
      ...{ id: expect.any(Number), ...WEEKEND, cron_timezone: 'UTC' },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    });
    const one = `${ALL}/${made.id}`;
    expect((await loom.call<Period[]>('GET', ALL)).body).toEqual([made]);
    expect((await loom.call('GET', one)).body).toEqual(made);
    const changed = await loom.call<Period>('PUT', one, { cron_timezone: 'Europe/Berlin' });
    expect(changed).toMatchObject({ status: 200, body: { ...WEEKEND, cron_timezone: 'Europe/Berlin' } });
    expect((await loom.call('DELETE', one)).status).toBe(204);
    for (const [method, json] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect(await loom.call(method, one, json)).toMatchObject({
        ...{ status: 404, body: { message: '404 Freeze Period Not Found' } },
      });
  });

  it('are refused with all that is wrong, and where there are too many', async () => {
    const loom = await writing.newProject();
    const refused = await loom.call('POST', ALL, { freeze_start: 'often', freeze_end: '', cron_timezone: 'UTC' });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: { freeze_start: ['is invalid syntax'], freeze_end: ["can't be blank", 'is invalid syntax'] } },
    });
    const { id } = await make(loom);
    expect(await loom.call('PUT', `${ALL}/${id}`, { cron_timezone: 'Nowhere' })).toMatchObject({
      ...{ status: 400, body: { message: { cron_timezone: ['is invalid syntax'] } } },
    });
    for (let count = 1; count < 50; count += 1) await make(loom);
    expect((await loom.call('POST', ALL, WEEKEND)).status).toBe(400);
  });

  it('are told to pipelines that begin within one, by rules and to their jobs, and to no others', async () => {
    const loom = await writing.newProject();
    const runner = await runnerOf(writing, loom);
    const { id } = await make(loom, NOW());
    await loom.write('main', { [CI_FILE]: CI });
    expect(await jobsOfNewest(writing, loom)).toEqual(['build']);
    const { variables } = await runner.takeNamed('build');
    expect(variables).toContainEqual(expect.objectContaining({ key: 'CI_DEPLOY_FREEZE', value: 'true' }));
    const [newest] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body;
    expect((await loom.call('GET', `/pipelines/${newest!.id}/variables`)).body).toEqual([]);
    await loom.call('PUT', `${ALL}/${id}`, { freeze_start: daily(30) });
    await loom.call('POST', '/pipeline', { ref: 'main' });
    await pushesFollowed(writing.service);
    expect(await jobsOfNewest(writing, loom)).toEqual(['build', 'deploy']);
    const later = await runner.takeNamed('build');
    expect(later.variables.map(({ key }) => key)).not.toContain('CI_DEPLOY_FREEZE');
  });

  it('are told to those who see pipelines, and made by those who look after the project', async () => {
    const loom = await writing.newProject({ visibility: 'private' });
    const { id } = await make(loom);
    const member = async (name: string, level: number): Promise<TestUser> => {
      const user = await writing.service.addUser(`${name}-${loom.id}`);
      await loom.addMember(user, level);
      return user;
    };
    const statuses = async (user: TestUser) =>
      (
        await Promise.all([
          loom.call('GET', ALL, undefined, user),
          loom.call('GET', `${ALL}/${id}`, undefined, user),
          loom.call('POST', ALL, WEEKEND, user),
          loom.call('PUT', `${ALL}/${id}`, WEEKEND, user),
        ])
      ).map(({ status }) => status);
    expect(await statuses(await member('maintainer', MAINTAINER))).toEqual([200, 200, 201, 200]);
    expect(await statuses(await member('developer', DEVELOPER))).toEqual([200, 200, 403, 403]);
    expect(await statuses(await member('reporter', REPORTER))).toEqual([200, 200, 403, 403]);
    expect(await statuses(await member('guest', 10))).toEqual([403, 403, 403, 403]);
    expect(await statuses(writing.grace)).toEqual([404, 404, 404, 404]);
    expect((await loom.call('DELETE', `${ALL}/${id}`, undefined, writing.grace)).status).toBe(404);
    expect((await writing.service.call('GET', `/projects/${loom.id}${ALL}`)).status).toBe(401);
  });

  it('have a page, where they are added, changed and removed, and which says what goes on now', async () => {
    const loom = await writing.newProject();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const list = `/${loom.project.path}/-/settings/freeze_periods`;
    const read = async (address: string) => (await browser.get(address)).text();
    expect(await read(`/${loom.project.path}/-/settings/ci_cd`)).toContain(list);
    expect(await read(list)).toContain('None yet.');
    const refused = await browser.submit(list, list, { ...WEEKEND, freeze_end: 'late', cron_timezone: 'UTC' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/end[^<]*is invalid syntax/i)]);
    await browser.submit(list, list, { ...WEEKEND, cron_timezone: 'Europe/Berlin' });
    await browser.submit(list, list, { ...NOW(), cron_timezone: 'UTC' });
    const periods = (await loom.call<Period[]>('GET', ALL)).body;
    expect(periods).toMatchObject([{ ...WEEKEND, cron_timezone: 'Europe/Berlin' }, NOW()]);
    expect((await read(list)).split('>Now</span>').length).toBeGreaterThan(1);
    const one = `${list}/${periods[1]!.id}`;
    expect((await browser.submit(one, one, { ...WEEKEND, cron_timezone: 'UTC' })).status).toBe(303);
    expect((await loom.call<Period[]>('GET', ALL)).body[1]).toMatchObject({ ...WEEKEND, cron_timezone: 'UTC' });
    expect((await browser.submit(`${one}/remove`, `${one}/remove`, {})).status).toBe(303);
    expect((await loom.call<Period[]>('GET', ALL)).body).toHaveLength(1);
    const other = new FormBrowser(writing.service.url);
    await other.signIn(writing.grace.username);
    expect((await other.get(list)).status).toBe(404);
  });
});
