import { expect, it } from '@jest/globals';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Schedule {
  readonly id: number;
  readonly owner: { readonly id: number } | null;
  readonly variables?: readonly { readonly key: string; readonly value: string }[];
  readonly [field: string]: unknown;
}

const TYPED = { description: 'Nightly', ref: 'main', cron: '0 4 * * *', cron_timezone: 'Europe/Berlin' };

describeWriting('pages of pipeline schedules', (writing) => {
  const begin = async () => {
    const loom = await writing.newProject();
    await loom.write('main', { '.gitlab-ci.yml': 'build: { script: make }' });
    return { loom, list: `/${loom.project.path}/-/pipeline_schedules` };
  };

  const signedIn = async (name: 'ada' | 'grace') => {
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(name);
    return browser;
  };

  const read = async (browser: FormBrowser, address: string) => (await browser.get(address)).text();

  const all = async (loom: WrittenProject) => {
    const listed = await loom.call<Schedule[]>('GET', '/pipeline_schedules');
    return Promise.all(
      listed.body.map(async ({ id }) => (await loom.call<Schedule>('GET', `/pipeline_schedules/${id}`)).body),
    );
  };

  it('make one, show when it runs next, change and remove it', async () => {
    const { loom, list } = await begin();
    const ada = await signedIn('ada');
    expect(await read(ada, `/${loom.project.path}/-/pipelines`)).toContain(list);
    const form = `${list}/new`;
    const made = await ada.submit(form, form, { ...TYPED, variables: 'COLOR=red\r\nSIZE=7', active: 'true' });
    expect([made.status, made.headers.get('location')]).toEqual([303, list]);
    const shown = await read(ada, list);
    for (const text of ['Schedule “Nightly” made.', '0 4 * * *', 'Europe/Berlin', 'next run', 'no pipeline yet'])
      expect(shown).toContain(text);
    const [schedule] = await all(loom);
    expect(schedule).toMatchObject({
      ...{ ...TYPED, active: true },
      variables: [
        { key: 'COLOR', value: 'red' },
        { key: 'SIZE', value: '7' },
      ],
    });
    // What no line holds is neither lost nor shown as something else.
    const key = { key: 'KEY', value: 'one\ntwo' };
    await loom.call('POST', `/pipeline_schedules/${schedule!.id}/variables`, key);
    const edit = `${list}/${schedule!.id}/edit`;
    const before = await read(ada, edit);
    expect(before).toContain('COLOR=red');
    expect(before).toContain('<code>KEY</code>');
    expect((await ada.submit(edit, edit, { ...TYPED, description: 'Weekly', variables: 'COLOR=blue' })).status).toBe(
      303,
    );
    expect((await all(loom))[0]).toMatchObject({
      ...{ description: 'Weekly', active: false, next_run_at: null },
      variables: [{ key: 'COLOR', value: 'blue' }, key],
    });
    expect(await read(ada, list)).toContain('inactive');
    const remove = `${list}/${schedule!.id}/remove`;
    expect((await ada.submit(remove, remove, {})).status).toBe(303);
    expect(await all(loom)).toEqual([]);
  });

  it('say beside the fields what is wrong, and keep what was typed', async () => {
    const { loom, list } = await begin();
    const ada = await signedIn('ada');
    const form = `${list}/new`;
    const refused = await ada.submit(form, form, { ...TYPED, cron: 'often', variables: 'COLOR=red' });
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toContain('The pattern is invalid syntax');
    for (const text of ['value="often"', 'COLOR=red']) expect(html).toContain(text);
    const gone = await ada.submit(form, form, { ...TYPED, ref: 'gone', variables: '' });
    expect(await gone.text()).toContain('The branch or tag does not exist');
    const wrong = await ada.submit(form, form, { ...TYPED, variables: 'no equals sign' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('need a key of letters')]);
    expect(await all(loom)).toEqual([]);
  });

  it('run one now, and tell why it was not run', async () => {
    const { loom, list } = await begin();
    const ada = await signedIn('ada');
    const { body } = await loom.call<Schedule>('POST', '/pipeline_schedules', TYPED);
    const play = `${list}/${body.id}/play`;
    expect((await ada.submit(list, play, {})).status).toBe(303);
    const shown = await read(ada, list);
    for (const text of ['Pipeline #', ' begun.', 'last pipeline']) expect(shown).toContain(text);
    await ada.submit(list, play, {});
    expect(await read(ada, list)).toContain('Please wait a minute.');
  });

  it('let others run it, and those who look after the project take it over', async () => {
    const { loom, list } = await begin();
    await loom.addMember(writing.grace, 30);
    await loom.call('DELETE', '/protected_branches/main');
    const { body } = await loom.call<Schedule>('POST', '/pipeline_schedules', TYPED);
    const grace = await signedIn('grace');
    const shown = await read(grace, list);
    expect(shown).toContain(`${list}/${body.id}/play`);
    for (const act of ['edit', 'remove', 'take_ownership']) {
      expect(shown).not.toContain(`${list}/${body.id}/${act}`);
      const sent = await grace.submit(list, `${list}/${body.id}/${act}`, { ...TYPED, description: 'Mine' });
      expect([act, sent.status]).toEqual([act, 403]);
    }
    expect((await grace.get(`${list}/${body.id}/edit`)).status).toBe(403);
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: 40 });
    expect((await grace.submit(list, `${list}/${body.id}/take_ownership`, {})).status).toBe(303);
    expect((await all(loom))[0]).toMatchObject({ description: 'Nightly', owner: { id: writing.grace.id } });
    expect(await read(grace, list)).toContain('it runs with your rights');
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: 20 });
    expect((await grace.get(list)).status).toBe(403);
  });

  it('tell why one stopped by itself, and why its last run made no pipeline', async () => {
    const { loom, list } = await begin();
    const { body } = await loom.call<Schedule>('POST', '/pipeline_schedules', TYPED);
    const { schema } = writing.service.service.database;
    const ada = await signedIn('ada');
    const tell = (row: object) => schema('pipeline_schedules').where({ id: body.id }).update(row);
    await tell({ active: false, next_run_at: null, stopped_because: 'ref_gone' });
    expect(await read(ada, list)).toContain('It stopped: its branch or tag is gone.');
    await tell({ stopped_because: null, last_problem: 'Missing CI config file' });
    expect(await read(ada, list)).toContain('Its last run made no pipeline: Missing CI config file');
  });

  it('leave one that stopped inactive for whoever takes it over, and say so', async () => {
    const { loom, list } = await begin();
    const { body } = await loom.call<Schedule>('POST', '/pipeline_schedules', TYPED);
    await writing.service.service.database
      .schema('pipeline_schedules')
      .where({ id: body.id })
      .update({ active: false, next_run_at: null, stopped_because: 'owner_may_not' });
    await loom.addMember(writing.grace, 40);
    const grace = await signedIn('grace');
    expect(await read(grace, list)).toContain('It stopped: its owner may not');
    expect((await grace.submit(list, `${list}/${body.id}/take_ownership`, {})).status).toBe(303);
    const shown = await read(grace, list);
    expect(shown).toContain('it runs, with your rights, once you make it active.');
    expect(shown).not.toContain('It stopped');
    expect((await all(loom))[0]).toMatchObject({ active: false, next_run_at: null });
  });
});
