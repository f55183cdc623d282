import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeEachDatabase, type OpenTestDatabase } from '../support/databases.js';
import { fastImport, git, removeFolder, temporaryFolder, withGit, type MadeCommit } from '../support/git.js';
import { latencyAt } from '../support/load.js';
import { seedMergeRequests } from '../support/seed-merge-requests.js';
import { ServiceProcess } from '../support/service-process.js';
import { median } from '../support/statistics.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

const SIZES = [1_000, Number(process.env['BENCH_MERGE_REQUESTS'] ?? 100_000)] as const;
const ROUNDS = 4;
/** Of each case in a round. */
const REQUESTS = 25;
const MERGES = 40;
const FILES = 200;
const OPEN = 500;
const MOST_GROWTH = 1.5;
const BY_USUAL_LABEL = 'list of 20, by author and a label of a hundredth';
const MOST_BY_LABEL_MS = 100;
/** Of `GET /user`, while merge requests are looked at in the background. */
const MOST_SLOWER = 2;
const LOOKING_MS = 300_000;
/** Each followed by as long of requests, beside as long without. */
const PUSHES = 3;

const linesOf = (file: number, changed: boolean): string =>
  Array.from(
    { length: 40 },
    (_, line) => `line ${line} of ${file}${changed && line % 10 === 0 ? ', changed' : ''}\n`,
  ).join('');

const p95 = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? NaN;

/** An installation with so many merge requests in one project, and some with branches. */
class Installation {
  private constructor(
    private readonly database: Database,
    readonly service: ServiceProcess,
    private readonly user: TestUser,
    private readonly projectId: number,
    private readonly folders: readonly string[],
    readonly wide: number,
    readonly merges: number[],
  ) {}

