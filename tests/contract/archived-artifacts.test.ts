import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openArchive } from '../../src/adapters/outbound/archive/archive-reader.js';
import { FolderRestoredArtifacts } from '../../src/adapters/outbound/artifacts/folder-restored-artifacts.js';
import { FolderRestoredStores } from '../../src/adapters/outbound/git/folder-restored-stores.js';
import { STORED_TABLES } from '../../src/adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../../src/adapters/outbound/security/sha256-digest.js';
import type { ArchivedArtifact } from '../../src/application/storage/ports/archived-artifacts.js';
import { restoreArchive } from '../../src/application/storage/restore.js';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { createArchiveCommands } from '../../src/infrastructure/archive-commands.js';
import { createStorageCommands } from '../../src/infrastructure/storage-commands.js';
import { migrateUnused, withEnds } from '../../src/infrastructure/storage-ends.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeDatabase } from '../support/databases.js';
import { temporaryFolder, withGit } from '../support/git.js';
import { crossedPairs } from '../support/selected-databases.js';
import { testConfig } from '../support/test-config.js';
import { TestService, type TestUser } from '../support/test-service.js';

const KEY = Buffer.alloc(32, 7);
const CI = `build: { script: make, parallel: 3, artifacts: { paths: [out/] } }`;
const CONTENTS = ['first', 'x'.repeat(300_000), 'third'] as const;

