import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { bashRunner } from '../support/bash-runner.js';
import { runnerOf } from '../support/ci-project.js';
import { pushesFollowed, type TakenJob } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { temporaryFolder } from '../support/git.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';
import { withSize, withText, zipOf } from '../support/zips.js';

const CI = `
stages: [build, test, deploy]
one: { stage: build, script: make, artifacts: { paths: [out/], expire_in: 1 week, reports: { junit: r.xml } } }
two: { stage: build, script: make, artifacts: { untracked: true, name: "two-$CI_JOB_NAME", exclude: ["*.o"], when: always } }
all: { stage: test, script: make }
some: { stage: test, script: make, dependencies: [two] }
none: { stage: test, script: make, dependencies: [] }
needing: { stage: deploy, script: make, needs: [one, { job: two, artifacts: false }] }
`;
const ONE = 'build: { script: make, artifacts: { paths: [out/] } }';
const PASSING = { state: 'success' };
const DAY_MS = 86_400_000;

interface Job {
  readonly id: number;
  readonly name: string;
  readonly artifacts_expire_at: string | null;
  readonly [field: string]: unknown;
}

describeWriting('files that jobs leave', (writing) => {
  const project = async (text = ONE, fields: object = {}) => {
    const loom = await writing.newProject(fields);
    const runner = await runnerOf(writing, loom);
    await loom.write('main', { '.gitlab-ci.yml': text });
    await pushesFollowed(writing.service);
    return { loom, runner };
  };

  /** A project whose one job has left an archive of these files, and has succeeded. */
  const left = async (files: Readonly<Record<string, string>> | Buffer, query = '', fields: object = {}) => {
    const made = await project(ONE, fields);
    const job = await made.runner.takeNamed('build');
    const zip = Buffer.isBuffer(files) ? files : await zipOf(files);
    expect(await made.runner.leave(job, zip, { query })).toMatchObject({ status: 201 });
    await made.runner.end(job, PASSING);
    return { ...made, job, zip };
  };

  const get = async (path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${writing.service.url}/api/v4${path}`, { headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const getAs = ({ token }: Pick<TestUser, 'token'>, path: string) => get(path, { 'PRIVATE-TOKEN': token });
  const read = (loom: WrittenProject, path: string, user: Pick<TestUser, 'token'> = loom.owner) =>
    getAs(user, `/projects/${loom.id}/jobs/${path}`);

  const shown = async (loom: WrittenProject, { id }: Pick<Job, 'id'>) =>
    (await loom.call<Job>('GET', `/jobs/${id}`)).body;

  const useCases = () => writing.service.service.container.get(PIPELINE_TOKENS.pipelines);
  const folder = () => writing.service.service.container.get(TOKENS.config).artifactsDirectory;
  const keyOf = async ({ id }: Pick<Job, 'id'>, type = 'archive') => {
    const rows = await writing.service.service.database.reader.query('ci_artifacts').where({ job_id: id });
    return rows.find((row) => row.type === type)?.file_key;
  };
  const pathOf = (key: string) => join(folder(), key.slice(0, 2), key);
  const expireAll = async (job: Pick<Job, 'id'>) => {
    const { database } = writing.service.service;
    const due = database.reader.dialect.writeInstant(new Date(0));
    await database.schema('ci_artifacts').where({ job_id: job.id }).update({ due_at: due });
  };

  it('are asked of a runner as the file says, sent by it, and shown with their job', async () => {
    const { loom, runner } = await project(CI);
    const one = await runner.takeNamed('one');
    const paths = { untracked: false, exclude: [], expire_in: '1 week' };
    expect(one['artifacts']).toEqual([
      { ...paths, name: null, paths: ['out/'], when: 'on_success', artifact_type: 'archive', artifact_format: 'zip' },
      {
        ...paths,
        name: 'junit.xml',
        paths: ['r.xml'],
        when: 'always',
        artifact_type: 'junit',
        artifact_format: 'gzip',
      },
    ]);
    const zip = await zipOf({ 'out/a.txt': 'A' });
    const about = 'artifact_type=archive&artifact_format=zip&expire_in=1%20week';
    expect(await runner.leave(one, zip, { query: about })).toMatchObject({ status: 201 });
    // What is said of it may stand in the form, too.
    const fields = { artifact_type: 'junit', artifact_format: 'gzip', expire_in: 'never' };
    expect(await runner.leave(one, Buffer.from('xml'), { name: 'junit.xml.gz', fields })).toMatchObject({
      status: 201,
    });
    await runner.end(one, PASSING);
    const job = await shown(loom, one);
    expect(job).toMatchObject({
      artifacts_file: { filename: 'artifacts.zip', size: zip.length },
      artifacts: [
        { file_type: 'archive', file_format: 'zip', filename: 'artifacts.zip', size: zip.length },
        { file_type: 'junit', file_format: 'gzip', filename: 'junit.xml.gz', size: 3 },
      ],
    });
    const keptFor = Date.parse(job.artifacts_expire_at!) - Date.now();
    expect(Math.round(keptFor / DAY_MS)).toBe(7);
    const list = (await loom.call<Job[]>('GET', '/jobs')).body;
    expect(list.find(({ id }) => id === job.id)).toMatchObject({ artifacts_file: { size: zip.length } });
    expect(list.filter((each) => Object.hasOwn(each, 'artifacts_file'))).toHaveLength(1);
    const row = await writing.service.service.database.reader.query('ci_artifacts').where({ job_id: one.id }).first();
    expect(row?.sha256).toBe(createHash('sha256').update(zip).digest('hex'));
  });

  it('are given to jobs of later stages, as dependencies and needs say, by the token of the job that asks', async () => {
    const { runner } = await project(CI);
    const [one, two] = [await runner.takeNamed('one'), await runner.takeNamed('two')];
    const zips = [await zipOf({ 'out/1': 'one' }), await zipOf({ 2: 'two' })] as const;
    await runner.leave(one, zips[0]);
    await runner.leave(two, zips[1], { name: 'two-two.zip' });
    await runner.end(one, PASSING);
    await runner.end(two, PASSING);
    const given = async () => {
      const job = (await runner.take())!;
      const dependencies = job['dependencies'] as readonly { readonly name: string; readonly token: string }[];
      expect(dependencies.every(({ token }) => token === job.token)).toBe(true);
      return { job, names: dependencies.map(({ name }) => name), dependencies };
    };
    const jobs = new Map<string, Awaited<ReturnType<typeof given>>>();
    for (let count = 0; count < 4; count += 1) {
      const each = await given();
      jobs.set(each.job.job_info.name, each);
    }
    const namesOf = (name: string) => jobs.get(name)?.names;
    expect([namesOf('all'), namesOf('some'), namesOf('none'), namesOf('needing')]).toEqual([
      ['one', 'two'],
      ['two'],
      [],
      ['one'],
    ]);
    const all = jobs.get('all')!;
    expect(all.dependencies[1]).toEqual({
      ...{ id: two.id, name: 'two', token: all.job.token },
      artifacts_file: { filename: 'two-two.zip', size: zips[1].length },
    });
    const answer = await get(`/jobs/${two.id}/artifacts`, { 'JOB-TOKEN': all.job.token });
    expect([answer.status, answer.bytes.equals(zips[1])]).toEqual([200, true]);
    // Not of another pipeline, not without a token, and not once the job that asks has ended.
    const other = await project();
    const stranger = await other.runner.takeNamed('build');
    const statusFor = async (headers: Readonly<Record<string, string>>, id = two.id) =>
      (await get(`/jobs/${id}/artifacts`, headers)).status;
    expect(await statusFor({ 'JOB-TOKEN': stranger.token })).toBe(404);
    expect(await statusFor({})).toBe(403);
    expect(await statusFor({ 'JOB-TOKEN': 'nobody' })).toBe(403);
    expect(await statusFor({ 'JOB-TOKEN': all.job.token }, all.job.id)).toBe(404);
    await runner.end(all.job, PASSING);
    expect(await statusFor({ 'JOB-TOKEN': all.job.token })).toBe(403);
  });

  it('tell those jobs what their dotenv reports say, after what the CI file says and before what is kept for them', async () => {
    const { loom, runner } = await project(`
stages: [build, test, deploy]
variables: { SAME: file, LINKED: file }
one: { stage: build, script: make, artifacts: { reports: { dotenv: a.env } } }
two: { stage: build, script: make, artifacts: { reports: { dotenv: a.env } } }
all: { stage: test, script: make }
some: { stage: test, script: make, dependencies: [one] }
none: { stage: test, script: make, needs: [{ job: one, artifacts: false }] }
`);
    await loom.call('POST', '/variables', { key: 'KEPT', value: 'settings' });
    const dotenv = (text: string | Buffer) => (job: TakenJob) =>
      runner.leave(job, gzipSync(text), {
        ...{ name: '.env.gz', query: 'artifact_type=dotenv&artifact_format=gzip' },
      });
    const [one, two] = [await runner.takeNamed('one'), await runner.takeNamed('two')];
    const message = async (text: string | Buffer) => {
      const { status, text: said } = await dotenv(text)(one);
      return [status, (JSON.parse(said) as { message: string }).message];
    };
    const filesThere = () =>
      readdirSync(folder(), { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;
    const before = filesThere();
    expect(await message('no variable')).toEqual([400, '400 Bad request - Invalid Format']);
    const tooLarge = '400 Bad request - Dotenv Artifact Too Big. Maximum Allowable Size: 5120';
    expect(await message(`A=${'x'.repeat(5_200)}`)).toEqual([400, tooLarge]);
    expect(await message(randomBytes(11_000))).toEqual([400, tooLarge]);
    expect(filesThere()).toBe(before);
    expect(await dotenv('SAME=one\nKEPT=one\nONE=1 $CI_JOB_NAME\n')(one)).toMatchObject({ status: 201 });
    expect(await dotenv('SAME=two\nTWO=2\n')(two)).toMatchObject({ status: 201 });
    await runner.end(one, PASSING);
    await runner.end(two, PASSING);
    const given = new Map<string, TakenJob>();
    for (let count = 0; count < 3; count += 1) {
      const job = (await runner.take())!;
      given.set(job.job_info.name, job);
    }
    const valuesOf = (name: string) =>
      ['SAME', 'KEPT', 'ONE', 'TWO', 'LINKED'].map(
        (key) =>
          given
            .get(name)!
            .variables.filter((each) => each.key === key)
            .at(-1)?.value,
      );
    expect([valuesOf('all'), valuesOf('some'), valuesOf('none')]).toEqual([
      ['two', 'settings', '1 $CI_JOB_NAME', '2', 'file'],
      ['one', 'settings', '1 $CI_JOB_NAME', undefined, 'file'],
      ['file', 'settings', undefined, undefined, 'file'],
    ]);
    expect(given.get('all')!.variables).toContainEqual({ key: 'TWO', value: '2', public: false, masked: false });
  });

  it('tell jobs of a pipeline 1,000 variables together at most', async () => {
    const { runner } = await project('one: { script: make, parallel: 8 }\n');
    const jobs: TakenJob[] = [];
    for (let job = await runner.take(); job !== undefined; job = await runner.take()) jobs.push(job);
    const tell = (job: TakenJob, count: number) => {
      const text = Array.from({ length: count }, (_, number) => `V${number}=1\n`).join('');
      return runner.leave(job, gzipSync(text), { query: 'artifact_type=dotenv' });
    };
    for (const job of jobs.slice(0, 6)) expect(await tell(job, 150)).toMatchObject({ status: 201 });
    const message =
      '400 Bad request - Dotenv files of a pipeline cannot have more than 1000 variables, or 131072 bytes, together';
    const [seventh, eighth] = jobs.slice(6) as [TakenJob, TakenJob];
    const refused = await tell(seventh, 101);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([400, { message }]);
    // Of two that come at once one has room.
    const both = await Promise.all([tell(seventh, 100), tell(eighth, 100)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  it('are downloaded whole and file by file, by job and by branch, and nothing of them is shown as a page', async () => {
    const files = { 'out/a.txt': 'A', 'out/sub dir/page.html': '<script>1</script>', 'é.txt': 'accent' };
    const { loom, job, zip } = await left(files);
    const whole = await read(loom, `${job.id}/artifacts`);
    expect([whole.status, whole.bytes.equals(zip)]).toEqual([200, true]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...{ 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="artifacts.zip"' },
      ...{ 'content-length': String(zip.length), 'x-content-type-options': 'nosniff' },
    });
    const page = await read(loom, `${job.id}/artifacts/out/sub%20dir/page.html`);
    expect([page.status, page.bytes.toString()]).toEqual([200, files['out/sub dir/page.html']]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      ...{ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' },
      ...{ 'content-disposition': 'attachment; filename="page.html"' },
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await read(loom, `${job.id}/artifacts/${encodeURIComponent('é.txt')}`)).bytes.toString()).toBe('accent');
    const byBranch = await read(loom, 'artifacts/main/download?job=build');
    expect([byBranch.status, byBranch.bytes.equals(zip)]).toEqual([200, true]);
    expect((await read(loom, 'artifacts/main/raw/out/a.txt?job=build')).bytes.toString()).toBe('A');
    const absent = [`${job.id}/artifacts/out`, `${job.id}/artifacts/b`, 'artifacts/main/raw/b?job=build'];
    for (const path of [...absent, 'artifacts/main/download?job=other', 'artifacts/other/download?job=build'])
      expect([path, (await read(loom, path)).status]).toEqual([path, 404]);
    for (const path of ['%2e%2e%2Fx', 'out%2F%2e%2e%2F..%2Fetc%2Fpasswd', '%2Fetc%2Fpasswd'])
      expect([path, (await read(loom, `${job.id}/artifacts/${path}`)).status]).toEqual([path, 400]);
    expect((await read(loom, 'artifacts/main/download')).status).toBe(400);
  });

  it('of a branch are those of its newest pipeline that succeeded, also where its name has slashes', async () => {
    const { loom, runner } = await left({ 'a.txt': 'old' });
    await loom.pushBranches([{ branch: 'feature/raw-1', files: { x: 'x' } }]);
    await pushesFollowed(writing.service);
    const job = await runner.takeNamed('build');
    await runner.leave(job, await zipOf({ 'd/a.txt': 'new' }));
    const asked = 'artifacts/feature/raw-1/raw/d/a.txt?job=build';
    expect((await read(loom, asked)).status).toBe(404);
    await runner.end(job, PASSING);
    expect((await read(loom, asked)).bytes.toString()).toBe('new');
    expect((await read(loom, 'artifacts/feature%2Fraw-1/download?job=build')).status).toBe(200);
    expect((await read(loom, 'artifacts/main/raw/a.txt?job=build')).bytes.toString()).toBe('old');
  });

  it('of a branch or tag are those of the protected one of the name, whatever others push or tell', async () => {
    const { loom, runner } = await left({ 'a.txt': 'good' });
    const { body: commits } = await loom.call<{ id: string }[]>('GET', '/repository/commits');
    await loom.call('POST', '/protected_tags', { name: 'v1', create_access_level: 40 });
    await loom.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
    await pushesFollowed(writing.service);
    const leave = async (text: string) => {
      const job = await runner.takeNamed('build');
      await runner.leave(job, await zipOf({ 'a.txt': text }));
      await runner.end(job, PASSING);
    };
    await leave('tagged');
    await loom.call('POST', '/repository/branches', { branch: 'v1', ref: 'main' });
    await pushesFollowed(writing.service);
    await leave('planted');
    expect((await read(loom, 'artifacts/v1/raw/a.txt?job=build')).bytes.toString()).toBe('tagged');
    const [{ id: sha }] = commits as [{ id: string }];
    await loom.call('POST', `/statuses/${sha}`, { state: 'success', ref: 'v1', name: 'elsewhere' });
    await loom.call('POST', `/statuses/${sha}`, { state: 'success', ref: 'main', name: 'elsewhere' });
    expect((await read(loom, 'artifacts/main/raw/a.txt?job=build')).bytes.toString()).toBe('good');
  });

  it('are read by whoever may read the code, and by a job of the project while it runs', async () => {
    const { loom, runner, job } = await left({ 'a.txt': 'A' });
    const bob = await writing.service.addUser(`bob-${randomBytes(4).toString('hex')}`);
    const own = `/projects/${loom.id}/jobs/${job.id}/artifacts`;
    expect((await getAs(bob, own)).status).toBe(404);
    await loom.addMember(bob, 10);
    expect((await getAs(bob, own)).status).toBe(403);
    await loom.call('PUT', `/members/${bob.id}`, { access_level: 20 });
    expect((await getAs(bob, own)).status).toBe(200);
    expect((await loom.call('DELETE', `/jobs/${job.id}/artifacts`, undefined, bob)).status).toBe(403);
    expect((await loom.call('POST', `/jobs/${job.id}/artifacts/keep`, undefined, bob)).status).toBe(403);
    await loom.call('POST', `/jobs/${job.id}/retry`);
    const running = await runner.takeNamed('build');
    const other = await project();
    const stranger = await other.runner.takeNamed('build');
    const byJob = async (token: string) => (await get(`${own}/a.txt`, { 'JOB-TOKEN': token })).status;
    expect([await byJob(running.token), await byJob(stranger.token), await byJob('nobody')]).toEqual([200, 404, 401]);
    expect((await get(`${own}?job_token=${running.token}`, {})).status).toBe(200);
    await runner.end(running, PASSING);
    expect(await byJob(running.token)).toBe(401);
  });

  it('are fetched by those alone whom the CI file lets, and given to later jobs all the same', async () => {
    const text = `
      stages: [build, test]
      hidden: { stage: build, script: make, artifacts: { paths: [out/], public: false } }
      closed: { stage: build, script: make, artifacts: { paths: [out/], access: none } }
      high: { stage: build, script: make, artifacts: { paths: [out/], access: maintainer } }
      after: { stage: test, script: make }`;
    const { loom, runner } = await project(text, { visibility: 'public' });
    const [bob, carol] = [
      await writing.service.addUser('bob-of-files'),
      await writing.service.addUser('carol-of-files'),
    ];
    await loom.addMember(bob, 20);
    await loom.addMember(carol, 30);
    const jobs = new Map<string, TakenJob>();
    for (const name of ['hidden', 'closed', 'high']) {
      const job = await runner.takeNamed(name);
      jobs.set(name, job);
      await runner.leave(job, await zipOf({ 'out/a': name }));
      await runner.end(job, PASSING);
    }
    const reached = async (name: string, user: TestUser) => {
      const { id } = jobs.get(name)!;
      const paths = [`${id}/artifacts`, `${id}/artifacts/out/a`];
      return [...new Set(await Promise.all(paths.map(async (path) => (await read(loom, path, user)).status)))];
    };
    const table = async (user: TestUser) => [
      ...[await reached('hidden', user), await reached('high', user), await reached('closed', user)],
    ];
    expect(await table(bob)).toEqual([[403], [403], [403]]);
    expect(await table(carol)).toEqual([[200], [403], [403]]);
    expect(await table(loom.owner)).toEqual([[200], [200], [403]]);
    const after = await runner.takeNamed('after');
    const dependencies = after['dependencies'] as readonly { readonly id: number; readonly token: string }[];
    expect(dependencies).toHaveLength(3);
    for (const { id, token } of dependencies)
      expect((await get(`/jobs/${id}/artifacts`, { 'JOB-TOKEN': token })).status).toBe(200);
    const byJob = async (name: string) =>
      (await get(`/projects/${loom.id}/jobs/${jobs.get(name)!.id}/artifacts`, { 'JOB-TOKEN': after.token })).status;
    expect([await byJob('high'), await byJob('closed')]).toEqual([200, 403]);
    await runner.end(after, PASSING);
    const newest = (user: TestUser, job: string) => read(loom, `artifacts/main/download?job=${job}`, user);
    expect([(await newest(bob, 'hidden')).status, (await newest(carol, 'hidden')).status]).toEqual([403, 200]);
    expect((await read(loom, 'artifacts/main/raw/out/a?job=high', carol)).status).toBe(403);
    const [ada, visitor] = [new FormBrowser(writing.service.url), new FormBrowser(writing.service.url)];
    await ada.signIn('ada');
    const pages = async (browser: FormBrowser, name: string) => {
      const page = `/${loom.project.path}/-/jobs/${jobs.get(name)!.id}`;
      const found: unknown[] = [(await (await browser.get(page)).text()).includes('/artifacts/download')];
      for (const path of ['browse', 'download', 'file?path=out/a'])
        found.push((await browser.get(`${page}/artifacts/${path}`)).status);
      return found;
    };
    expect(await pages(ada, 'hidden')).toEqual([true, 200, 200, 200]);
    expect(await pages(ada, 'closed')).toEqual([false, 403, 403, 403]);
    expect(await pages(visitor, 'hidden')).toEqual([false, 403, 403, 403]);
  });

  it('are refused where the job does not run, has one of the kind already, or what is sent is no such file', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('build');
    const zip = await zipOf({ a: 'a' });
    const send = (query: string, more: object = {}) => runner.leave(job, zip, { query, ...more });
    expect(await send('artifact_type=magic')).toMatchObject({ status: 400 });
    expect(await send('artifact_type=trace')).toMatchObject({ status: 400 });
    expect(await send('artifact_type=archive&artifact_format=raw')).toMatchObject({ status: 400 });
    expect(await send('expire_in=soon')).toMatchObject({ status: 400 });
    expect(await send('', { token: 'nobody' })).toMatchObject({ status: 403 });
    const stranger = await (await project()).runner.takeNamed('build');
    expect(await send('', { token: stranger.token })).toMatchObject({ status: 403 });
    const address = `${writing.service.url}/api/v4/jobs/${job.id}/artifacts`;
    const headers = { 'JOB-TOKEN': job.token };
    const empty = new FormData();
    empty.append('file2', 'x');
    expect((await fetch(address, { method: 'POST', headers, body: empty })).status).toBe(400);
    expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    const nameless = '--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--\r\n';
    const asForm = { ...headers, 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await fetch(address, { method: 'POST', headers: asForm, body: nameless })).status).toBe(400);
    const authorize = () => fetch(`${address}/authorize`, { method: 'POST', headers });
    expect(await (await authorize()).json()).toEqual({ MaximumSize: 104_857_600 });
    // Two at once: one of them is first.
    const both = await Promise.all([send(''), send('')]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await send('')).toMatchObject({ status: 400, text: expect.stringContaining('already') });
    await runner.end(job, PASSING);
    expect(await send('artifact_type=junit')).toMatchObject({ status: 403, job: 'success' });
    expect((await authorize()).status).toBe(403);
    expect((await shown(loom, job))['artifacts']).toHaveLength(1);
  });

  it('have names that harm no header and no folder, whatever their sender calls them', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('build');
    await runner.leave(job, await zipOf({ a: 'a' }), { name: '../../etc/pa"ss\r\nX-Evil: 1' });
    await runner.end(job, PASSING);
    const answer = await read(loom, `${job.id}/artifacts`);
    expect([answer.status, answer.headers.get('x-evil')]).toEqual([200, null]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="pa[^"/]*"$/);
  });

  it('that can not be unpacked, lead out of their archive, or are larger than they say, are refused or broken off', async () => {
    const zip = await zipOf({ 'aa/evil.txt': 'evil', 'b.txt': 'b' });
    const escaping = await left(withText(zip, 'aa/evil.txt', '../evil.txt'));
    expect((await read(escaping.loom, `${escaping.job.id}/artifacts/b.txt`)).status).toBe(400);
    const noZip = await left(randomBytes(500));
    expect((await read(noZip.loom, `${noZip.job.id}/artifacts/b.txt`)).status).toBe(400);
    const zeros = await zipOf({ zeros: Buffer.alloc(20_000_000) });
    const large = await left(withSize(zeros, 2_000_000_000));
    expect((await read(large.loom, `${large.job.id}/artifacts/zeros`)).status).toBe(400);
    const lying = await left(withSize(zeros, 10));
    await expect(
      read(lying.loom, `${lying.job.id}/artifacts/zeros`).then(({ status, bytes }) => {
        if (status !== 200 || bytes.length > 10) throw new Error('refused');
      }),
    ).rejects.toThrow();
  });

  it('that are too large are refused without being read to their end, and leave nothing', async () => {
    const { runner } = await project();
    const job = await runner.takeNamed('build');
    const before = readdirSync(join(folder(), 'unfinished'));
    const declared = await fetchHead(writing.service.url, job, 200_000_000);
    expect(declared).toMatch(/^HTTP\/1.1 413 /);
    const chunked = await fetchHead(writing.service.url, job, undefined);
    expect(chunked).toMatch(/^HTTP\/1.1 413 /);
    await until(() => Promise.resolve(readdirSync(join(folder(), 'unfinished')).length <= before.length));
    expect(await keyOf(job)).toBeUndefined();
  });

  it('are listed on pages, saved one by one, and kept by a button for who may', async () => {
    const { loom, runner } = await project(ONE, { visibility: 'public' });
    const job = await runner.takeNamed('build');
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f/${1_000 + index}`, 'x']));
    await runner.leave(job, await zipOf({ 'out/<b>.txt': 'B', ...files }), { name: 'my.zip' });
    await runner.leave(job, Buffer.alloc(1_600), { name: 'j.gz', query: 'artifact_type=junit' });
    await runner.end(job, PASSING);
    const page = `/${loom.project.path}/-/jobs/${job.id}`;
    const [ada, visitor] = [new FormBrowser(writing.service.url), new FormBrowser(writing.service.url)];
    await ada.signIn(writing.ada.username);
    const html = await (await visitor.get(page)).text();
    expect(html).toMatch(/my\.zip[^]*archive ·[^]*j\.gz[^]*junit · 1\.6 KiB[^]*Removed <time/);
    expect(html).not.toContain('artifacts/keep');
    const list = await (await visitor.get(`${page}/artifacts/browse`)).text();
    expect(list).toContain(`${page}/artifacts/file?path=out%2F%3Cb%3E.txt`);
    expect([list.includes('<b>'), list.match(/artifacts\/file/g)?.length]).toEqual([false, 1_000]);
    const saved = await visitor.get(`${page}/artifacts/file?path=out%2F%3Cb%3E.txt`);
    expect([await saved.text(), saved.headers.get('content-disposition')]).toEqual([
      'B',
      'attachment; filename="<b>.txt"',
    ]);
    const report = await visitor.get(`${page}/artifacts/download?file_type=junit`);
    expect([report.status, (await report.arrayBuffer()).byteLength]).toEqual([200, 1_600]);
    for (const path of ['file?path=none', 'file', 'file?path=a&path=b', 'download?file_type=dotenv'])
      expect([path, (await visitor.get(`${page}/artifacts/${path}`)).status]).toEqual([path, 404]);
    expect((await visitor.get(`${page}/artifacts/file?path=../x`)).status).toBe(400);
    const kept = await ada.submit(page, `${page}/artifacts/keep`, {});
    expect([kept.status, kept.headers.get('location')]).toEqual([303, page]);
    expect(await (await ada.get(page)).text()).toContain('Kept for good');
    const statistics = await loom.call<{ statistics: object }>('GET', '?statistics=true');
    const [{ size }] = (await shown(loom, job))['artifacts'] as [{ size: number }];
    expect(statistics.body.statistics).toMatchObject({ job_artifacts_size: size + 1_600 });
  });

  it('go once they expire, but for those of the newest pipeline of a branch that succeeded, and those that are kept', async () => {
    const { loom, runner, job } = await left({ a: 'a' }, 'expire_in=1%20day');
    const files = useCases().artifacts;
    await expireAll(job);
    await files.cleanUp();
    expect((await read(loom, `${job.id}/artifacts`)).status).toBe(200);
    await loom.write('main', { more: 'x' });
    await pushesFollowed(writing.service);
    const newer = await runner.takeNamed('build');
    await runner.leave(newer, await zipOf({ a: 'b' }));
    await runner.end(newer, PASSING);
    const kept = await loom.call<Job>('POST', `/jobs/${newer.id}/artifacts/keep`);
    expect([kept.status, kept.body.artifacts_expire_at]).toEqual([200, null]);
    await expireAll(job);
    const path = pathOf((await keyOf(job))!);
    await files.cleanUp();
    expect([(await read(loom, `${job.id}/artifacts`)).status, existsSync(path)]).toEqual([404, false]);
    expect(await shown(loom, job)).toMatchObject({ artifacts: [], artifacts_expire_at: null });
    expect((await read(loom, `${newer.id}/artifacts`)).status).toBe(200);
    expect((await loom.call('POST', `/jobs/${job.id}/artifacts/keep`)).status).toBe(404);
  });

  it('go with their files when somebody removes them, erases their job, or removes all of a project', async () => {
    const { loom, runner, job } = await left({ a: 'a' });
    const path = pathOf((await keyOf(job))!);
    expect((await loom.call('DELETE', `/jobs/${job.id}/artifacts`)).status).toBe(204);
    expect([existsSync(path), (await read(loom, `${job.id}/artifacts`)).status]).toEqual([false, 404]);
    expect((await shown(loom, job))['erased_at']).toBeNull();
    const again = async () => {
      await loom.call('POST', '/pipeline', { ref: 'main' });
      const taken = await runner.takeNamed('build');
      await runner.leave(taken, await zipOf({ a: 'a' }));
      await runner.end(taken, PASSING);
      return [taken, pathOf((await keyOf(taken))!)] as const;
    };
    const [erased, erasedPath] = await again();
    await loom.call('POST', `/jobs/${erased.id}/erase`);
    expect([existsSync(erasedPath), (await shown(loom, erased))['artifacts']]).toEqual([false, []]);
    const [, lastPath] = await again();
    expect(await loom.call('DELETE', '/artifacts')).toMatchObject({ status: 202 });
    expect(existsSync(lastPath)).toBe(false);
  });

  it('that no row names are swept after an hour, and those that have one stay', async () => {
    const { job } = await left({ a: 'a' });
    const path = pathOf((await keyOf(job))!);
    // As a process leaves it that is killed between the file and its row.
    const orphan = await useCases().artifacts.receive(bytesOf('left behind'), 1_000);
    const fresh = await useCases().artifacts.receive(bytesOf('on its way'), 1_000);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const each of [path, pathOf(orphan.key)]) utimesSync(each, longAgo, longAgo);
    for (let part = 0; part < 256; part += 16) await useCases().artifacts.cleanUp();
    expect([path, pathOf(orphan.key), pathOf(fresh.key)].map((each) => existsSync(each))).toEqual([true, false, true]);
    await useCases().artifacts.withdraw(fresh);
  });

  it('are packed, sent, fetched and unpacked by `gatehouse runner`', async () => {
    const { loom, runner } = await project(`
build: { stage: build, script: [mkdir out, echo built > out/a.txt], artifacts: { paths: [out], reports: { junit: out/a.txt } } }
test: { script: cat out/a.txt }
`);
    const program = bashRunner({ url: writing.service.url, token: runner.token, folder: temporaryFolder() });
    const ended = program.execute();
    const jobs = async () => (await loom.call<Job[]>('GET', '/jobs')).body;
    try {
      await until(async () => (await jobs()).every(({ status }) => status === 'success'));
    } finally {
      program.stop();
      await ended;
    }
    const [build, test] = [...(await jobs())].sort((one, other) => one.id - other.id);
    expect(build!['artifacts']).toMatchObject([{ file_type: 'archive' }, { file_type: 'junit' }]);
    expect((await read(loom, `${build!.id}/artifacts/out/a.txt`)).bytes.toString()).toBe('built\n');
    expect((await read(loom, `${test!.id}/trace`)).bytes.toString()).toContain('\nbuilt\n');
  });

  describe('of somebody who is blocked', () => {
    /** A pipeline of theirs whose first job has left an archive, and whose second one runs. */
    const begun = async () => {
      const { loom, runner } = await project(`${ONE}\ntest: { stage: deploy, script: make }\n`);
      const keeper = await writing.service.addUser(`keeper-${loom.id}`);
      const admin = await writing.service.addUser(`root-${loom.id}`, { admin: true });
      await loom.addMember(keeper, 40);
      await runner.runAll();
      await loom.call('POST', '/pipeline', { ref: 'main' }, keeper);
      const build = await runner.takeNamed('build');
      await runner.leave(build, await zipOf({ a: 'a' }));
      await runner.end(build, PASSING);
      const block = () => writing.service.call('POST', `/users/${keeper.id}/block`, { token: admin.token });
      return { loom, runner, build, test: await runner.takeNamed('test'), block };
    };
    const fetched = async (asking: TakenJob, from: TakenJob) =>
      (await get(`/jobs/${from.id}/artifacts`, { 'JOB-TOKEN': asking.token })).status;

    it('are neither taken nor given to their jobs, which end', async () => {
      const { loom, runner, build, test, block } = await begun();
      expect(await fetched(test, build)).toBe(200);
      await block();
      expect(await runner.leave(test, await zipOf({ a: 'a' }))).toMatchObject({ status: 403, job: 'failed' });
      expect(await fetched(test, build)).toBe(403);
      expect(await shown(loom, test)).toMatchObject({ failure_reason: 'user_blocked', artifacts: [] });
    });

    it('are not taken where they came while that happened', async () => {
      const { loom, runner, test, block } = await begun();
      const { artifacts } = useCases();
      const receive = artifacts.receive.bind(artifacts);
      const spy = jest.spyOn(artifacts, 'receive').mockImplementationOnce(async (bytes, room) => {
        const file = await receive(bytes, room);
        await block();
        return file;
      });
      expect(await runner.leave(test, await zipOf({ a: 'a' }))).toMatchObject({ status: 403, job: 'failed' });
      const { key } = (await spy.mock.results[0]!.value) as { readonly key: string };
      spy.mockRestore();
      expect(existsSync(pathOf(key))).toBe(false);
      expect(await shown(loom, test)).toMatchObject({ failure_reason: 'user_blocked', artifacts: [] });
    });
  });

  describe('of an archived project', () => {
    it('are read, and neither sent nor removed', async () => {
      const { loom, runner, job } = await left({ a: 'a' });
      await loom.call('POST', `/jobs/${job.id}/retry`);
      const running = await runner.takeNamed('build');
      await loom.call('POST', '/archive');
      expect((await read(loom, `${job.id}/artifacts`)).status).toBe(200);
      expect(await runner.leave(running, await zipOf({ a: 'a' }))).toMatchObject({ status: 403, job: 'failed' });
      expect((await loom.call('DELETE', `/jobs/${job.id}/artifacts`)).status).toBe(403);
      expect((await loom.call('DELETE', '/artifacts')).status).toBe(403);
    });
  });
});

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** The first line of the answer to a form that is much too large: what follows its beginning is zeros, as long as they are taken. */
const fetchHead = (url: string, { id, token }: TakenJob, length: number | undefined): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
    const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    socket.write(
      `POST /api/v4/jobs/${id}/artifacts HTTP/1.1\r\nHost: x\r\nJOB-TOKEN: ${token}\r\n${size}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n',
    );
    const chunk = Buffer.alloc(1_048_576);
    const framed = (bytes: Buffer): Buffer =>
      length === undefined
        ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
        : bytes;
    let sent = 0;
    const push = (): void => {
      while (!socket.destroyed && sent < 150_000_000) {
        sent += chunk.length;
        if (!socket.write(framed(chunk))) return void socket.once('drain', push);
      }
    };
    socket.write(framed(Buffer.from(begin)));
    socket.once('data', (data: Buffer) => {
      resolve(data.toString().split('\r\n')[0]!);
      socket.destroy();
    });
    socket.once('error', reject);
    push();
  });
