import { expect, it } from '@jest/globals';
import { jobsOfNewest, runnerOf } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface ShownProject {
  readonly id: number;
  readonly ci_config_path: string | null;
}

const DEVELOPER = 30;

describeWriting('a project that says where its CI file is', (writing) => {
  const set = (loom: WrittenProject, path: string | null) =>
    loom.call<ShownProject & { message: unknown }>('PUT', '', { ci_config_path: path });
  const projectWith = async (path: string, files: Readonly<Record<string, string>>, fields: object = {}) => {
    const loom = await writing.newProject({ ci_config_path: path, ...fields });
    await loom.write('main', files);
    return loom;
  };
  const jobsOf = (loom: WrittenProject) => jobsOfNewest(writing, loom);
  const pathIn = ({ variables }: { readonly variables: readonly { key: string; value: string }[] }) =>
    variables.find(({ key }) => key === 'CI_CONFIG_PATH')?.value;

  it('has it set when it is made and later, without a slash before it, and unset by nothing', async () => {
    const loom = await writing.newProject({ ci_config_path: '/ci/main.yml' });
    const shown = async () => (await loom.call<ShownProject>('GET', '')).body.ci_config_path;
    expect(await shown()).toBe('ci/main.yml');
    await loom.call('PUT', '', { description: 'Said' });
    expect(await shown()).toBe('ci/main.yml');
    expect((await set(loom, 'other.yml')).body.ci_config_path).toBe('other.yml');
    // It may name a project that others don't see.
    await loom.call('PUT', '', { visibility: 'internal' });
    const { token } = writing.grace;
    const path = `/projects/${loom.id}`;
    expect((await writing.service.call<ShownProject>('GET', path, { token })).body.ci_config_path).toBeNull();
    expect((await set(loom, '')).body.ci_config_path).toBeNull();
    expect((await set(loom, 'other.yml')).body.ci_config_path).toBe('other.yml');
    expect((await set(loom, null)).body.ci_config_path).toBeNull();
    expect(await shown()).toBeNull();
  });

  it.each([
    ['https://ci.example/ci.yml', 'is an address: only files in repositories here can be used'],
    ['a/../../ci.yml', 'is not a path in a repository: no part of it may be empty, `.` or `..`'],
    ['a\nb.yml', 'has a control character'],
    ['a'.repeat(256), 'is too long (maximum is 255 characters)'],
    ['ci.yml@tools', 'of another project is written as path@group/project or path@group/project:ref'],
  ])('says no %j', async (path, problem) => {
    const loom = await writing.newProject();
    const refused = { status: 400, body: { message: { ci_config_path: [problem] } } };
    expect(await set(loom, path)).toMatchObject(refused);
    const made = { token: writing.ada.token, json: { name: `refused`, ci_config_path: path } };
    expect(await writing.service.call('POST', '/projects', made)).toMatchObject(refused);
  });

  it('has its jobs from that file alone, whoever starts them, and tells them its path', async () => {
    const usual = { '.gitlab-ci.yml': 'usual: { script: x }', '.platform-ci.yml': 'own: { script: x }' };
    const parts = { 'ci/a.yml': 'part: { script: x }' };
    const text = 'include: ["ci/*.yml"]\nchosen: { script: x, rules: [{ if: \'$CI_CONFIG_PATH == "ci/main.yml"\' }] }';
    const loom = await projectWith('ci/main.yml', { ...usual, ...parts, 'ci/main.yml': text });
    const chosen = ['chosen', 'part'];
    expect(await jobsOf(loom)).toEqual(chosen);
    expect(pathIn((await (await runnerOf(writing, loom)).take())!)).toBe('ci/main.yml');
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({ status: 201 });
    expect(await jobsOf(loom)).toEqual(chosen);
    const linted = await loom.call<{ jobs: { name: string }[] }>('GET', '/ci/lint?dry_run=true&include_jobs=true');
    expect(linted.body.jobs.map(({ name }) => name).sort()).toEqual(chosen);
    await set(loom, null);
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({ status: 201 });
    expect(await jobsOf(loom)).toEqual(['own']);
  });

  it('has no pipelines where the file is not there', async () => {
    const loom = await projectWith('ci/main.yml', { '.gitlab-ci.yml': 'usual: { script: x }' });
    expect(await jobsOf(loom)).toEqual([]);
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({
      ...{ status: 400, body: { message: { base: ['Missing CI config file'] } } },
    });
    expect((await loom.call<{ errors: string[] }>('GET', '/ci/lint')).body.errors).toEqual([
      'Please provide content of ci/main.yml',
    ]);
  });

  it('tells jobs the path that their pipeline was made by, wherever the file is said to be since', async () => {
    const loom = await projectWith('ci/main.yml', {
      'ci/main.yml': 'chosen: { script: x }',
      'b.yml': 'b: { script: x }',
    });
    await pushesFollowed(writing.service);
    await set(loom, 'b.yml');
    expect(pathIn(await (await runnerOf(writing, loom)).takeNamed('chosen'))).toBe('ci/main.yml');
  });

  it('may have one of another project, with what that includes, as whoever starts the pipeline may read it', async () => {
    const tools = await writing.newProject({ visibility: 'private' });
    await tools.write('main', {
      'ci/all.yml': 'include: [ci/part.yml]\nall: { script: x }',
      'ci/part.yml': 'part: { script: x }',
    });
    const { path } = tools.project;
    const loom = await projectWith(`ci/all.yml@${path}:main`, { '.gitlab-ci.yml': 'usual: { script: x }' });
    expect(await jobsOf(loom)).toEqual(['all', 'part']);
    const job = (await (await runnerOf(writing, loom)).take())!;
    expect(pathIn(job)).toBe(`ci/all.yml@${path}:main`);
    const linted = await loom.call('GET', '/ci/lint?dry_run=true');
    expect(linted.body).toMatchObject({ valid: true, merged_yaml: expect.stringContaining('part') });
    await loom.addMember(writing.grace, DEVELOPER);
    const denied = `Project \`${path}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;
    const started = await loom.call('POST', '/pipeline', { ref: 'main' }, writing.grace);
    // The branch is protected.
    expect(started.status).toBe(400);
    const pushed = await loom.commit(
      'topic',
      'Change',
      [{ action: 'create', file_path: 'a', content: 'a' }],
      { start_branch: 'main' },
      writing.grace,
    );
    expect(pushed.status).toBe(201);
    expect(await jobsOf(loom)).toBe(denied);
    expect((await loom.call('GET', '/ci/lint', undefined, writing.grace)).body).toMatchObject({
      ...{ valid: false, errors: [denied] },
    });
    await set(loom, `ci/none.yml@${path}`);
    expect((await loom.call('GET', '/ci/lint')).body).toMatchObject({
      errors: [`Project \`${path}\` file \`ci/none.yml\` does not exist!`],
    });
  });

  it('tells readers of no other project that they don’t see: neither where it is linted, nor by its pipelines', async () => {
    const tools = await writing.newProject({ visibility: 'private' });
    await tools.write('main', { 'ci/all.yml': 'all: { stage: none, script: x }' });
    const { path } = tools.project;
    const loom = await projectWith(`ci/all.yml@${path}:main`, { 'README.md': '# Loom' }, { visibility: 'public' });
    await loom.write('topic', { a: 'a' }, { start_branch: 'main' });
    const proposed = { source_branch: 'topic', target_branch: 'main', title: 'Weave' };
    expect((await loom.call('POST', '/merge_requests', proposed)).status).toBe(201);
    await pushesFollowed(writing.service);
    const [newest] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body;
    const reader = await writing.service.addUser(`reader-${loom.id}`, { password: PASSWORD });
    const browser = await signedIn(writing.service, reader.username);
    const page = `/${loom.project.path}/-/pipelines/${newest!.id}`;
    const asked = ['/ci/lint', '/ci/lint?dry_run=true', '/ci/lint?include_jobs=true', `/pipelines/${newest!.id}`];
    const all = [...asked, '/pipelines/latest?ref=topic', '/merge_requests/1'];
    const read = async (user?: TestUser) => {
      const answers = all.map(async (address) =>
        JSON.stringify((await loom.call('GET', address, undefined, user)).body),
      );
      return Promise.all([...answers, browser.get(page).then((shown) => shown.text())]);
    };
    const HIDDEN = 'The CI file is in another project, which you cannot see.';
    for (const text of await read(reader)) {
      expect(text).toContain(HIDDEN);
      expect(text).not.toContain(path);
      expect(text).not.toContain('stage');
    }
    const visitor = await fetch(`${writing.service.url}/api/v4/projects/${loom.id}/ci/lint`);
    expect(await visitor.json()).toMatchObject({ valid: false, errors: [HIDDEN], merged_yaml: null });
    // Whoever may push is told, as of the path itself; so is whoever sees the other project.
    for (const text of (await read()).slice(0, -1)) expect(text).not.toContain(HIDDEN);
    await tools.addMember(reader, DEVELOPER);
    for (const text of await read(reader)) expect(text).not.toContain(HIDDEN);
    await set(loom, `ci/none.yml@${path}`);
    const linted = await loom.call('GET', '/ci/lint', undefined, reader);
    expect(linted.body).toMatchObject({ errors: [`Project \`${path}\` file \`ci/none.yml\` does not exist!`] });
  });

  it('gives it to its forks', async () => {
    const loom = await projectWith('ci/main.yml', { 'ci/main.yml': 'chosen: { script: x }' }, { visibility: 'public' });
    const fork = await loom.call<ShownProject>('POST', '/fork', {}, writing.grace);
    expect([fork.status, fork.body.ci_config_path]).toEqual([201, 'ci/main.yml']);
  });

  it('has it changed on a page, which says what is wrong with it', async () => {
    const loom = await writing.newProject();
    const browser = await signedIn(writing.service, 'ada');
    const settings = `/${loom.project.path}/-/settings`;
    const [list, page] = [`${settings}/ci_cd`, `${settings}/ci_file`];
    const read = async (path: string) => (await browser.get(path)).text();
    expect(await read(list)).toContain(`href="${page}"`);
    const refused = await browser.submit(page, page, { ci_config_path: '../<b>.yml' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/value="..\/&lt;b&gt;.yml"[^]*The path is not a path in a repository/);
    const saved = await browser.submit(page, page, { ci_config_path: '/ci/<b>.yml' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, list]);
    expect(await read(list)).toContain('<code>ci/&lt;b&gt;.yml</code>');
    expect((await loom.call<ShownProject>('GET', '')).body.ci_config_path).toBe('ci/<b>.yml');
    const overtaken = await browser.submit(page, page, { ci_config_path: 'b.yml', seen: 'older' });
    expect(overtaken.status).toBe(409);
    await loom.addMember(writing.grace, DEVELOPER);
    const other = await signedIn(writing.service, 'grace');
    expect((await other.get(page)).status).toBe(403);
  });
});
