import { expect, it, jest } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { runnerOf } from '../support/ci-project.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly variable_type: string;
}

interface Pipeline {
  readonly id: number;
  readonly source: string;
  readonly [field: string]: unknown;
}

interface Schedule {
  readonly id: number;
  readonly active: boolean;
  readonly next_run_at: string | null;
  readonly variables?: readonly Variable[];
  readonly last_pipeline: Pipeline | null;
  readonly [field: string]: unknown;
}

const CI = `
nightly:
  script: make nightly
  only: [schedules]
pushed:
  script: make
  except: [schedules]
ruled:
  script: make ruled
  rules: [{ if: $CI_PIPELINE_SOURCE == "schedule" }]
`;

const NIGHTLY = { description: 'Nightly', ref: 'main', cron: '0 4 * * *' };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describeWriting('schedules of pipelines', (writing) => {
  const project = async (text = CI, fields: object = {}) => {
    const loom = await writing.newProject(fields);
    await loom.write('main', { '.gitlab-ci.yml': text });
    return loom;
  };

  const make = async (loom: WrittenProject, fields: object = {}, user?: TestUser): Promise<Schedule> => {
    const made = await loom.call<Schedule>('POST', '/pipeline_schedules', { ...NIGHTLY, ...fields }, user);
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
    return made.body;
  };

  const show = async (loom: WrittenProject, id: number, user?: TestUser) =>
    (await loom.call<Schedule>('GET', `/pipeline_schedules/${id}`, undefined, user)).body;

  const made = async (loom: WrittenProject, id: number) =>
    (await loom.call<Pipeline[]>('GET', `/pipeline_schedules/${id}/pipelines`)).body;

  const member = async (loom: WrittenProject, name: string, level: number): Promise<TestUser> => {
    const user = await writing.service.addUser(`${name}-${loom.id}`);
    await loom.addMember(user, level);
    return user;
  };

  const runDue = (stopping?: AbortSignal) =>
    writing.service.service.container.get(PIPELINE_TOKENS.pipelines).runSchedules.runDue(stopping);

  /** As if the time had come so long ago. */
  const comeDue = async ({ id }: Pick<Schedule, 'id'>, ago = MINUTE_MS): Promise<void> => {
    const { reader, schema } = writing.service.service.database;
    const at = reader.dialect.writeInstant(new Date(writing.service.clock.now().getTime() - ago));
    await schema('pipeline_schedules').where({ id }).update({ next_run_at: at });
  };

  const stoppedBecause = async ({ id }: Pick<Schedule, 'id'>) =>
    (await writing.service.service.database.reader.query('pipeline_schedules').where({ id }).first())?.stopped_because;

  it('are made, listed, shown, changed and removed', async () => {
    const loom = await project();
    const schedule = await make(loom, { cron_timezone: 'Europe/Berlin' });
    expect(schedule).toMatchObject({
      ...{ ...NIGHTLY, cron_timezone: 'Europe/Berlin', active: true, last_pipeline: null, variables: [] },
      owner: { id: loom.owner.id },
    });
    const next = Date.parse(schedule.next_run_at!) - writing.service.clock.now().getTime();
    expect(next > 0 && next <= DAY_MS).toBe(true);
    const off = await make(loom, { active: false });
    expect(off).toMatchObject({ active: false, next_run_at: null, cron_timezone: 'UTC' });
    const ids = async (query = '') =>
      (await loom.call<Schedule[]>('GET', `/pipeline_schedules${query}`)).body.map(({ id }) => id);
    expect(await ids()).toEqual([schedule.id, off.id]);
    expect(await ids('?scope=active')).toEqual([schedule.id]);
    expect(await ids('?scope=inactive')).toEqual([off.id]);
    expect((await loom.call('GET', '/pipeline_schedules?scope=some')).status).toBe(400);
    const listed = await loom.call<Schedule[]>('GET', '/pipeline_schedules');
    expect(listed.body[0]).not.toHaveProperty('variables');
    const path = `/pipeline_schedules/${schedule.id}`;
    const changed = await loom.call<Schedule>('PUT', path, {
      description: 'Weekly',
      cron: '0 4 * * sun',
      active: false,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { description: 'Weekly', cron: '0 4 * * sun', active: false, next_run_at: null },
    });
    expect((await loom.call<Schedule>('PUT', path, { active: true })).body.next_run_at).toEqual(expect.any(String));
    expect((await loom.call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const)
      expect(await loom.call(method, path)).toMatchObject({
        status: 404,
        body: { message: '404 Pipeline Schedule Not Found' },
      });
    const other = await project();
    expect((await other.call('GET', `/pipeline_schedules/${off.id}`)).status).toBe(404);
    expect((await other.call('PUT', `/pipeline_schedules/${off.id}`, { description: 'x' })).status).toBe(404);
    expect((await other.call('DELETE', `/pipeline_schedules/${off.id}`)).status).toBe(404);
    expect((await other.call('POST', `/pipeline_schedules/${off.id}/play`, {})).status).toBe(404);
  });

  it('say what is wrong of what is sent', async () => {
    const loom = await project();
    const refusal = async (fields: object) =>
      (await loom.call<{ message: unknown }>('POST', '/pipeline_schedules', { ...NIGHTLY, ...fields })).body.message;
    const missing = await loom.call<{ error: string }>('POST', '/pipeline_schedules', {});
    expect(missing).toMatchObject({ status: 400, body: { error: expect.stringContaining('cron is missing') } });
    const invalid = ['is invalid syntax'];
    const never = '0 0 31 2 *';
    for (const cron of [
      'often',
      '0 4 * *',
      '0 4 * * * *',
      '0 0 4 * * * 2030',
      '@daily',
      '61 4 * * *',
      '*/0 * * * *',
      never,
    ])
      expect([cron, await refusal({ cron })]).toEqual([cron, { cron: invalid }]);
    for (const zone of ['Berlin/Europe', '+02:00', 'x'.repeat(200), '../etc'])
      expect([zone, await refusal({ cron_timezone: zone })]).toEqual([zone, { cron_timezone: invalid }]);
    expect(await refusal({ description: ' ' })).toEqual({ description: ["can't be blank"] });
    expect(await refusal({ description: 'x'.repeat(256) })).toEqual({
      description: ['is too long (maximum is 255 characters)'],
    });
    expect(await refusal({ ref: '' })).toEqual({ ref: ["can't be blank"] });
    expect(await refusal({ ref: 'gone' })).toEqual({ ref: ['does not exist'] });
    await make(loom, { cron_timezone: 'Eastern Time (US & Canada)', cron: '30 4 1,15 jan-mar MON-FRI' });
    const { body } = await loom.call<Schedule[]>('GET', '/pipeline_schedules');
    expect(body).toHaveLength(1);
    const path = `/pipeline_schedules/${body[0]!.id}`;
    expect(await loom.call('PUT', path, { cron: 'often' })).toMatchObject({
      status: 400,
      body: { message: { cron: invalid } },
    });
  });

  it('are at most fifty of a project, however many are made at once', async () => {
    const loom = await project();
    for (let count = 0; count < 47; count += 1) await make(loom, { active: false });
    const at = await Promise.all(Array.from({ length: 6 }, () => loom.call('POST', '/pipeline_schedules', NIGHTLY)));
    expect(at.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
    expect(at.find(({ status }) => status === 400)?.body).toEqual({
      message: { base: ['Maximum number of pipeline schedules (50) exceeded'] },
    });
  });

  it('make a pipeline when they are due, as their owner, of the jobs that are for schedules', async () => {
    const loom = await project();
    const schedule = await make(loom);
    await loom.call('POST', `/pipeline_schedules/${schedule.id}/variables`, { key: 'COLOR', value: 'red' });
    await runDue();
    expect(await made(loom, schedule.id)).toEqual([]);
    await comeDue(schedule);
    await runDue();
    const [pipeline, ...more] = await made(loom, schedule.id);
    expect([pipeline, more]).toEqual([expect.objectContaining({ source: 'schedule', ref: 'main' }), []]);
    const shown = await show(loom, schedule.id);
    expect(shown).toMatchObject({ active: true, last_pipeline: { id: pipeline!.id } });
    expect(Date.parse(shown.next_run_at!)).toBeGreaterThan(writing.service.clock.now().getTime());
    const whole = await loom.call<Pipeline>('GET', `/pipelines/${pipeline!.id}`);
    expect(whole.body).toMatchObject({ user: { id: loom.owner.id } });
    expect((await loom.call<Pipeline[]>('GET', '/pipelines?source=schedule')).body).toHaveLength(1);
    const jobs = await loom.call<{ name: string }[]>('GET', `/pipelines/${pipeline!.id}/jobs`);
    expect(jobs.body.map(({ name }) => name).sort()).toEqual(['nightly', 'ruled']);
    const runner = await runnerOf(writing, loom);
    const taken = [await runner.take(), await runner.take(), await runner.take()];
    const job = taken.find((each) => each?.job_info.name === 'nightly');
    const given = new Map(job!.variables.map((variable) => [variable.key, variable]));
    expect(given.get('CI_PIPELINE_SOURCE')).toMatchObject({ value: 'schedule' });
    expect(given.get('CI_PIPELINE_SCHEDULE_DESCRIPTION')).toMatchObject({ value: 'Nightly' });
    expect(given.get('COLOR')).toMatchObject({ value: 'red', public: false });
    expect(given.has('CI_PIPELINE_TRIGGERED')).toBe(false);
  });

  it('run once for all times that were missed, and at most every ten minutes', async () => {
    const loom = await project();
    const [daily, often] = [await make(loom), await make(loom, { cron: '* * * * *' })];
    await comeDue(daily, 30 * DAY_MS);
    await comeDue(often, 30 * DAY_MS);
    await runDue();
    await runDue();
    expect(await made(loom, daily.id)).toHaveLength(1);
    expect(await made(loom, often.id)).toHaveLength(1);
    const until = async () =>
      Date.parse((await show(loom, often.id)).next_run_at!) - writing.service.clock.now().getTime();
    expect(Math.ceil((await until()) / MINUTE_MS)).toBe(10);
    await comeDue(often, 1_000);
    await runDue();
    expect(Math.ceil((await until()) / MINUTE_MS)).toBe(10);
  });

  it('run once where several nodes find them due at once', async () => {
    const loom = await project();
    const all = [];
    for (let count = 0; count < 4; count += 1) all.push(await make(loom));
    await Promise.all(all.map((each) => comeDue(each)));
    const create = jest.spyOn(
      writing.service.service.container.get(PIPELINE_TOKENS.pipelines).createPipelines,
      'create',
    );
    await Promise.all(Array.from({ length: 4 }, () => runDue()));
    for (const { id } of all) expect(await made(loom, id)).toHaveLength(1);
    // Nor is the CI file read for nothing.
    const begun = create.mock.calls.map(([, { project: of }]) => of.id).filter((id) => id === loom.id);
    create.mockRestore();
    expect(begun).toHaveLength(4);
  });

  it('run later, and once, where a node dies or hangs while it runs one', async () => {
    const loom = await project();
    await runDue();
    const schedule = await make(loom);
    await comeDue(schedule);
    const { createPipelines } = writing.service.service.container.get(PIPELINE_TOKENS.pipelines);
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const create = jest.spyOn(createPipelines, 'create').mockImplementationOnce(async (...asked) => {
      begin();
      await asleep;
      return createPipelines.create(...asked);
    });
    const hanging = runDue();
    await begun;
    await runDue();
    expect([create.mock.calls.length, await made(loom, schedule.id)]).toEqual([1, []]);
    writing.service.clock.advance(10 * MINUTE_MS);
    await Promise.all([runDue(), runDue()]);
    expect(await made(loom, schedule.id)).toHaveLength(1);
    wake();
    await hanging;
    create.mockRestore();
    expect(await made(loom, schedule.id)).toHaveLength(1);
    expect((await show(loom, schedule.id)).active).toBe(true);
  });

  it('stop by themselves where their owner is gone, blocked or may not, or where their branch is gone', async () => {
    const loom = await project();
    await loom.write('fix', { 'a.txt': 'a' }, { start_branch: 'main' });
    const [left, lower, blocked] = [
      await member(loom, 'left', 30),
      await member(loom, 'lower', 30),
      await member(loom, 'blocked', 30),
    ];
    const made = [
      await make(loom, { ref: 'fix' }, left),
      await make(loom, { ref: 'fix' }, lower),
      await make(loom, { ref: 'fix' }, blocked),
      await make(loom, { ref: 'fix' }),
    ] as const;
    const shut = await make(loom, {}, await member(loom, 'shut', 40));
    await loom.call('DELETE', `/members/${left.id}`);
    await loom.call('PUT', `/members/${lower.id}`, { access_level: 20 });
    const admin = await writing.service.addUser(`root-${loom.id}`, { admin: true });
    await writing.service.call('POST', `/users/${blocked.id}/block`, { token: admin.token });
    await loom.call('DELETE', '/repository/branches/fix');
    await loom.call('DELETE', '/protected_branches/main');
    await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 0, merge_access_level: 0 });
    for (const each of [...made, shut]) await comeDue(each);
    await runDue();
    const why = await Promise.all([...made, shut].map(stoppedBecause));
    expect(why).toEqual(['owner_may_not', 'owner_may_not', 'owner_gone', 'ref_gone', 'owner_may_not']);
    for (const each of made)
      expect(await show(loom, each.id)).toMatchObject({ active: false, next_run_at: null, last_pipeline: null });
    const begun = await loom.call('PUT', `/pipeline_schedules/${made[3].id}`, { active: true });
    expect(begun).toMatchObject({ status: 400, body: { message: { ref: ['does not exist'] } } });
    await loom.call('DELETE', '/protected_branches/main');
    const anew = await loom.call('PUT', `/pipeline_schedules/${made[3].id}`, { active: true, ref: 'main' });
    expect(anew).toMatchObject({ status: 200, body: { active: true, ref: 'main' } });
    expect(await stoppedBecause(made[3])).toBeNull();
  });

  it('go on where a run makes no pipeline, and make none while the project is archived or CI is switched off', async () => {
    const loom = await project('pushed: { script: make, except: [schedules] }');
    const schedule = await make(loom);
    await comeDue(schedule);
    await runDue();
    expect(await show(loom, schedule.id)).toMatchObject({ active: true, next_run_at: expect.any(String) });
    expect(await made(loom, schedule.id)).toEqual([]);
    await loom.call('POST', '/archive', {});
    await comeDue(schedule);
    await runDue();
    expect(await show(loom, schedule.id)).toMatchObject({ active: true, last_pipeline: null });
    expect(Date.parse((await show(loom, schedule.id)).next_run_at!)).toBeGreaterThan(
      writing.service.clock.now().getTime(),
    );
    expect((await loom.call('POST', `/pipeline_schedules/${schedule.id}/play`, {})).status).toBe(403);
    await loom.call('POST', '/unarchive', {});
    await loom.call('PUT', '', { builds_access_level: 'disabled' });
    await comeDue(schedule);
    await runDue();
    expect((await loom.call('POST', `/pipeline_schedules/${schedule.id}/play`, {})).status).toBe(403);
    await loom.call('PUT', '', { builds_access_level: 'enabled' });
    expect(await show(loom, schedule.id)).toMatchObject({ active: true, last_pipeline: null });
  });

  it('hold up no other where one can’t be run now, and are tried again some minutes later', async () => {
    const loom = await project();
    const [broken, sound] = [await make(loom), await make(loom)];
    const { schema } = writing.service.service.database;
    await schema('pipeline_schedules').where({ id: broken.id }).update({ sealed_variables: 'of another key' });
    await comeDue(broken, 2 * MINUTE_MS);
    await comeDue(sound);
    await expect(runDue()).rejects.toThrow();
    expect([await made(loom, broken.id), (await made(loom, sound.id)).length]).toEqual([[], 1]);
    const row = await writing.service.service.database.reader
      .query('pipeline_schedules')
      .where({ id: broken.id })
      .first();
    const { dialect } = writing.service.service.database.reader;
    const until = dialect.readInstant(row!.next_run_at).getTime() - writing.service.clock.now().getTime();
    expect([Boolean(row!.active), until > 9 * MINUTE_MS && until <= 10 * MINUTE_MS]).toEqual([true, true]);
  });

  it('tell what kept one from being run where the service stops meanwhile', async () => {
    const loom = await project();
    await runDue();
    const [broken, next] = [await make(loom), await make(loom)];
    await comeDue(broken, 2 * MINUTE_MS);
    await comeDue(next);
    const { createPipelines } = writing.service.service.container.get(PIPELINE_TOKENS.pipelines);
    const stopping = new AbortController();
    const create = jest.spyOn(createPipelines, 'create').mockImplementationOnce(() => {
      stopping.abort();
      return Promise.reject(new Error('no room'));
    });
    await expect(runDue(stopping.signal)).rejects.toThrow('no room');
    create.mockRestore();
    expect(await made(loom, next.id)).toEqual([]);
    await runDue();
    expect([await made(loom, broken.id), (await made(loom, next.id)).length]).toEqual([[], 1]);
  });

  it('go on however many pipelines they made of one commit, which others may have, too', async () => {
    const loom = await project();
    const schedule = await make(loom);
    const pipeline = await loom.call<Pipeline>('POST', '/pipeline', { ref: 'main' });
    const { reader, schema } = writing.service.service.database;
    const row = await reader.query('pipelines').where({ id: pipeline.body.id }).first();
    const { id: _, ...columns } = row!;
    const copies = (source: 'schedule' | 'api', from: number, count: number) =>
      Array.from({ length: count }, (__, at) => ({ ...columns, source, iid: from + at, status: 'success' as const }));
    await schema('pipelines').insert(copies('schedule', 10_000, 120));
    await comeDue(schedule);
    await runDue();
    expect(await made(loom, schedule.id)).toHaveLength(1);
    expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
    await schema('pipelines').insert(copies('api', 20_000, 100));
    expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(400);
    await comeDue(schedule);
    await runDue();
    expect(await made(loom, schedule.id)).toHaveLength(2);
    const statuses = `/repository/commits/${columns.sha}/statuses`;
    expect((await loom.call<{ name: string }[]>('GET', statuses)).body.map(({ name }) => name)).toContain('nightly');
  });

  it('are run by hand in the name of whoever asks, once a minute', async () => {
    const loom = await project();
    const schedule = await make(loom);
    const developer = await member(loom, 'player', 30);
    const path = `/pipeline_schedules/${schedule.id}/play`;
    expect((await loom.call('POST', path, {}, developer)).status).toBe(403);
    await loom.call('DELETE', '/protected_branches/main');
    const at = await Promise.all(Array.from({ length: 3 }, () => loom.call('POST', path, {}, developer)));
    expect(at.map(({ status }) => status).sort()).toEqual([201, 429, 429]);
    expect(at.find(({ status }) => status === 201)?.body).toEqual({ message: '201 Created' });
    const [pipeline, ...more] = await made(loom, schedule.id);
    expect(more).toEqual([]);
    const whole = await loom.call<Pipeline>('GET', `/pipelines/${pipeline!.id}`);
    expect(whole.body).toMatchObject({ source: 'schedule', user: { id: developer.id } });
    expect((await show(loom, schedule.id)).next_run_at).toBe(schedule.next_run_at);
    expect((await loom.call('POST', path, {})).status).toBe(429);
  });

  it('are run by hand as they were read, or not at all', async () => {
    const loom = await project();
    await loom.write('fix', { 'a.txt': 'a' }, { start_branch: 'main' });
    const schedule = await make(loom, { ref: 'fix' });
    const path = `/pipeline_schedules/${schedule.id}`;
    const { createPipelines } = writing.service.service.container.get(PIPELINE_TOKENS.pipelines);
    const changing = jest.spyOn(createPipelines, 'create').mockImplementationOnce(async (...asked) => {
      writing.service.clock.advance(1);
      expect((await loom.call('PUT', path, { ref: 'main' })).status).toBe(200);
      changing.mockRestore();
      return createPipelines.create(...asked);
    });
    expect(await loom.call('POST', `${path}/play`, {})).toMatchObject({
      status: 409,
      body: { message: 'The schedule was changed meanwhile. Please try again.' },
    });
    expect(await made(loom, schedule.id)).toEqual([]);
    expect((await loom.call('POST', `${path}/play`, {})).status).toBe(201);
    expect(await made(loom, schedule.id)).toMatchObject([{ ref: 'main' }]);
  });

  it('are changed by their owner alone, and taken over and removed by Maintainers', async () => {
    const loom = await project();
    await loom.write('fix', { 'a.txt': 'a' }, { start_branch: 'main' });
    const [one, two] = [await member(loom, 'one', 30), await member(loom, 'two', 30)];
    const reporter = await member(loom, 'reporter', 20);
    const keeper = await member(loom, 'keeper', 40);
    expect((await loom.call('POST', '/pipeline_schedules', NIGHTLY, one)).status).toBe(403);
    expect((await loom.call('POST', '/pipeline_schedules', { ...NIGHTLY, ref: 'fix' }, reporter)).status).toBe(403);
    const schedule = await make(loom, { ref: 'fix' }, one);
    const path = `/pipeline_schedules/${schedule.id}`;
    expect((await loom.call('PUT', path, { ref: 'main' }, one)).status).toBe(403);
    await loom.call('POST', `${path}/variables`, { key: 'SECRET', value: 'x' }, one);
    for (const user of [two, reporter, keeper, loom.owner]) {
      expect((await loom.call('PUT', path, { description: 'Mine' }, user)).status).toBe(403);
      expect((await loom.call('POST', `${path}/variables`, { key: 'A', value: 'x' }, user)).status).toBe(403);
      expect((await loom.call('PUT', `${path}/variables/SECRET`, { value: 'y' }, user)).status).toBe(403);
      expect((await loom.call('DELETE', `${path}/variables/SECRET`, undefined, user)).status).toBe(403);
    }
    for (const user of [two, reporter]) {
      expect((await loom.call('DELETE', path, undefined, user)).status).toBe(403);
      expect((await loom.call('POST', `${path}/take_ownership`, {}, user)).status).toBe(403);
      expect(await show(loom, schedule.id, user)).not.toHaveProperty('variables');
      expect((await loom.call('GET', `${path}/variables`, undefined, user)).status).toBe(403);
    }
    for (const user of [one, keeper])
      expect((await show(loom, schedule.id, user)).variables).toMatchObject([{ key: 'SECRET', value: 'x' }]);
    const taken = await loom.call<Schedule>('POST', `${path}/take_ownership`, {}, keeper);
    expect(taken).toMatchObject({ status: 201, body: { owner: { id: keeper.id } } });
    expect((await loom.call('PUT', path, { description: 'Ours' }, keeper)).status).toBe(200);
    expect((await loom.call('PUT', path, { description: 'Mine' }, one)).status).toBe(403);
    expect(await show(loom, schedule.id, one)).not.toHaveProperty('variables');
    expect((await loom.call('DELETE', path, undefined, one)).status).toBe(403);
    expect((await loom.call('DELETE', path)).status).toBe(204);
    const stranger = await writing.service.addUser(`stranger-${loom.id}`);
    expect((await loom.call('GET', '/pipeline_schedules', undefined, stranger)).status).toBe(404);
    expect((await writing.service.call('GET', `/projects/${loom.id}/pipeline_schedules`)).status).toBe(401);
  });

  it('leave entries in the audit log, without what they give to jobs', async () => {
    const loom = await project();
    const [maintainer, boss] = [
      await member(loom, 'mary', 40),
      await writing.service.addUser('boss', { admin: true, password: PASSWORD }),
    ];
    const { id } = await make(loom, { description: 'Audited' });
    await loom.call('POST', `/pipeline_schedules/${id}/variables`, { key: 'COLOR', value: 'kept-for-jobs' });
    await loom.call('POST', `/pipeline_schedules/${id}/take_ownership`, {}, maintainer);
    await comeDue({ id });
    await runDue();
    await loom.call('DELETE', `/pipeline_schedules/${id}`, undefined, maintainer);
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(boss.username);
    const text = await (await browser.get('/admin/audit_log.jsonl')).text();
    const told = text.split('\n').filter((line) => line.includes('Audited'));
    expect(told.map((line) => (JSON.parse(line) as { kind: string }).kind).reverse()).toEqual([
      ...['pipeline_schedule_made', 'pipeline_schedule_changed'],
      ...['pipeline_schedule_taken_over', 'pipeline_schedule_removed'],
    ]);
    expect(text).not.toContain('kept-for-jobs');
  });

  it('give their jobs variables, which are told to their owner and to Maintainers alone, of their pipelines, too', async () => {
    const loom = await project();
    await loom.call('DELETE', '/protected_branches/main');
    const schedule = await make(loom);
    const developer = await member(loom, 'curious', 30);
    const path = `/pipeline_schedules/${schedule.id}/variables`;
    const added = await loom.call<Variable>('POST', path, { key: 'COLOR', value: 'red', variable_type: 'file' });
    expect(added).toEqual(
      expect.objectContaining({ status: 201, body: { key: 'COLOR', value: 'red', variable_type: 'file', raw: false } }),
    );
    expect(await loom.call('POST', path, { key: 'COLOR', value: 'red' })).toMatchObject({
      status: 400,
      body: { message: { key: ['has already been taken'] } },
    });
    for (const wrong of [
      { key: 'A B', value: 'x' },
      { key: '', value: 'x' },
      { key: 'A', value: 'x'.repeat(10_001) },
    ])
      expect((await loom.call('POST', path, wrong)).status).toBe(400);
    const changed = await loom.call<Variable>('PUT', `${path}/COLOR`, { value: 'blue' });
    expect(changed).toMatchObject({ status: 200, body: { value: 'blue', variable_type: 'file' } });
    await loom.call('POST', path, { key: 'SIZE', value: '7' });
    const listed = await loom.call<Variable[]>('GET', `${path}?per_page=1&page=2`);
    expect(listed.body.map(({ key }) => key)).toEqual(['SIZE']);
    expect((await loom.call<Variable>('GET', `${path}/SIZE`)).body).toMatchObject({ value: '7' });
    expect(await loom.call('DELETE', `${path}/SIZE`)).toMatchObject({ status: 202, body: { key: 'SIZE' } });
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect(await loom.call(method, `${path}/SIZE`, method === 'PUT' ? { value: 'x' } : undefined)).toMatchObject({
        status: 404,
        body: { message: '404 Variable Not Found' },
      });
    await comeDue(schedule);
    await runDue();
    const [pipeline] = await made(loom, schedule.id);
    const of = `/pipelines/${pipeline!.id}/variables`;
    expect((await loom.call('GET', of)).body).toEqual([{ variable_type: 'file', key: 'COLOR', value: 'blue' }]);
    expect((await loom.call('GET', of, undefined, developer)).status).toBe(403);
    expect((await loom.call('POST', `/pipeline_schedules/${schedule.id}/play`, {}, developer)).status).toBe(201);
    const played = (await made(loom, schedule.id))[1]!;
    const ofPlayed = `/pipelines/${played.id}/variables`;
    expect((await loom.call('GET', ofPlayed, undefined, developer)).status).toBe(403);
    expect((await loom.call('GET', ofPlayed)).body).toMatchObject([{ key: 'COLOR', value: 'blue' }]);
    const theirs = await make(loom, {}, developer);
    await loom.call('POST', `/pipeline_schedules/${theirs.id}/variables`, { key: 'MINE', value: 'x' }, developer);
    await loom.call('POST', `/pipeline_schedules/${theirs.id}/play`, {});
    const [ofTheirs] = await made(loom, theirs.id);
    const mine = `/pipelines/${ofTheirs!.id}/variables`;
    expect((await loom.call('GET', mine, undefined, developer)).body).toMatchObject([{ key: 'MINE' }]);
    await loom.call('DELETE', `/pipeline_schedules/${theirs.id}`, undefined, developer);
    expect((await loom.call('GET', mine, undefined, developer)).status).toBe(403);
    const stored = await writing.service.service.database.reader.query('pipeline_schedules').where({ id: schedule.id });
    expect(JSON.stringify(stored)).not.toContain('blue');
  });

  it('have at most a hundred variables, and none where their owner may only merge what others let in', async () => {
    const loom = await project();
    const developer = await member(loom, 'merger', 30);
    await loom.call('DELETE', '/protected_branches/main');
    await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 40, merge_access_level: 30 });
    const theirs = await make(loom, {}, developer);
    const variable = { key: 'COLOR', value: 'red' };
    const path = ({ id }: Schedule) => `/pipeline_schedules/${id}/variables`;
    expect((await loom.call('POST', path(theirs), variable, developer)).status).toBe(403);
    await comeDue(theirs);
    await runDue();
    expect(await made(loom, theirs.id)).toHaveLength(1);
    const schedule = await make(loom);
    for (let count = 0; count < 98; count += 1)
      expect((await loom.call('POST', path(schedule), { key: `KEY_${count}`, value: 'x' })).status).toBe(201);
    const at = await Promise.all(
      Array.from({ length: 4 }, (_, count) => loom.call('POST', path(schedule), { key: `MORE_${count}`, value: 'x' })),
    );
    expect(at.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
  });
});
