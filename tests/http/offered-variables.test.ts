import { expect, it } from '@jest/globals';
import { CI_FILE } from '../support/ci-project.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const FILE = (options: string): string =>
  `variables:
  LEVEL: { value: quick, description: How much, options: [${options}] }
  WHO: { value: all, description: For whom }
test: { script: make }`;
const NOT_AN_OPTION = 'The variable `LEVEL` should be one of its options: quick, full';

describeWriting('variables that a CI file offers', (writing) => {
  const project = async (): Promise<WrittenProject> => {
    const loom = await writing.newProject();
    await loom.write('main', { [CI_FILE]: FILE('quick, full') });
    await loom.commit('other', 'Other', [{ action: 'update', file_path: CI_FILE, content: FILE('quick, deep') }], {
      start_branch: 'main',
    });
    return loom;
  };
  const started = (loom: WrittenProject, value: string) =>
    loom.call<{ message: unknown }>('POST', '/pipeline', { ref: 'main', variables: [{ key: 'LEVEL', value }] });
  const variablesOf = async (loom: WrittenProject) => {
    const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
    return (await loom.call<{ key: string; value: string }[]>('GET', `/pipelines/${id}/variables`)).body.map(
      ({ key, value }) => `${key}=${value}`,
    );
  };

  it('are refused another value than one of their options by REST, by triggers and by runs of schedules', async () => {
    const loom = await project();
    expect(await started(loom, 'slow')).toMatchObject({ status: 400, body: { message: { base: [NOT_AN_OPTION] } } });
    expect((await started(loom, 'full')).status).toBe(201);
    const { token } = (await loom.call<{ token: string }>('POST', '/triggers', { description: 'x' })).body;
    const path = `/projects/${loom.id}/trigger/pipeline`;
    const trigger = (LEVEL: string) =>
      writing.service.call<{ message: unknown }>('POST', path, { json: { token, ref: 'main', variables: { LEVEL } } });
    expect(await trigger('slow')).toMatchObject({ status: 400, body: { message: { base: [NOT_AN_OPTION] } } });
    expect((await trigger('full')).status).toBe(201);
    const nightly = { description: 'Nightly', ref: 'main', cron: '0 4 * * *' };
    const schedule = `/pipeline_schedules/${(await loom.call<{ id: number }>('POST', '/pipeline_schedules', nightly)).body.id}`;
    await loom.call('POST', `${schedule}/variables`, { key: 'LEVEL', value: 'slow' });
    expect(await loom.call('POST', `${schedule}/play`)).toMatchObject({
      ...{ status: 400, body: { message: { base: [NOT_AN_OPTION] } } },
    });
  });

  it('are fields of the page that starts a pipeline, with what the file of the chosen branch says', async () => {
    const loom = await project();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const page = `/${loom.project.path}/-/pipelines/new`;
    const shown = await (await browser.get(page)).text();
    expect(shown).toMatch(
      /<select id="variable-LEVEL"[\s\S]*<option value="quick" selected>[\s\S]*<option value="full">/,
    );
    expect(shown).toMatch(/<input id="variable-WHO"[^>]* value="all"/);
    expect(shown).toContain('How much');
    const looked = await browser.submit(page, page, { branch: 'other', look: 'true', 'variable-LEVEL': 'quick' });
    expect([looked.status, await looked.text()]).toEqual([200, expect.stringContaining('<option value="deep">')]);

    const submit = (fields: Record<string, string>) => browser.submit(page, page, { branch: 'main', ...fields });
    expect((await submit({ 'variable-LEVEL': 'quick', 'variable-WHO': 'all' })).status).toBe(303);
    expect(await variablesOf(loom)).toEqual([]);
    expect((await submit({ 'variable-LEVEL': 'full', 'variable-WHO': 'one', variables: 'WHO=two' })).status).toBe(303);
    expect(await variablesOf(loom)).toEqual(['LEVEL=full', 'WHO=two']);
    const refused = await submit({ 'variable-LEVEL': 'slow' });
    expect([refused.status, await refused.text()]).toEqual([
      ...[400, expect.stringContaining('should be one of its options: quick, full')],
    ]);
  });

  it('are left out of the page where the file can not be read', async () => {
    const loom = await writing.newProject();
    await loom.write('main', { [CI_FILE]: 'test: {}' });
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const answer = await browser.get(`/${loom.project.path}/-/pipelines/new`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('variable-')]);
  });
});
