import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { Elsewhere } from '../support/elsewhere.js';
import { WorkTree } from '../support/git-service.js';
import { git, removeFolder, temporaryFolder, withGit } from '../support/git.js';
import { installWithToken } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Programs of git that work on something below a folder, or talk to an address. */
const running = (...words: readonly string[]): readonly string[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : '';
      return words.some((word) => line.includes(word)) ? line : [];
    } catch {
      return [];
    }
  });

withGit('mirrors and imports under kills', () => {
  describeEachDatabase('a service that is killed while it talks to a repository elsewhere', (openTestDatabase) => {
    it('leaves no git behind, and goes on after its next start', async () => {
      const root = temporaryFolder();
      const settings = {
        DATABASE_URL: await openTestDatabase(),
        SECRET_KEY: randomBytes(32).toString('base64'),
        REPOSITORIES_DIR: root,
        OUTBOUND_ALLOWLIST: '127.0.0.1',
      };
      const token = await installWithToken(settings);
      let service = await ServiceProcess.start(settings, { onLog: () => undefined });
      const call = async (method: string, path: string, json?: object) => {
        const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' };
        const body = json === undefined ? {} : { body: JSON.stringify(json) };
        const response = await fetch(`${service.url}/api/v4${path}`, { method, headers, ...body });
        const text = await response.text();
        return (text === '' ? {} : JSON.parse(text)) as { id: number; update_status: string; import_status: string };
      };
      let silent = true;
      await Elsewhere.during(
        (_, response) => void (silent ? undefined : response.writeHead(404).end()),
        async ({ url, port, asked }) => {
          const tree = await WorkTree.init();
          await tree.commit('a', 'one');
          const { id } = await call('POST', '/projects', { name: 'Mirrored' });
          await git(['push', '--quiet', `${service.url.replace('//', `//x:${token}@`)}/root/mirrored.git`, 'main'], {
            cwd: tree.folder,
          });
          const mirrors = `/projects/${id}/remote_mirrors`;
          const mirror = await call('POST', mirrors, { url, enabled: true });
          await call('POST', `${mirrors}/${mirror.id}/sync`);
          const imported = await call('POST', '/projects', { name: 'Imported', import_url: url });
          await until(() => Promise.resolve(asked.length >= 2));
          const words = [root, `127.0.0.1:${port}/`];
          expect(running(...words).length).toBeGreaterThan(0);
          await service.end('SIGKILL');
          await until(() => Promise.resolve(running(...words).length === 0));

          silent = false;
          service = await ServiceProcess.start(settings, { onLog: () => undefined });
          // Their leases last for a minute.
          await until(async () => (await call('GET', `${mirrors}/${mirror.id}`)).update_status === 'failed');
          await until(async () => (await call('GET', `/projects/${imported.id}`)).import_status === 'failed');
        },
      );
      await service.end('SIGTERM');
      removeFolder(root);
    }, 240_000);
  });
});