withGit('an archive with files of CI jobs', () => {
  // Rows of all pairs: `archive.test.ts`.
  for (const [from, to] of crossedPairs())
    describeDatabase(from, 'an archive with files of CI jobs', (openSource) =>
      describeDatabase(to, 'restored into another database', (openTarget) => {
        let source: string;
        let service: TestService;
        let ada: TestUser;
        let project: CodeProject;
        const jobs: TakenJob[] = [];
        const root = temporaryFolder();
        const folderOf = (place: string): string => join(place, 'artifacts');
        const settingsAt = (place: string): Partial<Config> => ({
          repositoriesDirectory: join(place, 'repositories'),
          artifactsDirectory: folderOf(place),
        });

        const commandsOn = (url: string, place: string, more: Partial<Config> = {}) => {
          const told: string[] = [];
          const secretKey = new Sensitive(KEY.toString('base64'));
          const parts = {
            config: () => testConfig(url, { secretKey, ...settingsAt(place), ...more }),
            environment: {},
            print: (line: string) => void told.push(line),
            tell: (line: string) => void told.push(line),
          };
          return { ...createArchiveCommands(parts), ...createStorageCommands(parts), told };
        };

        const filesIn = (place: string): readonly string[] =>
          existsSync(folderOf(place))
            ? readdirSync(folderOf(place), { recursive: true, withFileTypes: true })
                .filter((each) => each.isFile())
                .map(({ name }) => name)
                .sort()
            : [];

        const keysOf = async (job: TakenJob) => {
          const rows = await service.service.database.reader.query('ci_artifacts').where({ job_id: job.id });
          return rows.map(({ file_key: key }) => key);
        };

        const backUp = async (options: object = {}) => {
          const file = join(temporaryFolder(), 'backup.ghb');
          const commands = commandsOn(source, root);
          await commands.backup({ to: file, format: 'archive', ...options });
          return { file, told: commands.told };
        };

        /** Restores as the command does, with another end for the files of jobs; `meanwhile` happens before anything appears. */
        const restoreUntil = async (
          failing: (end: () => Promise<void>) => Promise<void>,
          { file, target, place }: Readonly<Record<'file' | 'target' | 'place', string>>,
          meanwhile?: () => void,
        ): Promise<void> => {
          class Failing extends FolderRestoredArtifacts {
            override async add(added: ArchivedArtifact): Promise<void> {
              await super.add(added);
              meanwhile?.();
            }
            override end(): Promise<void> {
              return failing(() => super.end());
            }
          }
          await migrateUnused(target);
          await withEnds([target], (end) =>
            restoreArchive(end, {
              ...{ tables: STORED_TABLES, startDigest: startSha256, open: () => openArchive(file), name: file },
              newMove: () => randomUUID().slice(0, 8),
              stores: new FolderRestoredStores(join(place, 'repositories')),
              artifacts: new Failing(folderOf(place)),
            }),
          );
        };

        /** What each job left, by the service on another database; null where that has nothing of it. */
        const readAt = async (url: string, place: string): Promise<readonly (string | null)[]> => {
          const restored = await TestService.start(url, settingsAt(place), KEY);
          try {
            return await Promise.all(
              jobs.map(async ({ id }) => {
                const address = `${restored.url}/api/v4/projects/${project.id}/jobs/${id}/artifacts`;
                const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': ada.token } });
                return answer.status === 200 ? answer.text() : null;
              }),
            );
          } finally {
            await restored.close();
          }
        };

        beforeAll(async () => {
          source = await openSource();
          service = await TestService.start(source, settingsAt(root), KEY);
          ada = await service.addUser('ada');
          project = await pushCodeProject(service, ada, { name: 'mill' });
          const runner = await TestRunner.make(service, ada, {
            ...{ runner_type: 'project_type', project_id: project.id, run_untagged: true },
          });
          await pushesFollowed(service);
          await service.call('POST', `/projects/${project.id}/repository/commits`, {
            token: ada.token,
            json: {
              ...{ branch: 'main', commit_message: 'Build' },
              actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: CI }],
            },
          });
          await pushesFollowed(service);
          for (const content of CONTENTS) {
            const job = (await runner.take())!;
            expect(await runner.leave(job, Buffer.from(content))).toMatchObject({ status: 201 });
            jobs.push(job);
          }
        });
        afterAll(() => service.close());

        it('brings back every file while it is served, and leaves nothing beside it', async () => {
          const { file, told } = await backUp({ verify: true });
          expect(told[0]).toMatch(/^Wrote \d+ rows, \d+ repositories and 3 files of CI jobs\.$/);
          expect(told).toContain('Read it again: everything is as it was written.');
          expect(readdirSync(folderOf(root)).filter((name) => name.startsWith('backup-'))).toEqual([]);
          const [target, place] = [await openTarget(), temporaryFolder()];
          const commands = commandsOn(target, place);
          await commands.restore({ from: file });
          expect(commands.told).toContain(`Restored 3 files of CI jobs into ${folderOf(place)}.`);
          expect(filesIn(place)).toEqual(filesIn(root));
          const [name] = filesIn(place) as [string];
          expect(statSync(join(folderOf(place), name.slice(0, 2), name)).mode & 0o777).toBe(0o600);
          expect(readdirSync(folderOf(place)).filter((each) => each.startsWith('restore-'))).toEqual([]);
          await commands.verifyStorage({ with: file });
          expect(await readAt(target, place)).toEqual(CONTENTS);
        });

        it('has what its rows name though files come and go meanwhile', async () => {
          const { database } = service.service;
          const stop = new AbortController();
          const [job] = jobs as [TakenJob];
          const changing = (async () => {
            const types = ['sast', 'dast', 'terraform'] as const;
            for (let count = 0; !stop.signal.aborted; count += 1) {
              const type = types[count % types.length]!;
              const form = new FormData();
              form.append('artifact_type', type);
              form.append('file', new Blob([`${type} ${count}`]), 'file');
              const headers = { 'JOB-TOKEN': job.token };
              const address = `${service.url}/api/v4/jobs/${job.id}/artifacts`;
              await (await fetch(address, { method: 'POST', headers, body: form })).arrayBuffer();
              const row = await database.reader.query('ci_artifacts').where({ job_id: job.id, type }).first();
              if (row === undefined) continue;
              await database.schema('ci_artifacts').where({ id: row.id }).delete();
              rmSync(join(folderOf(root), row.file_key.slice(0, 2), row.file_key));
            }
          })();
          const { file, told } = await backUp();
          stop.abort();
          await changing;
          expect(told).toHaveLength(2);
          const [target, place] = [await openTarget(), temporaryFolder()];
          await commandsOn(target, place).restore({ from: file });
          expect(filesIn(place).length).toBeGreaterThanOrEqual(3);
          expect(await readAt(target, place)).toEqual(CONTENTS);
        });

        it('says how many files are lost, and holds the others', async () => {
          const [lost] = await keysOf(jobs[1]!);
          const path = join(folderOf(root), lost!.slice(0, 2), lost!);
          const content = readFileSync(path);
          rmSync(path);
          const { file, told } = await backUp();
          writeFileSync(path, content);
          expect(told[0]).toMatch(/ and 2 files of CI jobs\.$/);
          expect(told[1]).toMatch(/^1 files of CI jobs are lost/);
          const [target, place] = [await openTarget(), temporaryFolder()];
          const restoring = commandsOn(target, place);
          await restoring.restore({ from: file });
          expect(restoring.told).toContain(
            '1 files of CI jobs were lost already when the archive was made: their rows have none.',
          );
          expect(await readAt(target, place)).toEqual([CONTENTS[0], null, CONTENTS[2]]);
        });

        it('is refused where none of the files is there, unless they are left out', async () => {
          const elsewhere = { artifactsDirectory: join(temporaryFolder(), 'not-mounted') };
          const file = join(temporaryFolder(), 'backup.ghb');
          const commands = commandsOn(source, root, elsewhere);
          await expect(commands.backup({ to: file, format: 'archive' })).rejects.toThrow(
            `None of the 3 files of CI jobs is in ${elsewhere.artifactsDirectory}.`,
          );
          expect(readdirSync(join(file, '..'))).toEqual([]);
          await commands.backup({ to: file, format: 'archive', withoutArtifacts: true });
        });

        it('goes into an empty folder, or leaves the files out', async () => {
          const { file } = await backUp();
          const place = temporaryFolder();
          const key = 'ab'.repeat(12);
          mkdirSync(join(folderOf(place), 'ab'), { recursive: true });
          writeFileSync(join(folderOf(place), 'ab', key), '');
          const commands = commandsOn(await openTarget(), place);
          await expect(commands.restore({ from: file })).rejects.toThrow(
            `There are files of CI jobs in ${folderOf(place)} already.`,
          );
          expect(existsSync(join(place, 'repositories'))).toBe(false);
          await commands.restore({ from: file, withoutArtifacts: true });
          expect(commands.told).toContain(
            `Files of CI jobs are not in the archive, or were left out: bring ${folderOf(place)} back beside it.`,
          );
          expect(filesIn(place)).toEqual([key]);

          for (const without of [{ withoutArtifacts: true }, {}] as const) {
            const rows = join(temporaryFolder(), 'rows.ghb');
            const setting = { backupArtifacts: without.withoutArtifacts === true };
            const written = commandsOn(source, root, setting);
            await written.backup({ to: rows, format: 'archive', ...without });
            expect(written.told[0]).toMatch(/ and 0 files of CI jobs\.$/);
            expect(written.told.at(-1)).toContain(`, and files of CI jobs (${folderOf(root)}).`);
            const empty = temporaryFolder();
            await commandsOn(await openTarget(), empty).restore({ from: rows });
            expect(filesIn(empty)).toEqual([]);
          }
        });

        it('is begun anew where a restore ended after some of its files were there, and not without the others', async () => {
          const { file } = await backUp();
          const moments: readonly ((end: () => Promise<void>) => Promise<void>)[] = [
            () => Promise.reject(new Error('the power fails')),
            async (end) => {
              await end();
              throw new Error('the power fails');
            },
          ];
          for (const failing of moments) {
            const [target, place] = [await openTarget(), temporaryFolder()];
            await expect(restoreUntil(failing, { file, target, place })).rejects.toThrow('the power fails');
            expect(existsSync(join(place, 'repositories', '@hashed'))).toBe(true);
            for (const folder of ['repositories', 'artifacts']) mkdirSync(join(place, folder, 'restore-killed'));
            const commands = commandsOn(target, place);
            await expect(commands.restore({ from: file, withoutArtifacts: true })).rejects.toThrow(
              `A restore into ${folderOf(place)} did not end`,
            );
            // Another database doesn't take the files of this one.
            await expect(commandsOn(await openTarget(), place).restore({ from: file })).rejects.toThrow('did not end');
            await commands.restore({ from: file });
            expect(await readAt(target, place)).toEqual(CONTENTS);
            for (const folder of ['repositories', 'artifacts'])
              expect(readdirSync(join(place, folder)).filter((name) => name.startsWith('restor'))).toEqual([]);
          }
        });

        it('puts nothing anywhere where files came into one of its folders meanwhile', async () => {
          const { file } = await backUp();
          const [target, place] = [await openTarget(), temporaryFolder()];
          const part = join(folderOf(place), 'ab');
          const refused = restoreUntil(
            (end) => end(),
            { file, target, place },
            () => {
              mkdirSync(part, { recursive: true });
              writeFileSync(join(part, 'ab'.repeat(12)), '');
            },
          );
          await expect(refused).rejects.toThrow(`There are files of CI jobs in ${folderOf(place)} already.`);
          expect(existsSync(join(place, 'repositories', '@hashed'))).toBe(false);
        });

        it('is restored where a version made it that left files of jobs out', async () => {
          const { file } = await backUp({ withoutArtifacts: true });
          const text = brotliDecompressSync(readFileSync(file)).toString();
          const former = `${file}.2`;
          writeFileSync(former, brotliCompressSync(text.replace('"formatVersion":3', '"formatVersion":2')));
          const [target, place] = [await openTarget(), temporaryFolder()];
          await commandsOn(target, place).restore({ from: former });
          expect(await readAt(target, place)).toEqual([null, null, null]);
          const later = `${file}.4`;
          writeFileSync(later, brotliCompressSync(text.replace('"formatVersion":3', '"formatVersion":4')));
          await expect(commandsOn(await openTarget(), place).restore({ from: later })).rejects.toThrow(
            'of another form',
          );
        });

        it('is refused where it is damaged, lacks a file, or has what no job left, and leaves nothing', async () => {
          const { file } = await backUp();
          const text = brotliDecompressSync(readFileSync(file)).toString();
          const refused = async (change: (text: string) => string, says: RegExp) => {
            const altered = join(temporaryFolder(), randomUUID());
            writeFileSync(altered, brotliCompressSync(change(text)));
            const place = temporaryFolder();
            await expect(commandsOn(await openTarget(), place).restore({ from: altered })).rejects.toThrow(says);
            expect([filesIn(place), existsSync(join(place, 'repositories', '@hashed'))]).toEqual([[], false]);
          };
          const atFile = /(\{"artifact":"[0-9a-f]{24}"[^\n]*\n)(.)/;
          await refused(
            (all) => all.replace(atFile, (_, begun: string, first: string) => `${begun}${first === 'A' ? 'B' : 'A'}`),
            /is damaged in the file [0-9a-f]{24} of a CI job\.$/,
          );
          await refused(
            (all) => all.replace(/\{"artifact":[^\n]*\n[^\n]*\n\{"sha256":[^\n]*\n/, ''),
            /has not as many files of CI jobs as it says\.$/,
          );
          const rowsAlone = await backUp({ withoutRepositories: true });
          const cut = brotliDecompressSync(readFileSync(rowsAlone.file))
            .toString()
            .replace(/\{"artifact":[^]*$/, '');
          await refused(() => cut, /is damaged: it ends too early\.$/);
          await refused(
            (all) => all.replace(/"artifact":"[0-9a-f]{24}"/, '"artifact":"../../../escaped"'),
            /a file that no CI job left/,
          );
          const something = /has something else where a file or its end should be\.$/;
          const same = '"sameAs":{"store":"a","path":"b"}';
          for (const line of [`{"artifact":"${'ab'.repeat(12)}",${same}}`, '{}', 'null', '[]', '{"end":1}'])
            await refused((all) => all.replace(/\{"artifact":/, `${line}\n$&`), something);
          await refused(
            (all) => all.replace(/(\{"artifact":"[0-9a-f]{24}"[^\n]*\n[^\n]*\n\{"sha256":[^\n]*\n)/, '$1$1'),
            /^The archive has a file twice\.$/,
          );
        });
      }),
    );
});
