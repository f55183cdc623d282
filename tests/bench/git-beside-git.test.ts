import { cpSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CodeBench } from '../support/code-bench.js';
import { describeEachDatabase } from '../support/databases.js';
import { git, temporaryFolder, withGit } from '../support/git.js';
import { WorkTree } from '../support/git-service.js';
import { interleave, type Measurement } from '../support/interleave.js';
import { LOAD_GENERATOR, underLoad, type Load } from '../support/load.js';
import { madeBulk, madeHistory } from '../support/made-history.js';
import { ServiceProcess } from '../support/service-process.js';

const SECONDS = 1;
const BULK_MEGABYTES = 100;
const BRANCHES = 20_000;
const OF_ONE_PUSH = 1_000;
const PUSHES = 4;
/** Of each measurement, as many as a service that is in use has had: its code is compiled by then. */
const COMMITS = 100;
const LS_REFS =
  '0014command=ls-refs\n0016object-format=sha10001' + '0009peel\n000csymrefs\n001bref-prefix refs/heads/\n0000';

const requests =
  (load: Load): Measurement =>
  () =>
    underLoad(load, SECONDS);

/** Milliseconds that something takes, of so many times one after the other. */
const timed =
  (work: () => Promise<unknown>, times = 1): Measurement =>
  async () => {
    const startedAt = performance.now();
    for (let time = 0; time < times; time += 1) await work();
    return (performance.now() - startedAt) / times;
  };