  static async open(openTestDatabase: OpenTestDatabase, count: number): Promise<Installation> {
    const [databaseUrl, repositoriesDirectory] = [await openTestDatabase(), temporaryFolder()];
    const secretKey = randomBytes(32);
    const seeding = await TestService.start(databaseUrl, { repositoriesDirectory }, secretKey);
    const ada = await seeding.addUser('ada');
    const loom = await WrittenProject.make(seeding, ada, { name: 'Loom' });
    const made = temporaryFolder();
    await git(['init', '--quiet', '--bare', made]);
    await fastImport(made, historyOf());
    const all = ['refs/heads/*:refs/heads/*'];
    await git(['--git-dir', made, 'push', '--quiet', loom.remote(), ...all]);
    const database = openDatabase({ url: databaseUrl, poolMax: 2 });
    await seedMergeRequests(database, { url: databaseUrl, projectId: loom.id, authorId: ada.id, count });
    const open = async (branch: string): Promise<number> => {
      const json = { source_branch: branch, target_branch: 'main', title: branch };
      const { status, body } = await loom.call<{ iid: number }>('POST', '/merge_requests', json);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.iid;
    };
    const wide = await open('wide');
    const merges: number[] = [];
    for (let merge = 0; merge < MERGES; merge += 1) merges.push(await open(`merge-${merge}`));
    await seeding.close();
    const service = await ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey.toString('base64'),
      REPOSITORIES_DIR: repositoriesDirectory,
      NODE_ENV: 'production',
    });
    const folders = [repositoriesDirectory, made];
    return new Installation(database, service, ada, loom.id, folders, wide, merges);
  }

  get headers(): Readonly<Record<string, string>> {
    return { 'PRIVATE-TOKEN': this.user.token, 'Content-Type': 'application/json' };
  }

  get remote(): string {
    return `${this.service.url.replace('//', `//oauth2:${this.user.token}@`)}/ada/loom.git`;
  }

  /** How long an answer took, in milliseconds. @param path below the project, or below the API where it begins with two slashes. */
  async time(path: string, method = 'GET'): Promise<number> {
    const startedAt = performance.now();
    const below = path.startsWith('//') ? path.slice(1) : `/projects/${this.projectId}${path}`;
    const response = await fetch(`${this.service.url}/api/v4${below}`, { method, headers: this.headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return performance.now() - startedAt;
  }

  /** Waits until nothing is left to be found out in the background. */
  async rest(patience?: number): Promise<void> {
    await until(async () => (await this.unchecked()) === 0, patience);
  }

  async unchecked(): Promise<number> {
    const open = "select count(*) as waiting from merge_requests where state = 'opened' and status = 'unchecked'";
    const [row] = await this.database.reader.run<{ waiting: number }>(open, []);
    return Number(row!.waiting);
  }

  async close(): Promise<void> {
    await this.service.end('SIGTERM');
    await this.database.close();
    this.folders.forEach(removeFolder);
  }
}

/** A branch with a change of 200 files, branches of one file each, and 500 that are looked at again whenever `target` moves. */
const historyOf = (): MadeCommit[] => {
  const files = (changed: boolean) =>
    Object.fromEntries(
      Array.from({ length: FILES }, (_, file) => [`src/${file % 10}/${file}.txt`, linesOf(file, changed)]),
    );
  const small = (branch: string, from: string): MadeCommit => ({
    branch,
    from,
    message: branch,
    files: { [branch]: `${branch}\n` },
  });
  return [
    { branch: 'main', message: 'First', files: files(false) },
    { branch: 'wide', from: 'main', message: 'Change all files', files: files(true) },
    ...Array.from({ length: MERGES }, (_, merge) => small(`merge-${merge}`, 'main')),
    small('target', 'main'),
    ...Array.from({ length: OPEN }, (_, open) => small(`open-${open}`, 'main')),
  ];
};

withGit('the cost of merge requests', () => {
  describeEachDatabase('the cost of merge requests', (openTestDatabase) => {
    let installations: Installation[] = [];

    beforeAll(async () => {
      installations = [];
      for (const size of SIZES) installations.push(await Installation.open(openTestDatabase, size));
    });

    afterAll(async () => {
      for (const installation of installations) await installation.close();
    });

    it(`stays flat from 1,000 to 100,000: p95 of a list, of one, of a diff of ${FILES} files, and of a merge`, async () => {
      const cases: Readonly<Record<string, (of: Installation) => Promise<number>>> = {
        'list of 20': (of) => of.time('/merge_requests'),
        'list of 20, open': (of) => of.time('/merge_requests?state=opened'),
        'list of 20, by author and a label of 20': (of) => of.time('/merge_requests?author_username=ada&labels=rare'),
        [BY_USUAL_LABEL]: (of) => of.time('/merge_requests?author_username=ada&labels=usual'),
        'list of 20, of all projects': (of) => of.time('//merge_requests?scope=all'),
        'list of 20, mine': (of) => of.time('//merge_requests?state=opened'),
        one: (of) => of.time(`/merge_requests/${of.wide}`),
        [`diff of ${FILES} files`]: (of) => of.time(`/merge_requests/${of.wide}/changes`),
      };
      const seen = new Map<string, [number[], number[]]>();
      const note = async (name: string, run: (of: Installation) => Promise<number>) => {
        const times = seen.get(name) ?? [[], []];
        seen.set(name, times);
        for (const [index, installation] of installations.entries()) times[index]!.push(await run(installation));
      };
      for (const run of Object.values(cases)) for (const installation of installations) await run(installation);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [name, run] of Object.entries(cases))
          for (let request = 0; request < REQUESTS; request += 1) await note(name, run);
      const merge = async (of: Installation) => {
        // A merge is followed by looks at all others that lead to its branch.
        await of.rest();
        return of.time(`/merge_requests/${of.merges.shift()}/merge`, 'PUT');
      };
      for (let index = 0; index < MERGES; index += 1) await note('merge', merge);
      const told = [...seen].map(([name, [few, many]]) => ({ name, few: p95(few), many: p95(many) }));
      for (const { name, few, many } of told)
        process.stdout.write(`${name}: ${few.toFixed(1)} ms, ${many.toFixed(1)} ms, ${(many / few).toFixed(2)} ×\n`);
      // A few milliseconds are within what the machine itself does. What answers a hundred times as many tells how many they are.
      const flat = told.filter(({ name }) => name !== BY_USUAL_LABEL);
      expect(flat.filter(({ few, many }) => many > MOST_GROWTH * few + 3)).toEqual([]);
      expect(told.find(({ name }) => name === BY_USUAL_LABEL)!.many).toBeLessThan(MOST_BY_LABEL_MS);
    });

    it(`finds out in the background how ${OPEN} merge requests stand after a push to their target, and slows nobody`, async () => {
      const [, large] = installations;
      const { service, headers } = large!;
      const branches = Array.from({ length: OPEN }, (_, open) => `open-${open}`);
      await seedOpen(large!, branches);
      const user = { url: `${service.url}/api/v4/user`, headers, connections: 4 };
      const [perSecond, seconds] = [50, 8];
      await latencyAt(user, perSecond, 5);
      const work = temporaryFolder();
      await git(['clone', '--quiet', '--branch', 'target', large!.remote, work]);
      const seen: { quiet: number; busy: number; looked: number }[] = [];
      for (let push = 0; push < PUSHES; push += 1) {
        const quiet = await latencyAt(user, perSecond, seconds);
        // Ten of them clash with it, others each time.
        const clashing = branches.slice(push * 10, push * 10 + 10);
        for (const file of ['target', ...clashing]) writeFileSync(join(work, file), `Moved on, ${push}\n`);
        await git(['add', '--all'], { cwd: work });
        await git(['commit', '--quiet', '-m', 'Move the target'], { cwd: work });
        await git(['push', '--quiet', 'origin', 'target'], { cwd: work });
        const busy = await latencyAt(user, perSecond, seconds);
        seen.push({ quiet, busy, looked: OPEN - (await large!.unchecked()) });
        await large!.rest(LOOKING_MS);
      }
      const [quiet, busy] = [median(seen.map((each) => each.quiet)), median(seen.map((each) => each.busy))];
      process.stdout.write(
        `GET /user: p99 ${quiet} ms, meanwhile ${busy} ms; ${JSON.stringify(seen)} in ${seconds} s\n`,
      );
      expect(busy).toBeLessThanOrEqual(MOST_SLOWER * quiet + 2);
    });
  });
});

const seedOpen = async (of: Installation, branches: readonly string[]): Promise<void> => {
  await Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (const branch of branches.filter((_each, index) => index % 4 === lane)) {
        const response = await fetch(`${of.service.url}/api/v4/projects/ada%2Floom/merge_requests`, {
          method: 'POST',
          headers: of.headers,
          body: JSON.stringify({ source_branch: branch, target_branch: 'target', title: branch }),
        });
        if (response.status !== 201) throw new Error(await response.text());
      }
    }),
  );
};
