import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MaskSecrets } from '../../src/adapters/outbound/ci-runner/mask-secrets.js';
import type { Runner } from '../../src/adapters/outbound/ci-runner/runner.js';
import { bashRunner } from '../support/bash-runner.js';
import { git, withGit } from '../support/git.js';
import { Installation } from '../support/installation.js';
import { RUNNER_TOKEN, RunnerServer } from '../support/runner-server.js';
import { until } from '../support/until.js';
import { filesIn, withSize, withText, zipOf, zipWithLink } from '../support/zips.js';

const QUICK = { askMs: 10, tellMs: 10, retryMs: 5, mostRetryMs: 20, giveUpMs: 10_000 };
const PASSWORD = 'glcbt-job-token-77';
const LINKING = ['+refs/heads/main:refs/remotes/origin/main'];
const JOB_TOKEN = /glcbt-job-token/;

interface Started {
  readonly runner: Runner;
  readonly said: string[];
  readonly ended: Promise<unknown>;
}

withGit('gatehouse runner', () => {
  let folder: string;
  let jobs: string;
  let sha: string;
  let linkingSha: string;
  let server: RunnerServer;
  let started: Started[] = [];
  let serial = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-runner-test-'));
    const work = join(folder, 'work');
    jobs = join(folder, 'jobs');
    mkdirSync(jobs);
    // What git is called with, as whoever lists processes would see it.
    mkdirSync(join(folder, 'bin'));
    const wrapper = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${folder}/calls'\nPATH="$\{PATH#*:}" exec git "$@"\n`;
    writeFileSync(join(folder, 'bin', 'git'), wrapper, { mode: 0o755 });
    await git(['init', '--quiet', work]);
    for (const text of ['one', 'two', 'three']) {
      await git(['-C', work, 'commit', '--quiet', '--allow-empty', '-m', text]);
    }
    await git(['-C', work, 'rm', '-r', '--quiet', '--ignore-unmatch', '.']);
    sha = (await git(['-C', work, 'rev-parse', 'HEAD'])).trim();
    await git(['clone', '--quiet', '--bare', work, join(folder, 'mill.git')]);
    const linking = join(folder, 'linking');
    await git(['init', '--quiet', '--initial-branch', 'main', linking]);
    symlinkSync(folder, join(linking, 'linked'));
    await git(['-C', linking, 'add', '.']);
    await git(['-C', linking, 'commit', '--quiet', '-m', 'link']);
    linkingSha = (await git(['-C', linking, 'rev-parse', 'HEAD'])).trim();
    await git(['clone', '--quiet', '--bare', linking, join(folder, 'linking.git')]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    server = await RunnerServer.start();
    server.repositories = { folder, password: PASSWORD };
    started = [];
  });

  const start = (concurrent = 1, token = RUNNER_TOKEN, cacheBytes = 2 ** 30): Started => {
    const said: string[] = [];
    const runner = bashRunner({
      ...{ url: server.url, token, folder, cacheBytes, concurrent },
      machine: { path: `${join(folder, 'bin')}:${process.env['PATH']!}`, home: folder, version: '0' },
      rhythm: QUICK,
      say: (line) => void said.push(line),
    });
    const ended = runner.execute().then(
      () => 'done',
      (error: unknown) => (error as Error).message,
    );
    const each = { runner, said, ended };
    started.push(each);
    return each;
  };
  const stop = async (): Promise<void> => {
    for (const { runner, ended } of started) {
      runner.stop();
      await ended;
    }
    started = [];
  };
  afterEach(async () => {
    await stop();
    await server.close();
    // Nothing of a job stays behind.
    expect(readdirSync(jobs)).toEqual([]);
  });

  const variable = (key: string, value: string, more: object = {}) => ({ key, value, public: false, ...more });
  /** Gives a job away, and answers its number. */
  const give = (script: readonly string[], more: Readonly<Record<string, unknown>> = {}): number => {
    const id = (serial += 1);
    server.give({
      id,
      token: PASSWORD,
      job_info: { id, name: 'test', stage: 'test', project_id: 1, project_full_path: 'works/mill' },
      git_info: {
        repo_url: join(folder, 'mill.git'),
        ref: 'main',
        sha,
        refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
        depth: 1,
      },
      runner_info: { timeout: 60 },
      variables: [],
      steps: [{ name: 'script', script, timeout: 60, when: 'on_success', allow_failure: false }],
      ...more,
    });
    return id;
  };
  const plainLog = (id: number): readonly string[] =>
    server
      .log(id)
      .replaceAll(/section_(?:start|end):\d+:\w+\r\u001b\[0K/g, '')
      .replaceAll(/\u001b\[[\d;]*m/g, '')
      .split('\n');

  it('runs a job in a fresh folder with its code, shows each command, and says that it succeeded', async () => {
    start();
    const id = give(['git log --format=%s', 'echo "in $PWD"; test "$PWD" = "$CI_PROJECT_DIR"', 'cat\ntrue']);
    expect(await server.ends(id)).toMatchObject({ state: 'success', token: PASSWORD });
    const log = server.log(id);
    expect(log).toMatch(/^Running with gatehouse runner 0\n/);
    expect(log).toMatch(/section_start:\d+:get_sources\r\u001b\[0K[^]*section_end:\d+:get_sources/);
    expect(log).toContain('\u001b[32;1m$ git log --format=%s\u001b[0;m\n');
    // No more of the past than was asked for.
    expect(plainLog(id)).toContain('three');
    expect(plainLog(id)).not.toContain('two');
    expect(plainLog(id)).toContain('$ cat # and more lines');
    expect(plainLog(id).slice(-2)).toEqual(['Job succeeded', '']);
    expect(log).toContain(`in ${jobs}/1/1/project`);
    const patches = server.requests.filter(({ method }) => method === 'PATCH');
    expect(patches.every(({ headers }) => headers['job-token'] === PASSWORD)).toBe(true);
  });

  it('stops at the first command that fails, in a pipe too, and tells its exit code; after_script runs all the same', async () => {
    start();
    const steps = [
      { name: 'script', script: ['(exit 7) | cat', 'echo unreached'], when: 'on_success', allow_failure: false },
      { name: 'after_script', script: ['echo "was $CI_JOB_STATUS"', 'false'], when: 'always', allow_failure: true },
    ];
    const id = give([], { steps });
    expect(await server.ends(id)).toMatchObject({ state: 'failed', failure_reason: 'script_failure', exit_code: 7 });
    const lines = plainLog(id);
    expect(lines).toContain('was failed');
    expect(lines).not.toContain('unreached');
    expect(lines.slice(-2)).toEqual(['ERROR: Job failed: exit code 7', '']);
    const unknown = give(['false'], { features: { failure_reasons: ['runner_system_failure'] } });
    expect(await server.ends(unknown)).toMatchObject({ failure_reason: 'unknown_failure', exit_code: 1 });
  });

  it('gives a job its variables, files by their paths, PATH and HOME, and nothing else of its own', async () => {
    process.env['SECRET_KEY'] = 'of-the-service';
    start();
    const variables = [
      variable('A', 'first'),
      variable('A', "it's $B"),
      variable('B', 'expanded'),
      variable('RAW', '$B', { raw: true }),
      variable('FILE', 'in a file\n', { file: true }),
      variable('not a name', 'x'),
    ];
    const id = give(
      [
        'echo "A=$A RAW=$RAW"',
        'cat "$FILE"; stat -c "mode %a" "$FILE" 2>/dev/null || stat -f "mode %Lp" "$FILE"',
        'env | cut -d= -f1 | LC_ALL=C sort | tr "\\n" " "',
      ],
      { variables },
    );
    expect(await server.ends(id)).toMatchObject({ state: 'success' });
    delete process.env['SECRET_KEY'];
    const lines = plainLog(id);
    expect(lines).toEqual(expect.arrayContaining(["A=it's expanded RAW=$B", 'in a file', 'mode 600']));
    const names = lines.find((line) => line.startsWith('A B '))?.split(' ');
    const bash = ['OLDPWD', 'PWD', 'SHLVL', '_', ''];
    expect(names?.filter((name) => !bash.includes(name))).toEqual([
      'A',
      'B',
      'CI_BUILDS_DIR',
      'CI_JOB_STATUS',
      'CI_PROJECT_DIR',
      'CI_RUNNER_VERSION',
      'FILE',
      'HOME',
      'PATH',
      'RAW',
    ]);
  });

  it('clones over HTTP with the password of the job, which is in no log, no command line and no file', async () => {
    const { said } = start();
    const url = new URL(`${server.url}/git/mill.git`);
    [url.username, url.password] = ['gitlab-ci-token', PASSWORD];
    const git_info = { repo_url: url.href, ref: 'main', sha, refspecs: ['+refs/heads/main:refs/x'], depth: 1 };
    const find = 'grep -r glcbt-job .git "$CI_BUILDS_DIR" --exclude-dir=scripts && exit 3; echo "none here"';
    const id = give(['git log --format=%s', find, 'git remote -v', `echo ${PASSWORD}`], { git_info });
    expect([await server.ends(id), server.log(id)]).toMatchObject([{ state: 'success' }, expect.any(String)]);
    expect(plainLog(id)).toEqual(expect.arrayContaining(['three', 'none here', '[MASKED]']));
    expect(server.log(id)).not.toMatch(JOB_TOKEN);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(/^remote add origin http:.*\/git\/mill\.git$/m);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toMatch(JOB_TOKEN);
    expect(said.join('\n')).not.toMatch(/glcbt|glrt/);
  });

  it('fails a job whose code it can’t get, for a reason of its own', async () => {
    start();
    const missing = give(['true'], {
      git_info: {
        repo_url: join(folder, 'none.git'),
        ref: 'main',
        sha,
        refspecs: ['+refs/heads/main:refs/x'],
        depth: 1,
      },
    });
    expect(await server.ends(missing)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
    expect(plainLog(missing).at(-2)).toMatch(/^ERROR: Job failed \(system failure\): git ended with exit code \d+$/);
    const hostile = give(['true'], {
      git_info: { repo_url: '--upload-pack=touch', ref: 'main', sha, refspecs: ['+refs/heads/main:refs/x'], depth: 1 },
    });
    expect(await server.ends(hostile)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
  });

  it('masks values wherever they are cut, and no other byte is changed', async () => {
    start();
    const variables = [
      variable('HUSH', 'abcdefgh', { masked: true }),
      variable('LONGER', 'abcdefgh-and-more', { masked: true }),
    ];
    const script = ['printf abcd; sleep 0.1; printf "efgh "; printf abcdefgh-a; sleep 0.1; echo nd-more abcdef'];
    const id = give(script, { variables });
    await server.ends(id);
    expect(plainLog(id)).toContain('[MASKED] [MASKED] abcdef');
    expect(server.log(id)).not.toContain('abcdefgh');
    const bytes = Buffer.from(Array.from({ length: 1_024 }, (_, at) => (at * 7) % 256));
    for (const size of [1, 2, 3, 5, 8, 1_024]) {
      const mask = new MaskSecrets(['aab', 'aabaab', 'ü-secret', '']);
      const text = Buffer.concat([Buffer.from('aaaabaaab aabaab aabaa ü-secret ü-secre'), bytes]);
      const pieces: Buffer[] = [];
      for (let at = 0; at < text.length; at += size) pieces.push(mask.push(text.subarray(at, at + size)));
      const expected = 'aa[MASKED]a[MASKED] [MASKED] [MASKED]aa [MASKED] ü-secre';
      expect(Buffer.concat([...pieces, mask.end()])).toEqual(Buffer.concat([Buffer.from(expected), bytes]));
    }
  });

  it('ends a job and all that it started when its time is over, and when it is canceled', async () => {
    start(2);
    const endless = (name: string) => [
      `(trap "" TERM; while :; do date +%s%N > ${join(folder, name)}; sleep 0.05; done) &`,
      'echo begun; wait',
    ];
    const late = give(endless('late'), { runner_info: { timeout: 5 } });
    const canceled = give(endless('canceled'));
    await server.says(canceled, 'begun');
    server.cancel(canceled);
    expect(await server.ends(late)).toMatchObject({ state: 'failed', failure_reason: 'job_execution_timeout' });
    expect(plainLog(late).at(-2)).toBe('ERROR: Job failed: it took longer than 5 seconds');
    const { said } = started[0]!;
    await until(async () => said.some((line) => line.includes(`Job ${canceled} `) && line.includes('ended, as')));
    const alive = () => ['late', 'canceled'].map((name) => readFileSync(join(folder, name), 'utf8'));
    const before = alive();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(alive()).toEqual(before);
  });

  it('keeps 4 MiB of a log, and its last line', async () => {
    start();
    const id = give(['head -c 6000000 /dev/zero | tr "\\0" x', 'exit 4']);
    expect(await server.ends(id)).toMatchObject({ state: 'failed', exit_code: 4 });
    const log = server.log(id);
    expect(log.length).toBeLessThan(4 * 1_048_576 + 1_000);
    expect(log).toMatch(/x\n\S*The log is longer than 4 MiB\.[^\n]*\n\S*ERROR: Job failed: exit code 4\S*\n$/);
  });

  it('tries again while the server is away, and goes on where the server is with the log', async () => {
    const { said } = start();
    let asked = 0;
    let ends = 0;
    server.trouble = ({ method, path, body }) => {
      asked += 1;
      if (path.endsWith('/verify')) return asked === 1 ? 'cut' : asked === 2 ? 503 : undefined;
      if (method === 'PATCH') return ([502, 'unanswered', 'cut'] as const)[asked % 4];
      // It isn't done with the log, then misses some of it.
      if (method === 'PUT' && !body.includes('"running"')) return [202, 412][(ends += 1) - 1];
      return undefined;
    };
    const id = give(['for number in $(seq 1 40); do echo "line $number"; sleep 0.01; done']);
    const update = await server.ends(id);
    const log = server.log(id);
    const bytesize = Buffer.byteLength(log);
    expect(update).toMatchObject({
      state: 'success',
      output: { bytesize, checksum: expect.stringMatching(/^crc32:/) },
    });
    expect(plainLog(id).filter((line) => line.startsWith('line '))).toHaveLength(40);
    expect(server.statuses).toContain(416);
    expect(said.slice(0, 3)).toEqual([
      ...['The server cannot be reached. Trying again.', 'The server is there again.', 'Waiting for jobs.'],
    ]);
  });

  it('tells how a job ended to a server that keeps less of its log', async () => {
    start();
    server.trouble = ({ method, body }) => (method === 'PATCH' && body.includes('too much') ? 413 : undefined);
    const id = give(['echo too much', 'sleep 0.2', 'exit 5']);
    expect(await server.ends(id)).toMatchObject({ state: 'failed', failure_reason: 'script_failure', exit_code: 5 });
  });

  it('runs what comes before the code, and no job whose hook fails', async () => {
    start();
    const hook = (script: readonly string[]) => ({
      hooks: [{ name: 'pre_get_sources_script', script }],
      variables: [variable('GREETING', 'Hello')],
    });
    const id = give(['git log --format=%s'], hook(['echo "$GREETING, $(ls -A | wc -l) files"']));
    expect(await server.ends(id)).toMatchObject({ state: 'success' });
    const log = plainLog(id);
    expect(log.indexOf('Hello, 0 files')).toBeGreaterThan(0);
    expect(log.indexOf('Getting the code')).toBeGreaterThan(log.indexOf('Hello, 0 files'));
    const failing = give(['echo done'], hook(['exit 7']));
    expect(await server.ends(failing)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
    expect(plainLog(failing).slice(-2)[0]).toContain('pre_get_sources_script ended with exit code 7');
    expect(plainLog(failing)).not.toContain('done');
  });

  describe('makes the release that a job asks for', () => {
    const said = (release: object, when = 'on_success') => ({ name: 'release', script: ['false'], when, release });
    const steps = (script: readonly string[], release: object) => ({
      steps: [
        { name: 'script', script, when: 'on_success' },
        said(release),
        { name: 'after_script', script: ['echo after'], when: 'always', allow_failure: true },
      ],
    });
    const isRelease = (path: string): boolean => path === '/api/v4/projects/1/releases';
    const told = () => {
      const found = server.requests.filter(({ path }) => isRelease(path));
      return found.map(({ headers, body }) => [headers['job-token'], JSON.parse(body.toString()) as object]);
    };
    const answering = (answer: number | { readonly status: number; readonly body: string } | 'cut') => {
      server.trouble = ({ path }) => (isRelease(path) ? answer : undefined);
    };

    it('with its variables put in, and with what a file of the job says', async () => {
      answering(201);
      start();
      const release = {
        ...{ tag_name: 'v$MAJOR.0', name: null, description: 'notes/$MAJOR.md', ref: '$NOWHERE' },
        assets: { links: [{ name: 'Guide $MAJOR', url: 'https://example.com/$MAJOR', link_type: 'runbook' }] },
      };
      const id = give([], {
        ...steps(['mkdir notes', 'echo "It **works**" > notes/3.md'], release),
        variables: [variable('MAJOR', '3')],
      });
      expect(await server.ends(id)).toMatchObject({ state: 'success' });
      expect(told()).toEqual([
        [
          PASSWORD,
          {
            ...{ tag_name: 'v3.0', description: 'It **works**\n', ref: sha },
            assets: { links: [{ name: 'Guide 3', url: 'https://example.com/3', link_type: 'runbook' }] },
          },
        ],
      ]);
      expect(plainLog(id)).toEqual(expect.arrayContaining(['Making the release', 'It was made.', 'after']));
    });

    it('once it has succeeded alone, and fails where there is none', async () => {
      answering({ status: 409, body: '{"message":"Release already exists"}' });
      start();
      const release = { tag_name: 'v1', description: 'One' };
      const failing = give([], steps(['exit 3'], release));
      expect(await server.ends(failing)).toMatchObject({ failure_reason: 'script_failure', exit_code: 3 });
      expect(told()).toEqual([]);
      const refused = give([], steps(['true'], release));
      expect(await server.ends(refused)).toMatchObject({ state: 'failed', failure_reason: 'script_failure' });
      expect(plainLog(refused)).toContain('It was not made: Release already exists');
      expect(plainLog(refused)).toContain('after');
    });

    it('though the answer to the first try was lost', async () => {
      let tries = 0;
      server.trouble = ({ path }) => (isRelease(path) ? ((tries += 1) === 1 ? 'cut' : 409) : undefined);
      start();
      const id = give([], steps(['true'], { tag_name: 'v1', description: 'One' }));
      expect(await server.ends(id)).toMatchObject({ state: 'success' });
      expect(tries).toBe(2);
    });

    it('and none that would tell what logs hide', async () => {
      answering(201);
      start();
      const id = give([], {
        ...steps(['true'], { tag_name: 'v1', description: 'Fix $DEPLOY_KEY' }),
        variables: [variable('DEPLOY_KEY', 's3cr3t-value', { masked: true })],
      });
      expect(await server.ends(id)).toMatchObject({ state: 'failed', failure_reason: 'script_failure' });
      expect(told()).toEqual([]);
      expect(server.log(id)).toContain('its texts hold a masked value');
    });

    it('and reads no file outside its folder, nor one that is too large', async () => {
      answering(201);
      start();
      writeFileSync(join(folder, 'secret.md'), 'secret');
      const linked = give(
        [],
        steps([`ln -s '${folder}/secret.md' notes.md`], { tag_name: 'v1', description: 'notes.md' }),
      );
      expect(await server.ends(linked)).toMatchObject({ state: 'success' });
      expect(told()).toMatchObject([[PASSWORD, { description: 'notes.md' }]]);
      const large = give(
        [],
        steps(['head -c 500001 /dev/zero > notes.md'], { tag_name: 'v1', description: 'notes.md' }),
      );
      expect(await server.ends(large)).toMatchObject({ state: 'failed' });
      expect(plainLog(large)).toContain('It was not made: notes.md is too large to describe a release');
    });
  });

  it('lives while a job says nothing, as the server hears', async () => {
    start();
    const id = give([`while ! test -e ${join(folder, 'go')}; do sleep 0.02; done`]);
    await until(async () => server.heard(id) > 3);
    await git(['init', '--quiet', join(folder, 'go')]);
    expect(await server.ends(id)).toMatchObject({ state: 'success' });
  });

  it('takes as many jobs at once as it was told', async () => {
    start(2);
    const meet = (own: string, other: string) => [
      `touch ${join(folder, own)}; while ! test -e ${join(folder, other)}; do sleep 0.02; done`,
    ];
    const [one, two] = [give(meet('a', 'b')), give(meet('b', 'a'))];
    expect(await server.ends(one)).toMatchObject({ state: 'success' });
    expect(await server.ends(two)).toMatchObject({ state: 'success' });
  });

  it('takes no more jobs once it is asked to stop, and waits; asked again, it ends them as failed', async () => {
    const first = start();
    const waited = give(['echo begun; sleep 0.3; echo waited']);
    await server.says(waited, 'begun');
    first.runner.stop();
    const left = give(['true']);
    expect([await first.ended, await server.ends(waited)]).toMatchObject(['done', { state: 'success' }]);
    expect(server.log(left)).toBe('');
    const second = start();
    await server.ends(left);
    const ended = give(['echo begun; sleep 60']);
    await server.says(ended, 'begun');
    second.runner.stop();
    second.runner.stop();
    expect(await second.ended).toBe('One running job was ended, and counted as failed.');
    expect(await server.ends(ended)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
    expect(plainLog(ended).at(-2)).toBe('ERROR: Job failed (system failure): the runner was stopped');
  });

  describe('of files that jobs leave', () => {
    const archive = (fields: object) => ({
      artifacts: [{ artifact_type: 'archive', artifact_format: 'zip', when: 'on_success', ...fields }],
    });
    const after = (...archives: readonly Buffer[]) => {
      const dependencies = archives.map((content, index) => {
        const id = 900_000 + serial * 10 + index;
        server.archives.set(id, content);
        return { id, name: `before ${index}`, token: PASSWORD, artifacts_file: { filename: 'a.zip', size: 1 } };
      });
      return { dependencies };
    };

    it('sends those that its patterns ask for, and nothing from outside the folder of the job', async () => {
      start();
      writeFileSync(join(folder, 'outside'), 'outside');
      const script = [
        'mkdir -p out/deep/er logs',
        'echo 1 > out/one.txt; echo 2 > out/deep/two.txt; echo o > out/deep/er/x.o; chmod +x out/one.txt',
        'echo l > logs/a.log; echo n > not-asked; echo b > "b c.bin"',
        `ln -s ${folder}/outside out/escape; ln -s deep/two.txt out/inside; ln -s .. out/up`,
      ];
      const paths = ['out/', '$LOGS/**/*.log', '{a,b}*.bin', 'none/*', '../outside', `${folder}/outside`, './.git'];
      const wanted = { paths, exclude: ['**/*.o'], name: 'of-$CI_JOB_NAME', expire_in: '1 week' };
      const variables = [variable('LOGS', 'logs'), variable('CI_JOB_NAME', 'mill')];
      const id = give(script, { ...archive(wanted), variables });
      expect(await server.ends(id)).toMatchObject({ state: 'success' });
      const [{ name, said, content, jobId }] = server.left as [(typeof server.left)[0]];
      expect([jobId, name, said]).toEqual([
        id,
        'of-mill.zip',
        { artifact_type: 'archive', artifact_format: 'zip', expire_in: '1 week' },
      ]);
      expect(await filesIn(content)).toEqual({
        ...{ 'b c.bin': 'b\n', 'logs/a.log': 'l\n', 'out/deep/two.txt': '2\n', 'out/inside': '2\n' },
        'out/one.txt': '1\n',
      });
      const log = plainLog(id);
      expect(log).toContain('Uploading artifacts...');
      for (const path of ['none/*', '../outside', `${folder}/outside`])
        expect(log).toContain(`${path}: no files found in the folder of the job.`);
      expect(log).toContain('2 links are left out: they lead to no file here.');
    });

    it('sends what git does not know, and reports whatever became of the job', async () => {
      start();
      const junit = { name: 'junit.xml', paths: ['r*.xml'], when: 'always' };
      const artifacts = [
        { paths: [], untracked: true, when: 'on_failure', artifact_type: 'archive', artifact_format: 'zip' },
        { ...junit, artifact_type: 'junit', artifact_format: 'gzip' },
        { paths: ['quality.json'], when: 'always', artifact_type: 'codequality', artifact_format: 'raw' },
        { paths: ['r1.xml'], when: 'on_success', artifact_type: 'metadata', artifact_format: 'gzip' },
      ];
      const id = give(['printf 1 > r1.xml; printf "" > r2.xml; echo 3 > r3.xml; echo "{}" > quality.json', 'exit 3'], {
        artifacts,
      });
      expect(await server.ends(id)).toMatchObject({ state: 'failed', failure_reason: 'script_failure', exit_code: 3 });
      const [whole, report, quality, ...others] = server.left;
      expect(others).toEqual([]);
      expect(await filesIn(whole!.content)).toEqual({
        'quality.json': '{}\n',
        'r1.xml': '1',
        'r2.xml': '',
        'r3.xml': '3\n',
      });
      expect([report!.name, gunzipSync(report!.content).toString()]).toEqual(['junit.xml.gz', '1\n\n3\n']);
      expect([quality!.name, quality!.content.toString()]).toEqual(['quality.json', '{}\n']);
    });

    it('tries again while the server can not take them, and fails the job where it does not', async () => {
      start();
      let tries = 0;
      const isSending = (path: string): boolean => path.includes('/artifacts');
      server.trouble = ({ path }) => (isSending(path) && (tries += 1) < 3 ? 503 : undefined);
      const late = give(['echo a > a'], archive({ paths: ['a'] }));
      expect(await server.ends(late)).toMatchObject({ state: 'success' });
      expect(server.left).toHaveLength(1);
      server.trouble = ({ path }) => (isSending(path) ? 413 : undefined);
      const large = give(['echo a > a'], archive({ paths: ['a'] }));
      expect(await server.ends(large)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
      expect(server.log(large)).toContain('they are too large for the server');
      for (const [body, said] of [
        [
          JSON.stringify({ message: '400 Bad request - \u001b[31mInvalid Format' }),
          '(400 Bad request -  [31mInvalid Format).',
        ],
        [JSON.stringify({ message: `m${'o'.repeat(2_000)}re` }), ` (m${'o'.repeat(1_023)}).`],
        [JSON.stringify({ message: 'x'.repeat(1_000_000) }), 'the server answered 400.'],
        ['<html>', 'the server answered 400.'],
      ] as const) {
        server.trouble = ({ path }) => (isSending(path) ? { status: 400, body } : undefined);
        const refused = give(['echo a > a'], archive({ paths: ['a'] }));
        await server.ends(refused);
        expect(server.log(refused)).toContain(said);
      }
      server.trouble = ({ path }) => (isSending(path) ? 'cut' : undefined);
      const failing = give(['exit 4'], archive({ paths: ['.'], when: 'always' }));
      expect(await server.ends(failing)).toMatchObject({ failure_reason: 'script_failure', exit_code: 4 });
    });

    it('unpacks what jobs before left before its own job begins; what is gone is left out', async () => {
      start();
      const before = after(await zipOf({ 'out/a b.txt': 'A', top: 'T' }), await zipOf({ 'out/c': 'C' }));
      const gone = { ...before.dependencies[0], id: 1, name: 'gone' };
      const id = give(['cat "out/a b.txt" out/c top'], { dependencies: [...before.dependencies, gone] });
      expect(await server.ends(id)).toMatchObject({ state: 'success' });
      expect(plainLog(id)).toContain('ACT');
      expect(plainLog(id)).toContain('They are gone: the job goes on without them.');
    });

    it('writes nothing outside the folder of the job, whatever an archive says', async () => {
      start();
      const refused = async (zip: Buffer, why: RegExp, script = ['echo unreached']) => {
        const id = give(script, after(zip));
        expect(await server.ends(id)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
        expect(server.log(id)).toMatch(why);
      };
      const slip = await zipOf({ 'aa/aa/slipped': 'slipped' });
      await refused(withText(slip, 'aa/aa/slipped', '../../slipped'), /list can not be read/);
      await refused(withText(slip, 'aa/aa/slipped', '/tmp//slipped'), /list can not be read/);
      const zeros = await zipOf({ a: '0123456789', zeros: Buffer.alloc(5_000_000) });
      await refused(withSize(zeros, 4_294_967_290), /more than 4 GiB unpacked/);
      await refused(withSize(zeros, 10), /too many bytes/);
      await refused(Buffer.from('no zip'), /It is no zip/);
      expect(existsSync(join(jobs, 'slipped'))).toBe(false);
      // Links are left out, and what is written beside them stays where it belongs.
      const linked = give(['test ! -e out && cat out-beside'], after(await zipWithLink('out', folder)));
      expect(await server.ends(linked)).toMatchObject({ state: 'success' });
      const hook = give(['test ! -e .git/hooks/x'], after(await zipOf({ '.git/hooks/x': 'x', b: 'b' })));
      expect(await server.ends(hook)).toMatchObject({ state: 'success' });
    });

    it('does not follow links that are in the code', async () => {
      start();
      const id = give(['true'], {
        ...after(await zipOf({ 'linked/evil': 'evil' })),
        git_info: { repo_url: join(folder, 'linking.git'), ref: 'main', sha: linkingSha, refspecs: LINKING, depth: 1 },
      });
      expect(await server.ends(id)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
      expect(server.log(id)).toContain('linked is no folder here');
      expect(existsSync(join(folder, 'evil'))).toBe(false);
    });
  });

  describe('of caches', () => {
    const cache = (fields: object, projectId = 1) => {
      const info = { id: 1, name: 'test', stage: 'test', project_id: projectId, project_full_path: 'works/mill' };
      return { cache: [{ key: `mill-${serial}`, paths: ['kept/'], ...fields }], job_info: info };
    };
    const passes = async (script: readonly string[], more: Readonly<Record<string, unknown>>): Promise<number> => {
      const id = give(script, more);
      expect(await server.ends(id)).toMatchObject({ state: 'success' });
      return id;
    };

    it('keeps files for the jobs that come as they were, with links, rights and times, where the job before had them', async () => {
      start();
      const of = cache({ key: '$CI_JOB_NAME key', paths: ['kept/', '$DIR/*.txt', '../outside', 'none'] });
      const more = { ...of, variables: [variable('CI_JOB_NAME', 'test'), variable('DIR', 'logs')] };
      const first = await passes(
        [
          'mkdir -p kept/.bin kept/tool/lib logs; echo "echo ran" > kept/tool/run; chmod +x kept/tool/run',
          'ln -s ../tool/run kept/.bin/run; ln -s tool kept/alias; ln -s "$PWD/kept" kept/self; touch -d @1000000000 kept/tool/lib/-old',
          'echo text > logs/a.txt; echo none > logs/a.log; mkdir -p "kept/wide Ω"; echo new > "kept/wide Ω/a b"',
        ],
        more,
      );
      expect(plainLog(first)).toContain('There is no cache test key.');
      expect(plainLog(first)).toContain('none: no files found in the folder of the job.');
      const second = await passes(
        [
          'kept/.bin/run; readlink kept/alias; test -x kept/self/tool/run; stat -c %Y kept/tool/lib/-old',
          'cat logs/a.txt "kept/wide Ω/a b"; test ! -e logs/a.log',
        ],
        more,
      );
      expect(plainLog(second)).toEqual(expect.arrayContaining(['ran', 'tool', '1000000000', 'text', 'new']));
      expect(plainLog(second)).toContain('Restored the cache test key.');
      // Neither other projects nor other keys have it.
      await passes(['test ! -e kept'], { ...more, ...cache({ key: 'test key' }, 2) });
      await passes(['test ! -e kept'], { ...more, ...cache({ key: 'test' }) });
    });

    it('brings and keeps what its policy and its outcome say, and goes by other keys where there is none by its own', async () => {
      start();
      const [main, general] = ['main-protected', 'general-protected'];
      await passes(['mkdir kept; echo main > kept/a'], cache({ key: main }));
      await passes(['test ! -e kept; mkdir kept; echo pushed > kept/a'], cache({ key: main, policy: 'push' }));
      await passes(['cat kept/a; echo pulled > kept/a'], cache({ key: main, policy: 'pull' }));
      const failed = give(['cat kept/a; echo failed > kept/a; false'], cache({ key: main }));
      expect(await server.ends(failed)).toMatchObject({ state: 'failed', failure_reason: 'script_failure' });
      expect(plainLog(failed)).toContain('pushed');
      const onFailure = give(['echo failed > kept/a; false'], cache({ key: main, when: 'on_failure' }));
      expect(await server.ends(onFailure)).toMatchObject({ state: 'failed' });
      const other = await passes(
        ['cat kept/a'],
        cache({ key: 'topic-protected', fallback_keys: ['none', main], policy: 'pull' }),
      );
      expect(plainLog(other)).toEqual(expect.arrayContaining(['failed', `Restored the cache ${main}.`]));
      await passes(['mkdir kept; echo general > kept/a'], cache({ key: general, when: 'always' }));
      const variables = [variable('CACHE_FALLBACK_KEY', 'general'), variable('POLICY', 'pull')];
      const last = await passes(['cat kept/a'], { ...cache({ key: 'new-protected', policy: '$POLICY' }), variables });
      expect(plainLog(last)).toEqual(expect.arrayContaining(['general', `Restored the cache ${general}.`]));
      expect(plainLog(last).join('\n')).not.toContain('Kept the cache');
      for (const name of ['general', general])
        await passes(['test ! -e kept'], {
          ...cache({ key: 'new-non_protected', policy: 'pull' }),
          variables: [variable('CACHE_FALLBACK_KEY', name)],
        });
    });

    it('keeps what git does not know with all that is in it, and empty folders', async () => {
      start();
      const of = cache({ key: 'untracked', paths: ['empty/'], untracked: true });
      await passes(
        ['mkdir -p empty/inner nested new; echo a > empty/a; git init -q nested; echo n > nested/n; echo x > new/x'],
        of,
      );
      await passes(['test -d empty/inner; test -d nested/.git; cat nested/n new/x empty/a'], of);
      const none = { ...of, variables: [variable('GIT_STRATEGY', 'none')] };
      expect(plainLog(await passes(['test -d empty; ls -A'], none))).not.toContain('tar ended with');
    });

    it('writes nothing outside the folder of the job, wherever links in the code lead', async () => {
      start();
      await passes(['mkdir linked; echo evil > linked/evil'], cache({ key: 'links', paths: ['linked/evil'] }));
      await passes(['cat linked/evil; test ! -L linked'], {
        ...cache({ key: 'links', paths: ['linked/evil'], policy: 'pull' }),
        git_info: { repo_url: join(folder, 'linking.git'), ref: 'main', sha: linkingSha, refspecs: LINKING, depth: 1 },
      });
      expect(existsSync(join(folder, 'evil'))).toBe(false);
    });

    it('lets a job go on without a cache that is broken, empty, or larger than is kept', async () => {
      start(1, RUNNER_TOKEN, 100_000);
      await passes(['mkdir kept; echo a > kept/a'], cache({ key: 'broken' }));
      for (const name of readdirSync(join(folder, 'caches'), { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('.tar')) writeFileSync(join(folder, 'caches', name), 'no tar');
      const broken = await passes(['test ! -e kept'], cache({ key: 'broken' }));
      expect(plainLog(broken)).toContain(
        'The cache broken is removed: a part of it, at most, was restored. tar ended with exit code 2.',
      );
      expect(plainLog(await passes(['true'], cache({ key: 'broken' })))).toContain('There is no cache broken.');
      expect(plainLog(broken)).toContain('There is nothing to keep in the cache broken.');
      const large = await passes(['mkdir kept; head -c 200000 /dev/zero > kept/a'], cache({ key: 'large' }));
      expect(plainLog(large)).toContain('The cache large (1 file, 0.2 MiB) is larger than this runner keeps.');
      await passes(['test ! -e kept'], cache({ key: 'large' }));
      await stop();
      start(1, RUNNER_TOKEN, 0);
      const off = await passes(['mkdir kept; echo a > kept/a'], cache({ key: 'off' }));
      expect(plainLog(off).join('\n')).not.toContain('cache');
    });
  });

  describe('of submodules', () => {
    it('fetches them where the job asks for it, with the password of the job and those of submodules', async () => {
      start();
      const bare = async (name: string, ...modules: string[]) => {
        const work = join(folder, `${name}-work`);
        await git(['init', '--quiet', '--initial-branch', 'main', work]);
        writeFileSync(join(work, `${name}.txt`), `${name}\n`);
        for (const module of modules)
          await git([
            ...['-C', work, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'],
            ...[`../${module}.git`, module],
          ]);
        await git(['-C', work, 'add', '.']);
        await git(['-C', work, 'commit', '--quiet', '-m', name]);
        await git(['clone', '--quiet', '--bare', work, join(folder, `${name}.git`)]);
        return (await git(['-C', work, 'rev-parse', 'HEAD'])).trim();
      };
      await bare('innermost');
      await bare('inner', 'innermost');
      const outer = await bare('outer', 'inner');
      const url = server.url.replace('://', `://gitlab-ci-token:${PASSWORD}@`);
      const source = { repo_url: `${url}/git/outer.git`, ref: 'main', sha: outer, refspecs: LINKING, depth: 1 };
      const shows = async (strategy: string, ...shown: string[]) => {
        const variables = [variable('GIT_SUBMODULE_STRATEGY', strategy), variable('GIT_SUBMODULE_DEPTH', '1')];
        const id = give(['find . -name "*.txt" | sort'], { git_info: source, variables });
        expect(await server.ends(id)).toMatchObject({ state: 'success' });
        expect(plainLog(id).filter((line) => line.startsWith('./'))).toEqual(shown);
        expect(server.log(id)).not.toMatch(JOB_TOKEN);
      };
      await shows('none', './outer.txt');
      await shows('normal', './inner/inner.txt', './outer.txt');
      await shows('recursive', './inner/inner.txt', './inner/innermost/innermost.txt', './outer.txt');
      const broken = give(['true'], { git_info: source, variables: [variable('GIT_SUBMODULE_STRATEGY', 'all')] });
      expect(await server.ends(broken)).toMatchObject({ failure_reason: 'runner_system_failure' });
      expect(server.log(broken)).toContain('GIT_SUBMODULE_STRATEGY is none of');
    });

    it('takes as much of their past as of the code, those of some paths alone, and by HTTP what is addressed by SSH', async () => {
      start();
      const inner = join(folder, 'deep-work');
      await git(['init', '--quiet', '--initial-branch', 'main', inner]);
      for (const text of ['one', 'two', 'three'])
        await git(['-C', inner, 'commit', '--quiet', '--allow-empty', '-m', text]);
      await git(['clone', '--quiet', '--bare', inner, join(folder, 'deep.git')]);
      const work = join(folder, 'wide-work');
      await git(['init', '--quiet', '--initial-branch', 'main', work]);
      for (const name of ['a', 'b']) {
        await git(['-C', work, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../deep.git', name]);
        await git(['-C', work, 'config', '-f', '.gitmodules', `submodule.${name}.url`, 'git@127.0.0.1:git/deep.git']);
      }
      await git(['-C', work, 'add', '.']);
      await git(['-C', work, 'commit', '--quiet', '-m', 'Wide']);
      await git(['clone', '--quiet', '--bare', work, join(folder, 'wide.git')]);
      const sha = (await git(['-C', work, 'rev-parse', 'HEAD'])).trim();
      const url = server.url.replace('://', `://gitlab-ci-token:${PASSWORD}@`);
      const shows = async (depth: number, variables: Readonly<Record<string, string>>, ...shown: string[]) => {
        const all = { GIT_SUBMODULE_STRATEGY: 'normal', GIT_SUBMODULE_FORCE_HTTPS: 'true', ...variables };
        const id = give(['for each in a b; do echo "$each: $(git -C $each rev-list --count HEAD)"; done'], {
          git_info: { repo_url: `${url}/git/wide.git`, ref: 'main', sha, refspecs: LINKING, depth },
          variables: Object.entries(all).map(([key, value]) => variable(key, value)),
        });
        expect(await server.ends(id)).toMatchObject({ state: 'success' });
        expect(plainLog(id).filter((line) => /^[ab]: /.test(line))).toEqual(shown);
      };
      await shows(0, {}, 'a: 3', 'b: 3');
      await shows(1, {}, 'a: 1', 'b: 1');
      await shows(1, { GIT_SUBMODULE_DEPTH: '2' }, 'a: 2', 'b: 2');
      // A folder without code of its own is of the code around it.
      await shows(1, { GIT_SUBMODULE_PATHS: 'a :(exclude)b', GIT_SUBMODULE_DEPTH: '2' }, 'a: 2', 'b: 1');
    });
  });

  describe('as a command', () => {
    const installation = new Installation();
    afterAll(() => installation.remove());
    const run = (...parameters: string[]) => installation.run(['runner', ...parameters]);

    it('needs an address and a token, and refuses a token that the server doesn’t know', async () => {
      const [help, none, wrong, many, caches, refused] = await Promise.all([
        run('--help'),
        run('--url', server.url),
        run('--url', 'nowhere', '--token', 'x'),
        run('--url', server.url, '--token', 'x', '--concurrent', '0'),
        run('--url', server.url, '--token', 'x', '--cache-gib', 'many'),
        run('--url', server.url, '--token', 'x', '--folder', folder),
      ]);
      expect([help.code, help.stdout.match(/\(required\)/g)]).toEqual([0, ['(required)', '(required)']]);
      for (const { code, stderr } of [none, wrong, many, caches])
        expect([code, stderr]).toEqual([2, expect.stringContaining('Usage:')]);
      const sentence = 'gatehouse: The server does not take the token of this runner.\n';
      expect(refused).toEqual({ code: 1, stdout: '', stderr: sentence });
      expect((await installation.run(['--help'])).stdout).toContain('runner ');
    });

    it('runs jobs until SIGTERM, and hides its token from those who list processes', async () => {
      const program = installation.start([
        'runner',
        '--url',
        server.url,
        '--token',
        RUNNER_TOKEN,
        '--concurrent',
        '2',
        '--folder',
        folder,
      ]);
      await program.prints(/Waiting for jobs\./);
      const listed = `/proc/${program.pid}/cmdline`;
      if (existsSync(listed)) expect(readFileSync(listed, 'utf8')).not.toContain('glrt');
      program.signal('SIGTERM');
      expect(await program.outcome()).toEqual({ code: 0, stdout: 'Waiting for jobs.\n', stderr: '' });
    });

    it('goes on in the folders of a runner that was killed, and leaves nothing of them', async () => {
      const options = ['runner', '--url', server.url, '--token', RUNNER_TOKEN, '--folder', folder];
      const killed = installation.start(options);
      const first = give(['echo "in $PWD"; touch left', 'sleep 2']);
      await server.says(first, `in ${jobs}/1/1/project`);
      killed.signal('SIGKILL');
      await killed.outcome();
      const next = installation.start(options);
      const second = give(['echo "in $PWD"; test ! -e left']);
      expect(await server.ends(second)).toMatchObject({ state: 'success' });
      expect(server.log(second)).toContain(`in ${jobs}/1/1/project`);
      next.signal('SIGTERM');
      expect(await next.outcome()).toMatchObject({ code: 0 });
    });
  });
});
