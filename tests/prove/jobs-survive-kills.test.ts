import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { CheckStatus } from '../../src/domain/pipelines/commit-status.js';
import { statusOfAll } from '../../src/domain/pipelines/pipeline.js';
import { describeDatabase, describeEachDatabase } from '../support/databases.js';
import { removeFolder, temporaryFolder, withGit } from '../support/git.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { installWithToken, kill, VICTIMS } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';
import { StubbornRunner, type Acknowledged } from '../support/stubborn-runner.js';
import { until } from '../support/until.js';
import { filesIn, zipOf } from '../support/zips.js';

/** Each is one kill. */
const ROUNDS = Number(process.env['GATEHOUSE_KILL_ROUNDS'] ?? '40');
const LONGEST_LIFE_MS = 1_500;
const RUNNERS = 6;
/** What a process that was killed had begun is begun anew after three minutes. */
const SETTLING_MS = 360_000;
const PROJECT = '/projects/root%2Fengine';
const CI = `
workflow: { auto_cancel: { on_new_commit: none } }
build: { stage: build, script: make, parallel: 3, artifacts: { paths: [file] } }
test: { stage: test, script: make test, parallel: 2 }
`;

interface Job {
  readonly id: number;
  readonly status: CheckStatus;
  readonly pipeline: { readonly id: number };
}

interface Pipeline {
  readonly id: number;
  readonly sha: string;
  readonly status: string;
}

withGit('jobs under kills', () => {
  const survive = async (database: string, nodes: number): Promise<void> => {
    const [repositories, artifacts] = [temporaryFolder(), temporaryFolder()];
    const settings = {
      ...{ DATABASE_URL: database, SECRET_KEY: randomBytes(32).toString('base64'), RATE_LIMIT_API: 'off' },
      ...{ REPOSITORIES_DIR: repositories, ARTIFACTS_DIR: artifacts },
    };
    const headers = { 'PRIVATE-TOKEN': await installWithToken(settings), 'Content-Type': 'application/json' };
    const startNode = () => ServiceProcess.start(settings, { onLog: () => undefined });
    const services = await Promise.all(Array.from({ length: nodes }, startNode));
    let asked = 0;
    const anyUrl = (): string => services[(asked += 1) % nodes]!.url;

    /** Undefined where nobody answered. */
    const call = async <Body>(method: string, path: string, json?: object) => {
      try {
        const body = json === undefined ? {} : { body: JSON.stringify(json) };
        const response = await fetch(`${anyUrl()}/api/v4${path}`, { method, headers, ...body });
        return { status: response.status, body: (await response.json()) as Body };
      } catch {
        return undefined;
      }
    };
    const read = async (path: string): Promise<Buffer> => {
      const response = await fetch(`${anyUrl()}/api/v4${PROJECT}${path}`, { headers });
      return Buffer.from(await response.arrayBuffer());
    };
    const all = async <Item>(path: string): Promise<Item[]> => {
      const items: Item[] = [];
      for (let page = 1; ; page += 1) {
        const few = await call<Item[]>('GET', `${PROJECT}${path}per_page=100&page=${page}`);
        items.push(...few!.body);
        if (few!.body.length < 100) return items;
      }
    };

    expect((await call('POST', '/projects', { name: 'engine' }))?.status).toBe(201);
    const made = await call<{ token: string }>('POST', '/user/runners', {
      ...{ runner_type: 'instance_type', run_untagged: true },
    });
    const commits: string[] = [];
    const commit = async (path: string, content: string): Promise<void> => {
      const answer = await call<{ id: string }>('POST', `${PROJECT}/repository/commits`, {
        ...{ branch: 'main', commit_message: path, actions: [{ action: 'create', file_path: path, content }] },
      });
      if (answer?.status === 201) commits.push(answer.body.id);
    };
    await commit('.gitlab-ci.yml', CI);

    const acknowledged: Acknowledged = { given: [], logs: new Map(), files: new Map(), done: new Set() };
    let over = false;
    const pack = (id: number) => zipOf({ file: String(id) });
    const ends = () => over;
    const parts = { url: anyUrl, token: made!.body.token, acknowledged, ends, pack };
    const runners = Array.from({ length: RUNNERS }, () => new StubbornRunner(parts).execute());
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [index, { running }] of services.entries()) if (!running) services[index] = await startNode();
      const writing = commit(`file-${round}`, 'one\n');
      await sleep((LONGEST_LIFE_MS * ((round % 10) + 1)) / 10);
      await kill(services[round % nodes]!, round % 5 === 0 ? VICTIMS[(round / 5) % VICTIMS.length]! : 'service');
      await writing;
    }
    for (const [index, { running }] of services.entries()) if (!running) services[index] = await startNode();

    // One that was given to nobody who heard of it runs on until its runner is given up; what comes after it waits.
    const heard = () => new Set(acknowledged.given);
    const isOver = ({ id, status }: Job): boolean =>
      !['pending', 'running'].includes(status) || (status === 'running' && !heard().has(id));
    const without = (pipelines: readonly Pipeline[]) =>
      commits.filter((id) => !pipelines.some(({ sha }) => sha === id));
    // Those of commits that nobody was told of are there, too.
    await until(
      async () => without(await all<Pipeline>('/pipelines?')).length === 0 && (await all<Job>('/jobs?')).every(isOver),
      SETTLING_MS,
    );
    over = true;
    await Promise.all(runners);

    const [pipelines, jobs] = [await all<Pipeline>('/pipelines?'), await all<Job>('/jobs?')];
    const orphans = jobs.filter(({ id, status }) => status === 'running' && !heard().has(id));
    const { given, logs, files, done } = acknowledged;
    const counts = { commits: commits.length, pipelines: pipelines.length, jobs: jobs.length, given: given.length };
    process.stdout.write(`${JSON.stringify({ ...counts, done: done.size, orphans: orphans.length })}\n`);
    expect(done.size).toBeGreaterThan(ROUNDS / 2);
    // Each commit has one pipeline, and each job had one runner.
    expect(new Set(pipelines.map(({ sha }) => sha)).size).toBe(pipelines.length);
    expect(without(pipelines)).toEqual([]);
    expect(new Set(given).size).toBe(given.length);
    const statuses = new Map(jobs.map(({ id, status }) => [id, status]));
    expect([...done].filter((id) => statuses.get(id) !== 'success')).toEqual([]);
    for (const { id, status } of pipelines) {
      const own = jobs.filter(({ pipeline }) => pipeline.id === id);
      expect([id, status]).toEqual([id, statusOfAll(own.map((job) => ({ status: job.status, allowFailure: false })))]);
    }
    for (const [id, text] of logs) expect([id, (await read(`/jobs/${id}/trace`)).toString()]).toEqual([id, text]);
    for (const [id, file] of files)
      expect([id, await filesIn(await read(`/jobs/${id}/artifacts`))]).toEqual([id, { file }]);
    for (const service of services) expect(await service.end('SIGTERM')).toBe(0);
    for (const folder of [repositories, artifacts]) removeFolder(folder);
  };

  const RULE = `gives each job once, and keeps what it acknowledged of its log, its files and its end, after ${ROUNDS} kills`;

  describeEachDatabase('a service of runners whose processes are killed', (openTestDatabase) => {
    it(RULE, async () => survive(await openTestDatabase(), 1));
  });

  // An embedded database belongs to one process.
  for (const database of selectedDatabases().filter((name) => name === 'postgres'))
    describeDatabase(
      database,
      'two services of one database and one folder, of which one is killed',
      (openTestDatabase) => {
        it(RULE, async () => survive(await openTestDatabase(), 2));
      },
    );
});
