import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { bashRunner } from '../support/bash-runner.js';
import { ciProjectWith, type CiProject } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { temporaryFolder } from '../support/git.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const RELEASING = `
notes: { stage: build, script: ['echo "It **works**" > notes.md'], artifacts: { paths: [notes.md] } }
release:
  script: ['true']
  rules: [{ if: $CI_COMMIT_TAG, when: never }, { when: on_success }]
  release:
    tag_name: v$CI_PIPELINE_IID
    name: Number $CI_PIPELINE_IID
    description: notes.md
    ref: $CI_COMMIT_SHA
    milestones: [Spring $CI_PIPELINE_IID, Autumn]
    assets: { links: [{ name: Guide, url: 'https://example.com/g', filepath: /g, link_type: runbook }] }
`;

describeWriting('jobs that make releases', (writing) => {
  const ask = async (
    loom: Pick<WrittenProject, 'id'>,
    path: string,
    { token, sent }: { readonly token?: string; readonly sent?: object },
  ) => {
    const answer = await fetch(`${writing.service.url}/api/v4/projects/${loom.id}/releases${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { 'JOB-TOKEN': token }) },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
  };

  /** How a pipeline stands once `gatehouse runner` has done its jobs. */
  const done = async ({ loom, runner, pipeline }: CiProject) => {
    const program = bashRunner({ url: writing.service.url, token: runner.token, folder: temporaryFolder() });
    const ended = program.execute();
    const standing = async () =>
      (await loom.call<{ status: string; sha: string }>('GET', `/pipelines/${pipeline}`)).body;
    try {
      await until(async () => ['success', 'failed'].includes((await standing()).status));
    } finally {
      program.stop();
      await ended;
    }
    return standing();
  };

  it('make one once they have succeeded, in the name of their user, with the files that they have', async () => {
    const { loom, runner, pipeline } = await ciProjectWith(writing, RELEASING);
    for (const title of ['Spring 1', 'Autumn']) await loom.call('POST', '/milestones', { title });
    const { status, sha } = await done({ loom, runner, pipeline });
    expect(status).toBe('success');
    expect((await loom.call<object[]>('GET', '/releases')).body).toMatchObject([
      {
        ...{ tag_name: 'v1', name: 'Number 1', description: 'It **works**\n', author: { username: 'ada' } },
        commit: { id: sha },
        milestones: [{ title: 'Spring 1' }, { title: 'Autumn' }],
        assets: { links: [{ name: 'Guide', url: 'https://example.com/g', link_type: 'runbook' }] },
      },
    ]);
  });

  it('are told to any runner as a step that calls release-cli, in which variables alone are put in', async () => {
    const release = {
      ...{ tag_name: 'v1', name: 'a "b" `c` $(d) $CI_COMMIT_SHA \\', description: "It's\nhere" },
      ...{ released_at: '2030-01-01T00:00:00Z', assets: { links: [{ name: 'n', url: 'https://example.com' }] } },
      milestones: ['Spring "1"', 'Autumn'],
    };
    const file = { release: { script: 'x', after_script: 'y', release } };
    const { runner } = await ciProjectWith(writing, JSON.stringify(file));
    const { steps } = await runner.takeNamed('release');
    expect(steps.map(({ name, when }) => `${name} ${when}`)).toEqual([
      ...['script on_success', 'release on_success', 'after_script always'],
    ]);
    const command = `release-cli() { printf '%s\\0' "$@"; }; CI_COMMIT_SHA=0f; ${steps[1]!.script.join('\n')}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(stdout.split('\0').slice(0, -1)).toEqual([
      ...['create', '--name', 'a "b" `c` $(d) 0f \\', '--tag-name', 'v1', '--description', "It's\nhere"],
      ...['--ref', '0f', '--released-at', '2030-01-01T00:00:00Z'],
      ...['--milestone', 'Spring "1"', '--milestone', 'Autumn'],
      ...['--assets-link', '{"name":"n","url":"https://example.com"}'],
    ]);
  });

  it('may while they run, by their token, in their own project alone', async () => {
    const { loom, runner } = await ciProjectWith(writing, 'job: { script: x }');
    const other = await writing.newProject();
    await other.write('main', { a: 'a' });
    const job = await runner.takeNamed('job');
    const sent = { tag_name: 'v1', ref: 'main', description: 'One' };
    expect((await ask(other, '', { token: job.token, sent })).status).toBe(404);
    expect((await ask(loom, '', { token: 'glcbt-of-nobody', sent })).status).toBe(401);
    expect((await ask(loom, '', { sent })).status).toBe(401);
    const made = await ask(loom, '', { sent: { ...sent, job_token: job.token } });
    expect(made).toMatchObject({ status: 201, body: { author: { username: 'ada' }, description: 'One' } });
    expect(await ask(loom, '/v1', { token: job.token })).toEqual({ status: 200, body: made.body });
    expect(await ask(loom, '', { token: job.token })).toEqual({ status: 200, body: [made.body] });
    // As much as whoever is signed in may send.
    const long = { ...sent, tag_name: 'v3', description: 'n'.repeat(400_000) };
    expect((await ask(loom, '', { token: job.token, sent: long })).status).toBe(201);
    expect((await ask(loom, '', { token: 'glcbt-of-nobody', sent: long })).status).toBe(413);
    await runner.end(job, { state: 'success' });
    expect((await ask(loom, '', { token: job.token, sent: { ...sent, tag_name: 'v2' } })).status).toBe(401);
    expect((await ask(loom, '/v1', { token: job.token })).status).toBe(401);
  });

  it('may no more than those who may push to their branch, whoever runs them', async () => {
    const { loom, runner } = await ciProjectWith(writing, 'job: { script: x }');
    await loom.call('POST', '/protected_tags', { name: 'v*', create_access_level: 40 });
    await loom.call('POST', '/repository/branches', { branch: 'free', ref: 'main' });
    await pushesFollowed(writing.service);
    const [ofMain, ofFree] = [await runner.takeNamed('job'), await runner.takeNamed('job')];
    const release = (tag_name: string) => ({ tag_name, ref: 'main', description: 'x' });
    expect((await ask(loom, '', { token: ofFree.token, sent: release('v1') })).status).toBe(403);
    expect((await loom.call('GET', '/repository/tags/v1')).status).toBe(404);
    expect((await ask(loom, '', { token: ofFree.token, sent: release('free-1') })).status).toBe(201);
    expect((await ask(loom, '', { token: ofMain.token, sent: release('v1') })).status).toBe(201);
    await loom.call('DELETE', '/protected_branches/main');
    await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 30 });
    expect((await ask(loom, '', { token: ofMain.token, sent: release('v2') })).status).toBe(403);
  });

  it('make their tag where they are, unless it is said where', async () => {
    const text = 'release: { script: "true", release: { tag_name: v1, description: One } }';
    const { loom, runner, pipeline } = await ciProjectWith(writing, text);
    const { sha } = await done({ loom, runner, pipeline });
    const { body } = await loom.call<object>('GET', '/releases/v1');
    expect(body).toMatchObject({ commit: { id: sha } });
  });
});