withGit('code beside git itself', () => {
  describeEachDatabase('the cost of code', (openTestDatabase) => {
    let bench: CodeBench;
    let peer: ServiceProcess;
    let bulk: string;
    let store: string;

    beforeAll(async () => {
      store = await madeHistory({ files: 5_000, commits: 3_000 });
      bulk = await madeBulk(BULK_MEGABYTES);
      bench = await CodeBench.start(await openTestDatabase());
      await bench.push(store, 'five');
      await bench.push(bulk, 'bulk');
      await git(['--git-dir', store, 'config', 'http.receivepack', 'true']);
      peer = await ServiceProcess.run([fileURLToPath(new URL('./peers/git-itself.js', import.meta.url))], {
        BENCH_ROOT: dirname(store),
        BENCH_STORE: store,
      });
      cpSync(bulk, `${dirname(store)}/bulk.git`, { recursive: true });
      await git(['--git-dir', store, 'commit-graph', 'write', '--reachable', '--changed-paths']);
    });

    afterAll(async () => {
      for (const process of [bench.service, peer]) await process.end('SIGTERM');
    });

    const clone =
      (remote: string): Measurement =>
      async () => {
        const folder = temporaryFolder();
        const took = await timed(() => git(['clone', '--quiet', '--bare', remote, `${folder}/clone`]))();
        rmSync(folder, { recursive: true });
        return took;
      };

    /** Milliseconds a push of one commit to a branch of its own. */
    const pushes = async (remote: string): Promise<Measurement> => {
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', '--depth', '1', remote, 'main');
      let serial = 0;
      return async () => {
        let took = 0;
        for (let push = 0; push < PUSHES; push += 1) {
          await tree.commit('pushed', `${(serial += 1)}\n`);
          took += await timed(() => tree.git('push', '--quiet', remote, `HEAD:refs/heads/pushed-${serial}`))();
        }
        return took / PUSHES;
      };
    };

    it('of clients of git, beside http-backend', async () => {
      const byPeer = peer.url.replace('//', '//x:y@');
      const bare = `/${store.split('/').pop()}`;
      const refs = (url: string, headers: Readonly<Record<string, string>>): Measurement =>
        requests({
          url: `${url}/git-upload-pack`,
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' },
          body: LS_REFS,
        });
      const info = (url: string, headers: Readonly<Record<string, string>>): Measurement =>
        requests({
          url: `${url}/info/refs?service=git-upload-pack`,
          headers: { ...headers, 'Git-Protocol': 'version=2' },
        });
      const own = `${bench.service.url}/root/five.git`;
      const headers = { Authorization: bench.authorization };
      const perSecond = await interleave(
        new Map([
          ['info/refs', info(own, headers)],
          ['http-backend, info/refs', info(peer.url + bare, headers)],
          ['ls-refs', refs(own, headers)],
          ['http-backend, ls-refs', refs(peer.url + bare, headers)],
        ]),
      );
      const milliseconds = await interleave(
        new Map([
          ['clone of 100 MB', clone(bench.remote('bulk'))],
          ['http-backend, clone of 100 MB', clone(`${byPeer}/bulk.git`)],
          ['from disk, clone of 100 MB', clone(`file://${bulk}`)],
          ['push of a commit', await pushes(bench.remote('five'))],
          ['http-backend, push of a commit', await pushes(byPeer + bare)],
        ]),
      );
      process.stdout.write(
        `clients of git (${LOAD_GENERATOR})\n${perSecond.describe('a second')}${milliseconds.describe('ms')}` +
          perSecond.describeRatio('info/refs', 'http-backend, info/refs') +
          perSecond.describeRatio('ls-refs', 'http-backend, ls-refs') +
          milliseconds.describeRatio('clone of 100 MB', 'http-backend, clone of 100 MB') +
          milliseconds.describeRatio('clone of 100 MB', 'from disk, clone of 100 MB') +
          milliseconds.describeRatio('push of a commit', 'http-backend, push of a commit'),
      );
      expect(perSecond.ratio('ls-refs', 'http-backend, ls-refs')).toBeGreaterThan(1);
    });

    it('of reads and commits by REST, beside a child of git for each', async () => {
      const project = '/projects/root%2Ffive/repository';
      const own = (path: string): Measurement => requests({ url: bench.api(path), headers: bench.headers });
      const child = (path: string): Measurement => requests({ url: `${peer.url}${path}` });
      const perSecond = await interleave(
        new Map([
          // What any request by a token costs, whatever it asks for.
          ['who one is', requests({ url: bench.api('/user'), headers: bench.headers })],
          ['tree', own(`${project}/tree?path=folder-1&per_page=50`)],
          ['a child each, tree', child('/tree')],
          ['raw file', own(`${project}/files/folder-1%2Ffile-1.txt/raw`)],
          ['a child each, raw file', child('/blob')],
          ['20 commits of a file', own(`${project}/commits?path=folder-1/file-1.txt`)],
          ['a child each, 20 commits of a file', child('/log')],
        ]),
      );
      let serial = 0;
      const commit = async () => {
        const json = {
          branch: 'written',
          ...(serial === 0 ? { start_branch: 'main' } : {}),
          commit_message: 'x',
          actions: [{ action: 'create', file_path: `by-rest-${(serial += 1)}`, content: 'x' }],
        };
        const headers = { ...bench.headers, 'Content-Type': 'application/json' };
        await bench.timeOf(bench.api(`${project}/commits`), { method: 'POST', headers, body: JSON.stringify(json) });
      };
      const imported = async () => void (await bench.timeOf(`${peer.url}/commit`));
      const milliseconds = await interleave(
        new Map([
          ['commit of one file', timed(commit, COMMITS)],
          ['fast-import, commit of one file', timed(imported, COMMITS)],
        ]),
      );
      process.stdout.write(
        `reads and commits by REST\n${perSecond.describe('a second')}${milliseconds.describe('ms')}` +
          ['tree', 'raw file', '20 commits of a file']
            .map((name) => perSecond.describeRatio(name, `a child each, ${name}`))
            .join('') +
          perSecond.describeRatio('who one is', 'a child each, tree') +
          milliseconds.describeRatio('commit of one file', 'fast-import, commit of one file'),
      );
      expect(perSecond.ratio('tree', 'a child each, tree')).toBeGreaterThan(1);
    });

    it(`of a page of ${BRANCHES} branches`, async () => {
      const tree = await WorkTree.init();
      const head = await tree.commit('a', 'a');
      const folders = Array.from({ length: BRANCHES / OF_ONE_PUSH }, (_, index) => `folder-${index}`);
      const names = folders.flatMap((folder) =>
        Array.from({ length: OF_ONE_PUSH }, (_, index) => `${folder}/b${index}`),
      );
      const input = names.map((name) => `create refs/heads/${name} ${head}\n`).join('');
      await git(['update-ref', '--stdin'], { cwd: tree.folder, input });
      await tree.git('push', '--quiet', bench.remote('many'), 'HEAD:refs/heads/main');
      for (const folder of folders) {
        // By a pattern: to match a name by itself git compares it with every other.
        const spec = `refs/heads/${folder}/*:refs/heads/${folder}/*`;
        await tree.git('push', '--quiet', bench.remote('many'), spec);
      }
      const address = bench.api('/projects/root%2Fmany/repository/branches?per_page=20');
      const milliseconds = await interleave(
        new Map([
          ['20 branches', timed(() => bench.timeOf(address))],
          ['20 branches, newest first', timed(() => bench.timeOf(`${address}&sort=updated_desc`))],
          ['git for-each-ref', timed(() => git(['for-each-ref', '--count=20'], { cwd: tree.folder }))],
        ]),
      );
      process.stdout.write(`branches\n${milliseconds.describe('ms')}`);
      expect(milliseconds.median('20 branches')).toBeLessThan(100);
    });
  });
});
