import { expect } from '@jest/globals';
import { AlertingProject, sendAlert } from './alerting.js';
import { pushesFollowed, TestRunner } from './ci-runner.js';
import { byToken, sendPackage } from './sent-packages.js';
import { makeKey } from './ssh-keys.js';
import { zipOf } from './zips.js';
import type { TestService, TestUser } from './test-service.js';

interface Made {
  readonly id: number;
  readonly iid: number;
}

/** Posts to the API, and answers what was made. */
type Make = (path: string, json: object) => Promise<Made>;

export const makesFor =
  (service: TestService, { token }: TestUser): Make =>
  async (path, json) => {
    const { status, body } = await service.call<Made>('POST', path, { token, json });
    expect([path, status, body]).toEqual([path, 201, expect.anything()]);
    return body;
  };

/** What people write, by the place where they write it. */
export type Words = (usual: string) => string;
const asUsual: Words = (usual) => usual;

/** One that can be merged, and a draft that goes the other way, both discussed. */
const fillMergeRequests = async (make: Make, owner: TestUser, words: Words): Promise<void> => {
  await make('/repository/commits', {
    branch: 'work/pumps',
    commit_message: words('Build the pumps'),
    actions: [{ action: 'update', file_path: 'src/a.c', content: 'int a, b;\n' }],
  });
  const people = { reviewer_ids: [owner.id], assignee_ids: [owner.id] };
  for (const [title, source_branch, target_branch] of [
    [words('Build the pumps'), 'work/pumps', 'main'],
    [`Draft: ${words('Turn')}`, 'main', 'work/pumps'],
  ]) {
    const fields = { source_branch, target_branch, title, description: words('Closes #1, after !1.'), labels: 'bug' };
    const { iid } = await make('/merge_requests', { ...fields, ...people });
    await make(`/merge_requests/${iid}/notes`, { body: words('Seen') });
    await make(`/merge_requests/${iid}/discussions`, { body: words('Test it?') });
    await make(`/merge_requests/${iid}/draft_notes`, { note: words('Not yet') });
  }
};

/** One that was run by hand, and one that is not active. */
const fillSchedules = async (make: Make, words: Words): Promise<void> => {
  const nightly = { description: words('Nightly'), ref: 'main', cron: '0 4 * * *', cron_timezone: 'Europe/Berlin' };
  const { id } = await make('/pipeline_schedules', nightly);
  await make(`/pipeline_schedules/${id}/variables`, { key: 'COLOR', value: 'red' });
  await make(`/pipeline_schedules/${id}/play`, {});
  await make('/pipeline_schedules', { ...nightly, active: false });
};

const PARTS = 'ci/parts.yml';

/**
 * A pipeline of jobs: one has failed with a log and a file, one waits for somebody, one has started a part of it, and one could start
 * nothing. Pushes make none beside it.
 */
const runJobs = async (service: TestService, owner: TestUser, id: number, words: Words): Promise<void> => {
  const make: Make = (path, json) => makesFor(service, owner)(`/projects/${id}${path}`, json);
  const rules = [{ if: '$CI_PIPELINE_SOURCE == "api"' }];
  const release = { script: ['make'], rules: [{ ...rules[0], when: 'manual' }] };
  const nightly = { script: ['make'], only: ['schedules'] };
  const jobs = {
    [words('Build')]: { script: ['make'], rules },
    [words('Release')]: release,
    [words('Nightly')]: nightly,
    [words('Parts')]: { trigger: { include: PARTS }, rules },
    [words('Elsewhere')]: { trigger: 'no/where', rules },
  };
  const files = { '.gitlab-ci.yml': jobs, [PARTS]: { [words('Part')]: { script: ['make'] } } };
  const actions = Object.entries(files).map(([path, said]) => ({
    ...{ action: 'create', file_path: path, content: JSON.stringify(said) },
  }));
  await make('/repository/commits', { branch: 'main', commit_message: words('Run jobs'), actions });
  await fillSchedules(make, words);
  await make('/pipeline', { ref: 'main' });
  await pushesFollowed(service);
  const fields = { runner_type: 'project_type', project_id: id, description: words('Builder') };
  const runner = await TestRunner.make(service, owner, fields);
  for (let job = await runner.take(); job !== undefined; job = await runner.take()) {
    await runner.write(job, 0, words('It does not compile'));
    const report = words('Report').replaceAll(/[/\\]/gu, '-');
    expect(await runner.leave(job, await zipOf({ [report]: 'x' }))).toMatchObject({ status: 201 });
    await runner.end(job, { state: 'failed', failure_reason: 'script_failure', exit_code: 2 });
  }
};

/** One that a program elsewhere deployed to, and one that is stopped. */
const fillEnvironments = async (service: TestService, owner: TestUser, id: number): Promise<void> => {
  const { token } = owner;
  const make: Make = (path, json) => makesFor(service, owner)(`/projects/${id}${path}`, json);
  const main = `/projects/${id}/repository/commits/main`;
  const { id: sha } = (await service.call<{ id: string }>('GET', main, { token })).body;
  await make('/environments', { name: 'production', external_url: 'https://mill.example/' });
  await make('/deployments', { environment: 'production', sha, ref: 'main', tag: false, status: 'success' });
  const old = await make('/environments', { name: `review/${'x'.repeat(60)}` });
  const stop = `/projects/${id}/environments/${old.id}/stop`;
  expect((await service.call('POST', stop, { token, json: {} })).status).toBe(200);
};

