import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { openGitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import { describeDatabase, describeEachDatabase } from '../support/databases.js';
import { WorkTree } from '../support/git-service.js';
import { git, removeFolder, temporaryFolder, withGit } from '../support/git.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { installWithToken, kill, runCommand, VICTIMS } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Each is one kill. */
const ROUNDS = Number(process.env['GATEHOUSE_KILL_ROUNDS'] ?? '100');
const LONGEST_LIFE_MS = 2_500;
const PROJECT = 'root%2Fengine';
const FORTNIGHT_MS = 14 * 86_400_000;

interface PushData {
  readonly action: 'created' | 'pushed' | 'removed';
  readonly ref: string;
  readonly ref_type: string;
  readonly commit_from: string | null;
  readonly commit_to: string | null;
}

/** By the names of their folders; what is in them comes and goes. */
const storesIn = (root: string): string[] => {
  const hashed = join(root, '@hashed');
  const folders = existsSync(hashed) ? readdirSync(hashed) : [];
  return folders
    .flatMap((one) => readdirSync(join(hashed, one)).map((other) => join(hashed, one, other)))
    .flatMap((folder) => readdirSync(folder))
    .flatMap((name) => /^([0-9a-f]{64})\.git$/.exec(name)?.[1] ?? []);
};

withGit('code under kills', () => {
  const survive = async (database: string, nodes: number): Promise<void> => {
    const root = temporaryFolder();
    const settings = {
      DATABASE_URL: database,
      SECRET_KEY: randomBytes(32).toString('base64'),
      REPOSITORIES_DIR: root,
    };
    const token = await installWithToken(settings);
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' };
    const remoteOf = (url: string, path = 'root/engine') => `${url.replace('//', `//x:${token}@`)}/${path}.git`;
    /** Undefined where nobody answered. */
    const call = async <Body>(url: string, method: string, path: string, json?: object) => {
      try {
        const body = json === undefined ? {} : { body: JSON.stringify(json) };
        const response = await fetch(`${url}/api/v4${path}`, { method, headers, ...body });
        return { status: response.status, body: (await response.json().catch(() => null)) as Body };
      } catch {
        return undefined;
      }
    };

    const pushed = new Map<string, string>();
    const [removed, unanswered] = [new Set<string>(), new Set<string>()];
    const commits: string[] = [];
    const forks: string[] = [];
    const trees = await Promise.all([WorkTree.init(), WorkTree.init()]);
    let serial = 0;
    const startNode = () => ServiceProcess.start(settings, { onLog: () => undefined });
    const services = await Promise.all(Array.from({ length: nodes }, startNode));
    const [setUp] = services as [ServiceProcess];
    const first = await trees[0]!.commit('first', 'first\n');
    await trees[0]!.git('push', '--quiet', remoteOf(setUp.url), 'HEAD:refs/heads/main');
    await trees[1]!.git('pull', '--quiet', remoteOf(setUp.url), 'main');

    const push = async (url: string, tree: WorkTree): Promise<void> => {
      const branch = `b${(serial += 1)}`;
      const head = await tree.commit('file', `${branch}\n`, branch);
      const { code } = await tree.try('push', '--quiet', remoteOf(url), `HEAD:refs/heads/${branch}`);
      if (code === 0) pushed.set(branch, head);
    };
    const commit = async (url: string): Promise<void> => {
      const path = `by-api-${(serial += 1)}`;
      const json = {
        branch: 'main',
        commit_message: path,
        actions: [{ action: 'create', file_path: path, content: path }],
      };
      const answer = await call<{ id: string }>(url, 'POST', `/projects/${PROJECT}/repository/commits`, json);
      if (answer?.status === 201) commits.push(answer.body.id);
    };
    const removeBranch = async (url: string): Promise<void> => {
      const branch = [...pushed.keys()].find((name) => !removed.has(name) && !unanswered.has(name));
      if (branch === undefined) return void (await sleep(20));
      const answer = await call(url, 'DELETE', `/projects/${PROJECT}/repository/branches/${branch}`);
      // A removal that nobody answered was done.
      if (answer?.status === 404) unanswered.add(branch);
      if (answer?.status === 200 || answer?.status === 204) removed.add(branch);
    };
    const fork = async (url: string): Promise<void> => {
      const name = `fork-${(serial += 1)}`;
      const answer = await call(url, 'POST', `/projects/${PROJECT}/fork`, { name, path: name });
      if (answer?.status === 201) forks.push(name);
      await sleep(400);
    };

    // Packs them as another node would, and is killed like one.
    const stores = openGitStores({ directory: root, binary: 'git', pushLimit: 1_000_000 });
    const storesOf = () => storesIn(root);
    const ended = new AbortController();
    let packings = 0;
    const packing = (async () => {
      while (!ended.signal.aborted)
        for (const store of storesOf().slice(0, 4)) {
          const at = new Date();
          const repacking = {
            at,
            unreachableSince: new Date(at.getTime() - FORTNIGHT_MS),
            project: () => Promise.resolve(),
          };
          const done = await stores.maintenance
            .gather(store, at)
            .then(() => stores.maintenance.repack(store, repacking))
            .then(
              () => true,
              () => false,
            );
          if (done) packings += 1;
        }
    })();

    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [index, { running }] of services.entries()) if (!running) services[index] = await startNode();
      const over = new AbortController();
      // Each does one thing after another, at whichever node is next.
      let asked = 0;
      const repeat = async (act: (url: string) => Promise<void>): Promise<void> => {
        while (!over.signal.aborted) await act(services[(asked += 1) % nodes]!.url);
      };
      const acts = [
        ...trees.map((tree) => repeat((url) => push(url, tree))),
        repeat(commit),
        repeat(removeBranch),
        ...(round % 4 === 0 ? [repeat(fork)] : []),
      ];
      await sleep((LONGEST_LIFE_MS * round) / ROUNDS);
      await kill(services[Math.floor(round / VICTIMS.length) % nodes]!, VICTIMS[round % VICTIMS.length] ?? 'service');
      const own = stores.runnerPid();
      if (round % 3 === 0 && own !== undefined) process.kill(own, 'SIGKILL');
      over.abort();
      await Promise.all(acts);
    }
    for (const service of services) if (service.running) await service.end('SIGKILL');
    ended.abort();
    await packing;

    const service = await ServiceProcess.start(settings);
    const { url } = service;
    const importOf = async (name: string) =>
      (await call<{ import_status: string }>(url, 'GET', `/projects/root%2F${name}`))?.body.import_status;
    await until(async () => {
      for (const name of forks) if ((await importOf(name)) !== 'finished') return false;
      return true;
    }, 180_000);
    // No lock of a process that was killed stops the next push.
    const last = trees[0]!;
    await last.commit('file', 'the last one\n');
    await last.git('push', '--quiet', remoteOf(url), 'HEAD:refs/heads/last');

    const listed = new Map(
      (await git(['ls-remote', '--heads', remoteOf(url)]))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\t').reverse() as [string, string])
        .map(([ref, head]) => [ref.slice('refs/heads/'.length), head]),
    );
    const mirror = join(temporaryFolder(), 'mirror');
    await git(['clone', '--quiet', '--mirror', remoteOf(url), mirror]);
    const onMain = new Set((await git(['--git-dir', mirror, 'rev-list', 'main'])).trim().split('\n'));
    const data: PushData[] = [];
    for (let page = 1; page !== 0;) {
      const address = `${url}/api/v4/projects/${PROJECT}/events?action=pushed&per_page=100&page=${page}`;
      const response = await fetch(address, { headers });
      data.push(...((await response.json()) as { push_data: PushData }[]).map(({ push_data }) => push_data));
      page = Number(response.headers.get('x-next-page') ?? 0);
    }
    for (const name of forks)
      await git(['clone', '--quiet', '--mirror', remoteOf(url, `root/${name}`), join(temporaryFolder(), name)]);
    await sleep(1_000);
    expect(await service.end('SIGTERM')).toBe(0);

    const gone = [...pushed]
      .filter(([name, head]) => !removed.has(name) && listed.get(name) !== head)
      .map(([name]) => name);
    const reported = {
      acknowledged: pushed.size,
      commits: commits.length,
      removed: removed.size,
      forks: forks.length,
      packings,
    };
    process.stdout.write(`${JSON.stringify({ ...reported, refs: listed.size, events: data.length, gone })}\n`);
    // A removal that nobody answered may have been done.
    const removals = new Set(data.filter(({ action }) => action === 'removed').map(({ ref }) => ref));
    expect(gone.filter((name) => !removals.has(name))).toEqual([]);
    expect([...removed].filter((name) => listed.has(name) || !removals.has(name))).toEqual([]);
    expect(commits.filter((id) => !onMain.has(id))).toEqual([]);
    expect(Object.values(reported).every((count) => count > 0)).toBe(true);

    // As many events as moves of refs, and each goes on where the one before ended.
    const created = data.filter(({ action }) => action === 'created').map(({ ref }) => ref);
    expect(new Set(created).size).toBe(created.length);
    expect([...listed.keys()].sort()).toEqual(created.filter((ref) => !removals.has(ref)).sort());
    const moves = new Map(
      data
        .filter(({ ref, action }) => ref === 'main' && action === 'pushed')
        .map(({ commit_from: from, commit_to: to }) => [from, to]),
    );
    let tip: string | null | undefined = first;
    for (let step = 0; step < moves.size; step += 1) tip = moves.get(tip ?? null);
    expect(tip).toBe(listed.get('main'));
    expect(onMain.size).toBe(moves.size + 1);

    for (const store of storesOf()) await stores.maintenance.removeReplaced(store, new Date());
    stores.close();
    const checked = await runCommand(settings, 'repositories', 'check', '--all');
    expect(checked).toMatchObject({ code: 0, printed: expect.stringContaining('found all well') });
    const locks = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'));
    expect(locks).toEqual([]);
    removeFolder(root);
  };

  const RULE = `keeps what it acknowledged of pushes, commits, removals and forks while stores are packed, after ${ROUNDS} kills`;

  describeEachDatabase('a service whose processes are killed', (openTestDatabase) => {
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
