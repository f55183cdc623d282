import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { createArchiveCommands } from '../../src/infrastructure/archive-commands.js';
import { createStorageCommands } from '../../src/infrastructure/storage-commands.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeDatabase } from '../support/databases.js';
import { refsOf, remoteOf, storeOf, WorkTree } from '../support/git-service.js';
import { git, temporaryFolder, withGit } from '../support/git.js';
import { crossedPairs } from '../support/selected-databases.js';
import { testConfig } from '../support/test-config.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const KEY = Buffer.alloc(32, 7);

withGit('an archive with repositories', () => {
  // Rows of all pairs: `archive.test.ts`.
  for (const [from, to] of crossedPairs())
    describeDatabase(from, 'an archive with repositories', (openSource) =>
      describeDatabase(to, 'restored into another database', (openTarget) => {
        let source: string;
        let service: TestService;
        let ada: TestUser;
        let project: CodeProject;
        let merged: string;
        let fork: { readonly id: ProjectId };
        const root = temporaryFolder();

        const commandsOn = (url: string, repositoriesDirectory: string) => {
          const told: string[] = [];
          const parts = {
            config: () => testConfig(url, { secretKey: new Sensitive(KEY.toString('base64')), repositoriesDirectory }),
            environment: {},
            print: (line: string) => void told.push(line),
            tell: (line: string) => void told.push(line),
          };
          return { ...createArchiveCommands(parts), ...createStorageCommands(parts), told };
        };

        /** From then on nothing but a ref of the service leads to what was merged. */
        const mergeSquashed = async (): Promise<string> => {
          const call = async (method: string, path: string, json: object) => {
            const address = `/projects/${project.id}${path}`;
            const { status, body } = await service.call<{ merge_commit_sha: string }>(method, address, {
              token: ada.token,
              json,
            });
            expect([path, status]).toEqual([path, method === 'POST' ? 201 : 200]);
            return body;
          };
          const actions = ['one', 'two'].map((name) => ({
            action: 'create',
            file_path: `squashed-${name}`,
            content: name,
          }));
          for (const [place, action] of actions.entries())
            await call('POST', '/repository/commits', {
              ...{ branch: 'squashed', commit_message: action.content, actions: [action] },
              ...(place === 0 ? { start_branch: 'main' } : {}),
            });
          const pair = { source_branch: 'squashed', target_branch: 'main', title: 'Squash' };
          await call('POST', '/merge_requests', pair);
          const how = { squash: true, should_remove_source_branch: true };
          return (await call('PUT', '/merge_requests/1/merge', how)).merge_commit_sha;
        };

        beforeAll(async () => {
          source = await openSource();
          service = await TestService.start(source, { repositoriesDirectory: root }, KEY);
          ada = await service.addUser('ada');
          project = await pushCodeProject(service, ada, { name: 'mill', visibility: 'public' });
          await project.tree.git('push', '--quiet', 'origin', ':old.fix');
          merged = await mergeSquashed();
          const grace = await service.addUser('grace');
          const { body } = await service.call<{ id: ProjectId }>('POST', `/projects/${project.id}/fork`, {
            token: grace.token,
          });
          fork = body;
          await until(async () => {
            const path = `/projects/${fork.id}`;
            const answer = await service.call<{ import_status: string }>('GET', path, { token: grace.token });
            return answer.body.import_status === 'finished';
          });
        });

        afterAll(() => service.close());

        /** What git and the database say of a restored installation. */
        const look = async (url: string, directory: string) => {
          const restored = await TestService.start(url, { repositoriesDirectory: directory }, KEY);
          // Whoever wrote refs at that moment holds them up no longer.
          restored.clock.advance(60_000);
          try {
            const { checkRepositories } = restored.service.container.get(REPOSITORY_TOKENS.repositories);
            const faults: string[] = [];
            const result = await checkRepositories.execute({ since: null, until: null }, (path, fault) =>
              faults.push(`${path}: ${fault}`),
            );
            const refs = await refsOf(restored, project.id);
            const mirror = join(temporaryFolder(), 'mirror');
            await git(['clone', '--quiet', '--mirror', remoteOf(restored, project.path), mirror]);
            const pushed = await WorkTree.init();
            await pushed.commit('more', 'more\n');
            await pushed.git(
              'push',
              '--quiet',
              remoteOf(restored, project.path, 'ada', ada.token),
              'HEAD:refs/heads/more',
            );
            return { result, faults, refs };
          } finally {
            await restored.close();
          }
        };

        it('is refused by the drill where it is damaged in a repository, cut off, or goes on behind its end', async () => {
          const file = join(temporaryFolder(), 'backup.ghb');
          const changed = `${file}.changed`;
          await commandsOn(source, root).backup({ to: file, format: 'archive', verify: true });
          const commands = commandsOn(await openTarget(), temporaryFolder());
          await commands.restore({ from: file });
          const whole = readFileSync(file);
          const refuses = async (bytes: Uint8Array, words: RegExp): Promise<void> => {
            writeFileSync(changed, bytes);
            await expect(commands.verifyStorage({ with: changed })).rejects.toThrow(words);
          };
          await commands.verifyStorage({ with: file });
          await refuses(whole.subarray(0, -1), /changed is damaged or cut off\.$/);
          await refuses(Buffer.concat([whole, Buffer.from('more')]), /is damaged: something stands behind its end\.$/);
          await refuses(
            Buffer.concat([whole, Buffer.alloc(200_000)]),
            /is damaged: something stands behind its end\.$/,
          );
          await refuses(
            whole.subarray(0, 20),
            /can't be read as an archive: it is none, or it is damaged or cut off\.$/,
          );
          const text = brotliDecompressSync(whole).toString();
          const at = text.indexOf('\n', text.indexOf('"path":"objects/')) + 1;
          const flipped = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
          await refuses(brotliCompressSync(flipped), /is damaged in objects\/\S+ of a repository\.$/);
        });

        it('brings back every repository while pushes go on, and each is whole at the moment of its rows', async () => {
          const [target, directory] = [await openTarget(), temporaryFolder()];
          const file = join(temporaryFolder(), 'backup.ghb');
          const stop = new AbortController();
          const pushing = (async () => {
            const tree = await WorkTree.init();
            const remote = remoteOf(service, project.path, 'ada', ada.token);
            for (let count = 0; !stop.signal.aborted; count += 1) {
              await tree.commit(`file-${count}`, `${count}\n`);
              await tree.git('push', '--quiet', '--force', remote, `HEAD:refs/heads/moving-${count % 3}`);
              await tree.git('push', '--quiet', remote, `:refs/heads/moving-${count % 3}`);
            }
          })();
          const removing = (async () => {
            for (let count = 0; !stop.signal.aborted; count += 1) {
              const { id } = await pushCodeProject(service, ada, { name: `gone-${randomUUID()}` });
              await service.call('DELETE', `/projects/${id}`, { token: ada.token });
              await service.service.container
                .get(REPOSITORY_TOKENS.repositories)
                .keepStores.execute(new AbortController().signal);
            }
          })();
          const commands = commandsOn(source, root);
          await commands.backup({ to: file, format: 'archive' });
          stop.abort();
          await Promise.all([pushing, removing]);
          expect(commands.told[0]).toMatch(/^Wrote \d+ rows, \d+ repositories and 0 files of CI jobs\.$/);
          expect(commands.told).toHaveLength(2);
          expect(readdirSync(root).filter((name) => name.startsWith('backup-'))).toEqual([]);

          const restoring = commandsOn(target, directory);
          await restoring.restore({ from: file });
          expect(restoring.told).toEqual(
            expect.arrayContaining([expect.stringMatching(/^Restored \d+ repositories into /)]),
          );
          const { result, faults, refs } = await look(target, directory);
          expect(faults).toEqual([]);
          expect(result.checked).toBeGreaterThanOrEqual(2);
          expect([refs.rows, refs.problems]).toEqual([refs.files, []]);
          expect(refs.rows).toEqual(expect.arrayContaining([`${merged} refs/heads/main`]));
          expect(refs.kept.length).toBeGreaterThan(0);
        });

        it('is refused where it is damaged, or has what no repository has, and leaves nothing', async () => {
          const directory = temporaryFolder();
          const folder = temporaryFolder();
          const file = join(folder, 'backup.ghb');
          await commandsOn(source, root).backup({ to: file, format: 'archive' });
          const text = brotliDecompressSync(readFileSync(file)).toString();
          const changed = (change: (text: string) => string) => {
            const altered = join(folder, randomUUID());
            writeFileSync(altered, brotliCompressSync(change(text)));
            return altered;
          };
          const refused = async (altered: string, says: string) => {
            const target = await openTarget();
            await expect(commandsOn(target, directory).restore({ from: altered })).rejects.toThrow(says);
            expect(readdirSync(directory)).toEqual([]);
          };
          const atFile = /("path":"objects\/pack\/[^\n]*\n)(.)/;
          await refused(
            changed((all) =>
              all.replace(atFile, (_, begun: string, first: string) => `${begun}${first === 'A' ? 'B' : 'A'}`),
            ),
            'is damaged in objects/',
          );
          await refused(
            changed((all) => all.slice(0, all.lastIndexOf('{"sha256"'))),
            'is damaged: it ends too early',
          );
          await refused(
            changed((all) => all.replace(/"path":"HEAD"/, '"path":"../../../escaped"')),
            'a file that no repository has',
          );
          await refused(
            changed((all) => all.replace(/"path":"HEAD"/, '"path":"hooks/post-receive"')),
            'a file that no repository has',
          );
        });

        it('goes into an empty folder, or leaves repositories out', async () => {
          const file = join(temporaryFolder(), 'backup.ghb');
          await commandsOn(source, root).backup({ to: file, format: 'archive' });
          const before = statSync(await storeOf(service, project.id)).mtimeMs;
          const target = await openTarget();
          const commands = commandsOn(target, root);
          await expect(commands.restore({ from: file })).rejects.toThrow(`There are repositories in ${root} already.`);
          await commands.restore({ from: file, withoutRepositories: true });
          expect(commands.told.at(-1)).toBe(
            `Repositories are not in the archive, or were left out: bring ${root} back beside it.`,
          );
          expect(statSync(await storeOf(service, project.id)).mtimeMs).toBe(before);

          const rows = join(temporaryFolder(), 'rows.ghb');
          const written = commandsOn(source, root);
          await written.backup({ to: rows, format: 'archive', withoutRepositories: true });
          expect(written.told[0]).toMatch(/^Wrote \d+ rows, 0 repositories and 0 files of CI jobs\.$/);
          expect(statSync(rows).size).toBeLessThan(statSync(file).size);
          const empty = temporaryFolder();
          await commandsOn(await openTarget(), empty).restore({ from: rows });
          expect(readdirSync(empty)).toEqual([]);
        });

        it('is refused where none of the repositories is in the folder', async () => {
          const [elsewhere, file] = [temporaryFolder(), join(temporaryFolder(), 'backup.ghb')];
          await expect(commandsOn(source, elsewhere).backup({ to: file, format: 'archive' })).rejects.toThrow(
            /^None of the \d+ repositories is in .* Set REPOSITORIES_DIR to the folder that has them/,
          );
          expect(existsSync(file)).toBe(false);
        });

        it('tells of a repository whose folder is gone, and holds the others', async () => {
          const lost = await pushCodeProject(service, ada, { name: `lost-${randomUUID()}` });
          rmSync(await storeOf(service, lost.id), { recursive: true });
          const [target, directory] = [await openTarget(), temporaryFolder()];
          const file = join(temporaryFolder(), 'backup.ghb');
          const commands = commandsOn(source, root);
          await commands.backup({ to: file, format: 'archive' });
          expect(commands.told[1]).toMatch(/^1 repositories have no folder, and are not in it/);
          await commandsOn(target, directory).restore({ from: file });
          const { faults } = await look(target, directory);
          expect(faults).toEqual([`${lost.path}: its folder is gone`]);
          expect(existsSync(file)).toBe(true);
          await service.call('DELETE', `/projects/${lost.id}`, { token: ada.token });
        });
      }),
    );
});
