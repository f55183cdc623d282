import { expect, it } from '@jest/globals';
import { CI_FILE, ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Pipeline {
  readonly id: number;
  readonly name: string | null;
  readonly yaml_errors: string | null;
}

const [REPORTER, DEVELOPER] = [20, 30];
const JOB = 'x: {script: make}';

describeWriting('names of pipelines', (writing) => {
  const pipelines = async (loom: WrittenProject, query = '') =>
    (await loom.call<Pipeline[]>('GET', `/pipelines${query}`)).body;
  const rename = (loom: WrittenProject, id: number, json: object, user = loom.owner) =>
    loom.call<Pipeline>('PUT', `/pipelines/${id}/metadata`, json, user);

  it('are what the CI file says, with variables, and jobs are told them', async () => {
    const text = `workflow: {name: " Build of $CI_COMMIT_BRANCH $LEVEL$NONE "}\nvariables: {LEVEL: quick}\n${JOB}`;
    const { loom, runner, pipeline } = await ciProjectWith(writing, text);
    const name = 'Build of main quick';
    expect(await pipelines(loom)).toMatchObject([{ name }]);
    expect((await loom.call('GET', `/pipelines/${pipeline}`)).body).toMatchObject({ name });
    const told = (await runner.take())!.variables.filter(({ key }) => key === 'CI_PIPELINE_NAME');
    expect(told.map(({ value }) => value)).toEqual([name]);
    const asked = { ref: 'main', variables: [{ key: 'LEVEL', value: 'full' }] };
    expect((await loom.call('POST', '/pipeline', asked)).body).toMatchObject({ name: 'Build of main full' });
    const named = (query: string) => pipelines(loom, `?name=${encodeURIComponent(query)}`);
    expect([(await named(name)).map(({ id }) => id), await named('Build')]).toEqual([[pipeline], []]);
  });

  it('show no masked variable, and are none where nothing is left', async () => {
    const loom = await writing.newProject();
    const kept = { key: 'HIDDEN', value: 'hidden-value', masked: true };
    expect((await loom.call('POST', '/variables', kept)).status).toBe(201);
    await loom.write('main', { [CI_FILE]: `workflow: {name: $HIDDEN}\n${JOB}` });
    await pushesFollowed(writing.service);
    expect(await pipelines(loom)).toMatchObject([{ name: null, status: 'pending' }]);
  });

  it('of more characters than they may have are told as what is wrong with the file', async () => {
    const { loom, pipeline } = await ciProjectWith(
      writing,
      `workflow: {name: "$A$A$A"}\nvariables: {A: ${'a'.repeat(100)}}\n${JOB}`,
    );
    expect((await loom.call<Pipeline>('GET', `/pipelines/${pipeline}`)).body).toMatchObject({
      name: null,
      status: 'failed',
      yaml_errors: 'workflow:name is too long (maximum is 255 characters)',
    });
  });

  it('are changed by whoever may run its branch, and by nobody else', async () => {
    const { loom, pipeline } = await ciProjectWith(writing, JOB);
    const [developer, reporter, stranger] = await Promise.all(
      ['dev', 'rep', 'out'].map((name) => writing.service.addUser(name)),
    );
    await loom.addMember(developer!, DEVELOPER);
    await loom.addMember(reporter!, REPORTER);
    expect((await rename(loom, pipeline, { name: ' Nightly ' })).body).toMatchObject({ id: pipeline, name: 'Nightly' });
    const refused = [developer, reporter].map(
      async (user) => (await rename(loom, pipeline, { name: 'x' }, user)).status,
    );
    expect(await Promise.all(refused)).toEqual([403, 403]);
    expect((await rename(loom, pipeline, { name: 'x' }, stranger!)).status).toBe(404);
    for (const sent of [{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(256) }])
      expect((await rename(loom, pipeline, sent)).status).toBe(400);
    expect(await pipelines(loom)).toMatchObject([{ name: 'Nightly' }]);
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const page = await browser.get(`/${loom.project.path}/-/pipelines/${pipeline}`);
    expect(await page.text()).toContain('<bdi>Nightly</bdi>');
  });
});
