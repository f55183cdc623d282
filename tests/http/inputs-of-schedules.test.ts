import { expect, it } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { CI_FILE } from '../support/ci-project.js';
import { FormBrowser } from '../support/form-browser.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Input {
  readonly name: string;
  readonly value: unknown;
}
interface Schedule {
  readonly id: number;
  readonly inputs?: readonly Input[];
}

const FILE = `spec:
  inputs:
    stage: {options: [review, live], default: review}
    copies: {type: number, default: 1}
    tags: {type: array, default: []}
---
"$[[ inputs.stage ]]":
  script: make
  parallel: $[[ inputs.copies ]]
  tags: $[[ inputs.tags ]]
`;
const NIGHTLY = { description: 'Nightly', ref: 'main', cron: '0 4 * * *' };
const LIVE = [
  { name: 'stage', value: 'live' },
  { name: 'copies', value: 2 },
];
const [REPORTER, DEVELOPER, MAINTAINER] = [20, 30, 40];

describeWriting('inputs of pipeline schedules', (writing) => {
  const project = async () => {
    const loom = await writing.newProject();
    await loom.write('main', { [CI_FILE]: FILE });
    return loom;
  };
  const make = (loom: WrittenProject, sent: object, user?: TestUser) =>
    loom.call<Schedule & { message?: unknown }>('POST', '/pipeline_schedules', { ...NIGHTLY, ...sent }, user);
  const inputsOf = async (loom: WrittenProject, id: number, user?: TestUser) =>
    (await loom.call<Schedule>('GET', `/pipeline_schedules/${id}`, undefined, user)).body.inputs;
  const jobsOf = async (loom: WrittenProject, id: number) => {
    const [made] = (await loom.call<{ id: number }[]>('GET', `/pipeline_schedules/${id}/pipelines?sort=desc`)).body;
    const { body } = await loom.call<{ name: string }[]>('GET', `/pipelines/${made!.id}/jobs`);
    return body.map(({ name }) => name).sort();
  };

  it('are given, changed and taken back one by one, and are those of its pipelines', async () => {
    const loom = await project();
    const { status, body } = await make(loom, { inputs: LIVE });
    expect([status, body.inputs]).toEqual([201, LIVE]);
    const path = `/pipeline_schedules/${body.id}`;
    expect((await loom.call('POST', `${path}/play`)).status).toBe(201);
    expect(await jobsOf(loom, body.id)).toEqual(['live 1/2', 'live 2/2']);
    const changes = [
      { name: 'copies', destroy: true },
      { name: 'stage', value: 'review' },
      { name: 'tags', value: ['fast'] },
    ];
    const changed = await loom.call<Schedule>('PUT', path, { inputs: changes });
    const after = [
      { name: 'stage', value: 'review' },
      { name: 'tags', value: ['fast'] },
    ];
    expect([changed.status, changed.body.inputs]).toEqual([200, after]);
    await loom.call('PUT', path, { description: 'Weekly' });
    expect(await inputsOf(loom, body.id)).toEqual(after);
    const form = new URLSearchParams({ ...NIGHTLY, 'inputs[][name]': 'stage', 'inputs[][value]': 'live' });
    const sent = await fetch(`${writing.service.url}/api/v4/projects/${loom.id}/pipeline_schedules`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': loom.owner.token },
      body: form,
    });
    expect(((await sent.json()) as Schedule).inputs).toEqual([{ name: 'stage', value: 'live' }]);
  });

  it.each([
    [[{ value: 'live' }]],
    [[{ name: 'stage' }]],
    [[{ name: 'a b', value: 'x' }]],
    [[{ name: 'stage', value: { a: 'map' } }]],
    [[{ name: 'stage', value: 'x'.repeat(10_001) }]],
    [[{ name: 'stage', value: 'nul\0' }]],
    [Array.from({ length: 101 }, (_, at) => ({ name: `n${at}`, value: 'x' }))],
    ['stage'],
  ])('are refused where they are none: %j', async (inputs) => {
    const loom = await project();
    expect((await make(loom, { inputs })).status).toBe(400);
    const { body } = await make(loom, {});
    expect((await loom.call('PUT', `/pipeline_schedules/${body.id}`, { inputs })).status).toBe(400);
    expect(await inputsOf(loom, body.id)).toEqual([]);
  });

  it('are at most a hundred, however they come together', async () => {
    const loom = await project();
    const many = (from: string) => Array.from({ length: 60 }, (_, at) => ({ name: `${from}${at}`, value: 'x' }));
    const { body } = await make(loom, { inputs: many('a') });
    const more = await loom.call('PUT', `/pipeline_schedules/${body.id}`, { inputs: many('b') });
    expect(more).toMatchObject({ status: 400, body: { message: { inputs: ['are at most 100'] } } });
  });

  it('are told to its owner and Maintainers alone, and given by whoever may push', async () => {
    const loom = await project();
    const { body } = await make(loom, { inputs: LIVE });
    const member = async (name: string, level: number) => {
      const user = await writing.service.addUser(`${name}-${loom.id}`);
      if (level > 0) await loom.addMember(user, level);
      return user;
    };
    const [maintainer, developer, reporter] = [
      await member('maintainer', MAINTAINER),
      await member('developer', DEVELOPER),
      await member('reporter', REPORTER),
    ];
    const told = [maintainer, developer, reporter].map((user) => inputsOf(loom, body.id, user));
    expect(await Promise.all(told)).toEqual([LIVE, undefined, undefined]);
    const path = `/pipeline_schedules/${body.id}`;
    const stranger = await member('stranger', 0);
    const changed = [maintainer, developer, reporter, stranger].map(
      async (user) => (await loom.call('PUT', path, { inputs: [{ name: 'stage', destroy: true }] }, user)).status,
    );
    expect(await Promise.all(changed)).toEqual([403, 403, 403, 404]);
    // Whoever may only merge into a branch may run what it says, and not choose.
    await loom.call('DELETE', '/protected_branches/main');
    const merging = { name: 'main', push_access_level: MAINTAINER, merge_access_level: DEVELOPER };
    expect((await loom.call('POST', '/protected_branches', merging)).status).toBe(201);
    expect((await make(loom, {}, developer)).status).toBe(201);
    expect((await make(loom, { inputs: LIVE }, developer)).status).toBe(403);
  });

  it('that the file does not take are told at the schedule', async () => {
    const loom = await project();
    const { body } = await make(loom, { inputs: [{ name: 'stage', value: 'moon' }] });
    const wrong = '`stage` input: `moon` cannot be used because it is not in the list of allowed options';
    expect(await loom.call('POST', `/pipeline_schedules/${body.id}/play`)).toMatchObject({
      status: 400,
      body: { message: { base: [expect.stringContaining(wrong)] } },
    });
    const { reader, schema } = writing.service.service.database;
    const past = reader.dialect.writeInstant(new Date(writing.service.clock.now().getTime() - 60_000));
    await schema('pipeline_schedules').where({ id: body.id }).update({ next_run_at: past });
    await writing.service.service.container.get(PIPELINE_TOKENS.pipelines).runSchedules.runDue();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const page = await (await browser.get(`/${loom.project.path}/-/pipeline_schedules`)).text();
    expect(page).toContain('cannot be used because it is not in the list of allowed options');
  });

  it('are written a line each on the page, where what no line holds stays', async () => {
    const loom = await project();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const list = `/${loom.project.path}/-/pipeline_schedules`;
    const typed = { ...NIGHTLY, cron_timezone: 'UTC', active: 'true' };
    const made = await browser.submit(`${list}/new`, `${list}/new`, { ...typed, inputs: 'stage=live\r\ncopies=2' });
    expect(made.status).toBe(303);
    const [{ id }] = (await loom.call<Schedule[]>('GET', '/pipeline_schedules')).body as [Schedule];
    const lines = { name: 'note', value: 'one\ntwo' };
    await loom.call('PUT', `/pipeline_schedules/${id}`, { inputs: [lines, { name: 'copies', value: 3 }] });
    const edit = `${list}/${id}/edit`;
    expect(await (await browser.get(edit)).text()).toContain('stage=live\ncopies=3');
    const saved = await browser.submit(edit, edit, { ...typed, inputs: 'copies=3\ntags=["a"]' });
    expect(saved.status).toBe(303);
    expect(await inputsOf(loom, id)).toEqual(
      expect.arrayContaining([{ name: 'copies', value: 3 }, { name: 'tags', value: '["a"]' }, lines]),
    );
    const wrong = await browser.submit(edit, edit, { ...typed, inputs: 'nothing' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('need a name before a =')]);
  });
});
