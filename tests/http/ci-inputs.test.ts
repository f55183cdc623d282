import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Pipeline {
  readonly id: number;
  readonly source: string;
  readonly yaml_errors: string | null;
  readonly message?: unknown;
}

const CI = '.gitlab-ci.yml';
const [REPORTER, DEVELOPER, MAINTAINER] = [20, 30, 40];
const HEADER = `spec:
  inputs:
    target: {options: [staging, production], default: staging}
    version: {regex: '^v\\d+$', default: v1}
    copies: {type: number, default: 1}
    tags: {type: array, default: []}
---
`;
const FILE = `${HEADER}
"$[[ inputs.target ]]-$[[ inputs.version ]]":
  script: make
  parallel: $[[ inputs.copies ]]
  tags: $[[ inputs.tags ]]
`;
const VERSION_WRONG = '`version` input: provided value does not match required RegEx pattern';

describeWriting('inputs of CI files', (writing) => {
  const project = async (text = FILE, more: Readonly<Record<string, string>> = {}) => {
    const loom = await writing.newProject();
    await loom.write('main', { [CI]: text, ...more });
    await pushesFollowed(writing.service);
    return loom;
  };
  const run = (loom: WrittenProject, sent: object, user?: TestUser) =>
    loom.call<Pipeline>('POST', '/pipeline', { ref: 'main', ...sent }, user);
  const jobsOf = async (loom: WrittenProject, { id }: Pick<Pipeline, 'id'>) => {
    const { body } = await loom.call<{ name: string; tag_list: string[] }[]>('GET', `/pipelines/${id}/jobs`);
    return body.map(({ name, tag_list: tags }) => [name.replace(/ 1\/1$/, ''), ...tags].join(' ')).sort();
  };
  const pipelines = async (loom: WrittenProject, query = '') =>
    (await loom.call<Pipeline[]>('GET', `/pipelines${query}`)).body;

  it('are what the file says by default, or whoever asks for the pipeline', async () => {
    const loom = await project();
    expect(await jobsOf(loom, (await pipelines(loom))[0]!)).toEqual(['staging-v1']);
    const asked = await run(loom, { inputs: { target: 'production', version: 'v2', copies: 2, tags: ['fast'] } });
    expect(asked.status).toBe(201);
    expect(await jobsOf(loom, asked.body)).toEqual(['production-v2 1/2 fast', 'production-v2 2/2 fast']);
    expect(await jobsOf(loom, (await run(loom, { inputs: {} })).body)).toEqual(['staging-v1']);
    const form = new URLSearchParams({ ref: 'main', 'inputs[version]': 'v3', 'inputs[copies]': '2' });
    const sent = await fetch(`${writing.service.url}/api/v4/projects/${loom.id}/pipeline`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': loom.owner.token },
      body: form,
    });
    expect(await jobsOf(loom, (await sent.json()) as Pipeline)).toEqual(['staging-v3 1/2', 'staging-v3 2/2']);
  });

  it.each([
    [{ version: 'two' }, VERSION_WRONG],
    [{ target: 'moon' }, '`target` input: `moon` cannot be used because it is not in the list of allowed options'],
    [{ copies: 'many' }, '`copies` input: provided value is not a number'],
    [{ tags: 'fast' }, '`tags` input: provided value is not an array'],
    [{ colour: 'red' }, 'unknown input arguments: colour'],
  ])('%j is refused, and nothing is made', async (inputs, problem) => {
    const loom = await project();
    expect(await run(loom, { inputs })).toMatchObject({ status: 400, body: { message: { base: [problem] } } });
    expect(await pipelines(loom)).toHaveLength(1);
  });

  it.each([
    ['a'],
    [['a']],
    [Object.fromEntries([...Array(101).keys()].map((at) => [`i${at}`, 1]))],
    [{ version: { a: 1 } }],
    [{ version: 'v1\0' }],
    [{ version: '\ud800' }],
    [{ ['__proto__']: 'a' }],
  ])('what is no map of such values is refused: %j', async (inputs) => {
    const loom = await project();
    expect((await run(loom, { inputs })).status).toBe(400);
  });

  it('that have to be given are missed where nobody gives them, in words', async () => {
    const loom = await project('spec: {inputs: {name: }}\n---\n"$[[ inputs.name ]]": {script: make}');
    const missing = '`name` input: required value has not been provided';
    const { id } = (await pipelines(loom))[0]!;
    expect((await loom.call<Pipeline>('GET', `/pipelines/${id}`)).body.yaml_errors).toBe(missing);
    expect((await loom.call('GET', '/ci/lint')).body).toMatchObject({ valid: false, errors: [missing] });
    expect(await jobsOf(loom, (await run(loom, { inputs: { name: 'x' } })).body)).toEqual(['x']);
    expect((await run(loom, {})).status).toBe(400);
  });

  it('are in what lint says of a file, with what is wrong with them', async () => {
    const loom = await project('x: {script: make}', {
      'ci/a.yml': `${HEADER}"$[[ inputs.target ]]": {script: "make $[[ inputs.version | expand_vars ]]"}`,
    });
    const lint = async (content: string, more = {}) =>
      (
        await loom.call<{ valid: boolean; errors: string[]; merged_yaml: string }>('POST', '/ci/lint', {
          content,
          ...more,
        })
      ).body;
    const include = (inputs: string) => `include: {local: ci/a.yml, inputs: ${inputs}}`;
    expect(await lint(include('{target: production, version: v7}'))).toMatchObject({
      ...{ valid: true, errors: [] },
      merged_yaml: '---\nproduction:\n  script: make v7\n',
    });
    expect(await lint(include('{version: latest}'))).toMatchObject({
      ...{ valid: false, errors: [`\`ci/a.yml\`: ${VERSION_WRONG}`] },
      merged_yaml: null,
    });
    expect((await lint(FILE)).merged_yaml).toContain('staging-v1:');
    const branch =
      'spec: {inputs: {a: {default: $CI_COMMIT_BRANCH}}}\n---\n"on-$[[ inputs.a | expand_vars ]]": {script: make}';
    expect((await lint(branch, { dry_run: true })).merged_yaml).toContain('on-main:');
    expect((await lint(branch)).merged_yaml).toContain('on-$CI_COMMIT_BRANCH:');
  });

  it('show no variable that is masked', async () => {
    const file = 'spec: {inputs: {a: {default: $OPEN-$CLOSED}}}\n---\n"$[[ inputs.a | expand_vars ]]": {script: make}';
    const loom = await project(file);
    await loom.call('POST', '/variables', { key: 'OPEN', value: 'open' });
    await loom.call('POST', '/variables', { key: 'CLOSED', value: 'very-secret', masked: true });
    expect(await jobsOf(loom, (await run(loom, {})).body)).toEqual(['open-$CLOSED']);
  });

  it('are given by the token of a trigger, too, and by a job that starts a pipeline', async () => {
    const loom = await project();
    const { body } = await loom.call<{ token: string }>('POST', '/triggers', { description: 'x' });
    const start = (inputs: unknown) =>
      writing.service.call<Pipeline>('POST', `/projects/${loom.id}/trigger/pipeline`, {
        json: { token: body.token, ref: 'main', inputs },
      });
    expect(await jobsOf(loom, (await start({ version: 'v5', tags: ['a'] })).body)).toEqual(['staging-v5 a']);
    expect(await start({ version: 'x' })).toMatchObject({ status: 400, body: { message: { base: [VERSION_WRONG] } } });
    expect((await start('x')).status).toBe(400);
    const path = loom.project.path;
    const starter = await writing.newProject();
    await loom.call('POST', '/job_token_scope/allowlist', { target_project_id: starter.id });
    await starter.write('main', {
      [CI]: `good: {trigger: {project: ${path}, inputs: {version: v6, copies: 2}}}\nbad: {trigger: {project: ${path}, inputs: {version: x}}}`,
    });
    await pushesFollowed(writing.service);
    const [downstream] = await pipelines(loom, '?source=pipeline');
    expect(await jobsOf(loom, downstream!)).toEqual(['staging-v6 1/2', 'staging-v6 2/2']);
    const { id } = (await pipelines(starter))[0]!;
    const bridges = await starter.call<{ name: string; status: string; failure_reason?: string }[]>(
      'GET',
      `/pipelines/${id}/bridges`,
    );
    expect(bridges.body.map(({ name, failure_reason: reason }) => [name, reason]).sort()).toEqual([
      ['bad', 'downstream_pipeline_creation_failed'],
      ['good', undefined],
    ]);
  });

  it('are given to the files that a part of a pipeline includes', async () => {
    const loom = await project(
      'next: {trigger: {include: {local: ci/child.yml, inputs: {version: v8, tags: [a, b]}}}}',
      {
        'ci/child.yml': FILE,
      },
    );
    await pushesFollowed(writing.service);
    const [child] = await pipelines(loom, '?source=parent_pipeline');
    expect(await jobsOf(loom, child!)).toEqual(['staging-v8 a b']);
  });

  it('are given to a CI file that is one of another project', async () => {
    const elsewhere = await project(FILE);
    const { loom } = await ciProjectWith(writing, 'x: {script: make}');
    await loom.call('PUT', '', { ci_config_path: `${CI}@${elsewhere.project.path}` });
    expect(await jobsOf(loom, (await run(loom, { inputs: { version: 'v9', copies: '1' } })).body)).toEqual([
      'staging-v9',
    ]);
    expect(await jobsOf(loom, (await run(loom, {})).body)).toEqual(['staging-v1']);
    expect((await run(loom, { inputs: { version: 'x' } })).body.message).toEqual({
      base: [`\`${elsewhere.project.path}: ${CI}\`: ${VERSION_WRONG}`],
    });
  });

  it('of one and the same commit are others each time', async () => {
    const loom = await project();
    const names = await Promise.all(
      ['v1', 'v2', 'v3'].map(async (version) => jobsOf(loom, (await run(loom, { inputs: { version } })).body)),
    );
    expect(names.flat()).toEqual(['staging-v1', 'staging-v2', 'staging-v3']);
  });

  it('are given by whoever may choose what jobs of the branch do: others learn nothing, and make nothing', async () => {
    const loom = await project();
    await loom.call('DELETE', '/protected_branches/main');
    const rule = { name: 'main', push_access_level: MAINTAINER, merge_access_level: DEVELOPER };
    expect((await loom.call('POST', '/protected_branches', rule)).status).toBe(201);
    const member = async (name: string, level: number) => {
      const user = await writing.service.addUser(`${name}-${loom.id}`);
      await loom.addMember(user, level);
      return user;
    };
    const inputs = { version: 'v2' };
    const stranger = await writing.service.addUser(`stranger-${loom.id}`);
    const visitor = await writing.service.call('POST', `/projects/${loom.id}/pipeline`, {
      json: { ref: 'main', inputs },
    });
    const answers = [
      await run(loom, { inputs }, stranger),
      await run(loom, { inputs }, await member('reporter', REPORTER)),
      await run(loom, { inputs }, await member('developer', DEVELOPER)),
    ];
    expect([visitor, ...answers].map(({ status }) => status)).toEqual([401, 404, 403, 400]);
    expect(answers[2]!.body.message).toEqual({ base: ['Insufficient permissions to set pipeline inputs'] });
    expect(JSON.stringify([visitor.body, ...answers.map(({ body }) => body)])).not.toContain('staging');
    expect(await pipelines(loom)).toHaveLength(1);
    expect((await run(loom, { inputs }, await member('maintainer', MAINTAINER))).status).toBe(201);
  });

  it('are given by a form, one a line', async () => {
    const loom = await project();
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const page = `/${loom.project.path}/-/pipelines/new`;
    const submit = (inputs: string) => browser.submit(page, page, { branch: 'main', inputs });
    expect((await submit('version=v4\r\ntags=["a"]\n\n')).status).toBe(303);
    const [newest] = await pipelines(loom);
    expect([newest!.source, await jobsOf(loom, newest!)]).toEqual(['web', ['staging-v4 a']]);
    for (const wrong of ['version', '=v1', 'version=x']) {
      const refused = await submit(wrong);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(wrong)]);
    }
  });

  it('decide whether a file is included by what has changed, and what is there', async () => {
    const loom = await project(
      "include: [{local: docs.yml, rules: [{changes: ['docs/**/*']}]}, {local: make.yml, rules: [{exists: [Makefile]}]}]\nown: {script: make}",
      { 'docs.yml': 'docs: {script: make docs}', 'make.yml': 'make: {script: make}' },
    );
    const newest = async () => {
      await pushesFollowed(writing.service);
      return jobsOf(loom, (await pipelines(loom))[0]!);
    };
    // Everything of a new branch has changed.
    expect(await newest()).toEqual(['docs', 'own']);
    await loom.write('main', { Makefile: 'all:' });
    expect(await newest()).toEqual(['make', 'own']);
    await loom.write('main', { 'docs/a/b.md': 'x' });
    expect(await newest()).toEqual(['docs', 'make', 'own']);
    const tried = await loom.call<{ merged_yaml: string }>('GET', '/ci/lint?dry_run=true');
    expect(tried.body.merged_yaml).toMatch(/docs:[\s\S]*make:|make:[\s\S]*docs:/);
  });
});