/** One with two files, and one that is hidden. */
const fillPackages = async (service: TestService, owner: TestUser, id: number): Promise<void> => {
  for (const of of [
    { file: `${'long-'.repeat(20)}name.tar.gz` },
    { file: 'manual.txt' },
    { name: 'hidden', query: '?status=hidden' },
  ])
    expect((await sendPackage(service, byToken(owner), id, 'a tool', of)).status).toBe(201);
};

/** One that takes jobs, and one that doesn't for now. */
export const fillRunners = async (service: TestService, maker: TestUser, fields: object): Promise<void> => {
  const make = makesFor(service, maker);
  await make('/user/runners', { ...fields, tag_list: ['linux', 'gpu'] });
  await make('/user/runners', { ...fields, paused: true });
};

/** A project with something of everything. */
export const fillProject = async (
  service: TestService,
  owner: TestUser,
  fields: object,
  words: Words = asUsual,
): Promise<number> => {
  const { id } = await makesFor(service, owner)('/projects', fields);
  const make: Make = (path, json) => makesFor(service, owner)(`/projects/${id}${path}`, json);
  const { id: label_id } = await make('/labels', { name: 'bug', color: '#d9534f', description: words('Wrong') });
  const { id: board } = await make('/boards', { name: words('Next release') });
  await make(`/boards/${board}/lists`, { label_id });
  const milestone = await make('/milestones', {
    title: words('First light'),
    description: words('See #1.'),
    due_date: '2027-01-01',
  });
  for (const title of ['Leak', 'Smoke'])
    await make('/issues', {
      title: words(title),
      labels: 'bug',
      milestone_id: milestone.id,
      assignee_ids: [owner.id],
    });
  await make('/issues/1/links', { target_project_id: id, target_issue_iid: 2, link_type: 'blocks' });
  const issue = await make('/issues', { title: words('Hidden'), confidential: true });
  await make(`/issues/${issue.iid}/notes`, { body: words('Hush') });
  await make('/repository/commits', {
    branch: 'main',
    commit_message: words('Begin'),
    actions: [
      { action: 'create', file_path: 'README.md', content: '# Mill\n\nSee [the source](src/a.c).\n' },
      { action: 'create', file_path: 'src/a.c', content: 'int a;\n' },
    ],
  });
  await make('/repository/tags', { tag_name: 'v1', ref: 'main', message: words('The first') });
  await make('/releases', {
    tag_name: 'v1',
    name: words('The first'),
    description: words('See #1.'),
    assets: { links: [{ name: words('Manual'), url: 'https://manuals.example/', direct_asset_path: '/manual' }] },
  });
  await make('/repository/branches', { branch: 'work/pumps', ref: 'main' });
  await fillMergeRequests(make, owner, words);
  const said = { target_url: 'https://builds.example/1', description: words('Two of three are done') };
  await make('/statuses/work%2Fpumps', { state: 'running', name: words('Build'), ...said });
  const waits = { token: owner.token, json: { merge_when_pipeline_succeeds: true } };
  expect((await service.call('PUT', `/projects/${id}/merge_requests/1/merge`, waits)).status).toBe(200);
  await make('/statuses/main', { state: 'failed', name: words('Build'), coverage: 98.6, ...said });
  await runJobs(service, owner, id, words);
  await fillPackages(service, owner, id);
  await fillEnvironments(service, owner, id);
  await make('/snippets', { title: words('Notes'), content: 'one', file_name: 'a b.txt', visibility: 'private' });
  await make('/remote_mirrors', { url: 'https://ada:x@git.example/engine.git' });
  const followed = { token: owner.token, json: { url: 'https://ada:x@git.example/engine.git', enabled: false } };
  expect((await service.call('PUT', `/projects/${id}/mirror/pull`, followed)).status).toBe(200);
  await make('/hooks', { url: 'https://hooks.example/', custom_headers: [{ key: 'X-Team', value: 'x' }] });
  await make('/deploy_keys', { title: words('Server'), key: makeKey().line });
  await make('/triggers', { description: words('Nightly') });
  await make('/freeze_periods', { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' });
  await make('/variables', { key: 'K'.repeat(60), value: 'x', description: words('Variable') });
  await make('/access_tokens', { name: words('Robot'), description: words('Builds'), scopes: ['api'] });
  await make('/badges', {
    name: words('State'),
    link_url: 'https://ci.example/',
    image_url: 'https://ci.example/a.svg',
  });
  await make('/deploy_tokens', { name: words('Server'), scopes: ['read_repository'] });
  await fillRunners(service, owner, { runner_type: 'project_type', project_id: id, description: words('Builder') });
  const alerting = AlertingProject.of(service, owner, id);
  const integration = await alerting.integrate();
  await alerting.call('PUT', '/alert_settings', { create_incident: true });
  const alert = { title: words('On fire'), environment: 'production', severity: 'high' };
  expect(await sendAlert(integration, alert)).toMatchObject({ status: 200 });
  return id;
};
