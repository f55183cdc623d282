import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { git, removeFolder, temporaryFolder, withGit } from '../support/git.js';
import { MailServer } from '../support/mail-server.js';
import { header } from '../support/mailing.js';
import { installWithToken, kill, runCommand, VICTIMS } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Each is one kill. */
const ROUNDS = Number(process.env['GATEHOUSE_KILL_ROUNDS'] ?? '50');
const LONGEST_LIFE_MS = 2_500;
const OPENING = 2;
const MERGING = 3;
const PATIENCE_MS = 120_000;

interface Change {
  readonly iid: number;
  readonly issue: number;
  readonly branch: string;
  readonly removed: boolean;
}

interface Shown {
  readonly iid: number;
  readonly state: string;
  readonly merge_commit_sha: string | null;
}

interface Entry {
  readonly action_name: string;
  readonly target_type: string | null;
  readonly target_iid: number | null;
}

const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((one, other) => one - other);

withGit('merges under kills', () => {
  describeEachDatabase('a service that is killed while it merges', (openTestDatabase) => {
    it(`has merged each whole or not at all after ${ROUNDS} kills: branch, row, event, mail and closed issue agree`, async () => {
      const root = temporaryFolder();
      const server = await MailServer.start();
      const settings = {
        DATABASE_URL: await openTestDatabase(),
        SECRET_KEY: randomBytes(32).toString('base64'),
        REPOSITORIES_DIR: root,
      };
      const token = await installWithToken(settings);
      await runCommand(settings, 'user', 'create', '--username', 'ada', '--email', 'ada@example.com');
      const { printed } = await runCommand(settings, 'token', 'create', '--user', 'ada', '--scopes', 'api');
      const ada = printed.trim();
      /** Undefined where nobody answered. */
      const call = async <Body>(url: string, who: string, method: string, path: string, json?: object) => {
        try {
          const body = json === undefined ? {} : { body: JSON.stringify(json) };
          const headers = { 'PRIVATE-TOKEN': who, 'Content-Type': 'application/json' };
          const response = await fetch(`${url}/api/v4${path}`, { method, headers, ...body });
          return { status: response.status, body: (await response.json().catch(() => null)) as Body };
        } catch {
          return undefined;
        }
      };
      const project = '/projects/root%2Fengine';
      const listAll = async <Item>(url: string, path: string): Promise<Item[]> => {
        const items: Item[] = [];
        for (let page = 1; ; page += 1) {
          const address = `${project}${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
          const few = (await call<Item[]>(url, token, 'GET', address))?.body ?? [];
          items.push(...few);
          if (few.length < 100) return items;
        }
      };

      let service = await ServiceProcess.start(settings, { onLog: () => undefined });
      await call(service.url, token, 'POST', '/projects', { name: 'Engine', path: 'engine', visibility: 'private' });
      const [person] = (await call<{ id: number }[]>(service.url, token, 'GET', '/users?username=ada'))!.body;
      await call(service.url, token, 'POST', `${project}/members`, { user_id: person!.id, access_level: 30 });
      const first = { branch: 'main', commit_message: 'First' };
      const actions = [{ action: 'create', file_path: 'README.md', content: 'one\n' }];
      const begun = await call(service.url, token, 'POST', `${project}/repository/commits`, { ...first, actions });
      expect(begun?.status).toBe(201);

      const opened: Change[] = [];
      const waiting: Change[] = [];
      const acknowledged = new Set<number>();
      let serial = 0;
      const open = async (url: string): Promise<void> => {
        const branch = `b${(serial += 1)}`;
        const removed = serial % 2 === 0;
        const added = [{ action: 'create', file_path: branch, content: branch }];
        const commit = { branch, start_branch: 'main', commit_message: branch, actions: added };
        if ((await call(url, ada, 'POST', `${project}/repository/commits`, commit))?.status !== 201) return;
        const issue = await call<{ iid: number }>(url, ada, 'POST', `${project}/issues`, { title: branch });
        if (issue?.status !== 201) return;
        const description = `Closes #${issue.body.iid}`;
        const json = { source_branch: branch, target_branch: 'main', title: branch, description };
        const request = await call<{ iid: number }>(url, ada, 'POST', `${project}/merge_requests`, json);
        if (request?.status !== 201) return;
        const change = { iid: request.body.iid, issue: issue.body.iid, branch, removed };
        opened.push(change);
        waiting.push(change);
      };
      const merge = async (url: string): Promise<void> => {
        const change = waiting.shift();
        if (change === undefined) return void (await sleep(10));
        const path = `${project}/merge_requests/${change.iid}/merge`;
        const answer = await call<Shown>(url, token, 'PUT', path, { should_remove_source_branch: change.removed });
        if (answer?.status === 200) acknowledged.add(change.iid);
        // Nobody knows what became of it: it is asked for again, and may have been merged already.
        else if (answer?.status !== 405) waiting.push(change);
      };

      for (let round = 1; round <= ROUNDS; round += 1) {
        if (!service.running) service = await ServiceProcess.start(settings, { onLog: () => undefined });
        const over = new AbortController();
        const { url } = service;
        const repeat = async (act: (url: string) => Promise<void>): Promise<void> => {
          while (!over.signal.aborted) await act(url);
        };
        const acts = [
          ...Array.from({ length: OPENING }, () => repeat(open)),
          ...Array.from({ length: MERGING }, () => repeat(merge)),
        ];
        await sleep(300 + (LONGEST_LIFE_MS * round) / ROUNDS);
        await kill(service, VICTIMS[round % VICTIMS.length] ?? 'service');
        over.abort();
        await Promise.all(acts);
      }
      if (service.running) await service.end('SIGKILL');

      service = await ServiceProcess.start({ ...settings, SMTP_URL: server.url.reveal() });
      const { url } = service;
      const shown = await listAll<Shown>(url, '/merge_requests');
      const merged = new Map(shown.filter(({ state }) => state === 'merged').map((each) => [each.iid, each]));
      const toldOf = () =>
        server.mails
          .filter(({ text }) => text?.includes('merged the merge request') === true)
          .map((mail) => Number(header(mail, 'X-Gatehouse-MergeRequest-Iid')));
      await until(() => Promise.resolve(toldOf().length >= merged.size), PATIENCE_MS);
      const issues = await listAll<{ iid: number; state: string }>(url, '/issues?scope=all');
      const entries = await listAll<Entry>(url, '/events');
      const remote = `${url.replace('//', `//x:${token}@`)}/root/engine.git`;
      const mirror = join(temporaryFolder(), 'mirror');
      await git(['clone', '--quiet', '--mirror', remote, mirror]);
      const branches = (await git(['--git-dir', mirror, 'for-each-ref', '--format=%(refname:short)', 'refs/heads']))
        .trim()
        .split('\n');
      const line = (await git(['--git-dir', mirror, 'rev-list', '--first-parent', '--merges', 'main'])).trim();
      const files = (await git(['--git-dir', mirror, 'ls-tree', '--name-only', 'main'])).trim().split('\n');
      expect(await service.end('SIGTERM')).toBe(0);
      await server.down();

      const reported = { opened: opened.length, merged: merged.size, acknowledged: acknowledged.size };
      process.stdout.write(`${JSON.stringify({ ...reported, mails: server.mails.length })}\n`);
      expect(Object.values(reported).every((count) => count > 0)).toBe(true);
      expect([...acknowledged].filter((iid) => !merged.has(iid))).toEqual([]);
      // The branch holds the merge commits that the rows name, each once, and nothing else.
      expect(line.split('\n').sort()).toEqual([...merged.values()].map((each) => each.merge_commit_sha).sort());
      const whole = opened.filter(({ iid }) => merged.has(iid));
      expect(files.sort()).toEqual(['README.md', ...whole.map(({ branch }) => branch)].sort());
      const told = (type: string, action: string) =>
        entries.filter((entry) => entry.target_type === type && entry.action_name === action);
      const iidsOf = (some: readonly Entry[]) => sorted(some.map(({ target_iid: iid }) => iid!));
      expect(iidsOf(told('MergeRequest', 'accepted'))).toEqual(sorted(merged.keys()));
      const closed = sorted(issues.filter(({ state }) => state === 'closed').map(({ iid }) => iid));
      expect(closed).toEqual(sorted(whole.map(({ issue }) => issue)));
      expect(iidsOf(told('Issue', 'closed'))).toEqual(closed);
      expect(sorted(toldOf())).toEqual(sorted(merged.keys()));
      const gone = whole.filter(({ branch }) => !branches.includes(branch));
      expect(sorted(gone.map(({ iid }) => iid))).toEqual(
        sorted(whole.filter(({ removed }) => removed).map(({ iid }) => iid)),
      );
      expect(opened.filter(({ iid, branch }) => !merged.has(iid) && !branches.includes(branch))).toEqual([]);
      const checked = await runCommand(settings, 'repositories', 'check', '--all');
      expect(checked).toMatchObject({ code: 0, printed: expect.stringContaining('found all well') });
      const locks = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'));
      expect(locks).toEqual([]);
      removeFolder(root);
    });
  });
});
