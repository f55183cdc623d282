import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { pushesFollowed, TestRunner } from '../support/ci-runner.js';
import { pushCodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { temporaryFolder, withGit } from '../support/git.js';
import { ServiceProcess } from '../support/service-process.js';
import { runStorage } from '../support/storage-kills.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
/** The clock comes round each minute. */
const PATIENCE_MS = 150_000;
const NAME = /^gatehouse-\d{8}T\d{6}Z\.ghb$/;

describeEachDatabase('backups by the clock', (openTestDatabase) => {
  it('are written while serving, counted, can be compared with what is served, and the oldest are removed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
    const url = await openTestDatabase();
    writeFileSync(join(directory, 'notes.txt'), 'of somebody else');
    const old = ['20200101T030000', '20200102T030000'].map((time) => `gatehouse-${time}Z.ghb`);
    const killed = `${old[0]}.0123abcd.partial`;
    for (const name of [...old, killed]) writeFileSync(join(directory, name), '');
    const service = await ServiceProcess.start({
      DATABASE_URL: url,
      SECRET_KEY: KEY,
      ROOT_PASSWORD: 'a-difference-engine',
      REPOSITORIES_DIR: join(directory, 'repositories'),
      BACKUP_SCHEDULE: '* * * * *',
      BACKUP_DIR: directory,
      BACKUP_KEEP: '1',
    });
    try {
      const written = async (): Promise<number> => {
        const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
        return Number(/gatehouse_backups_total\{outcome="written"\} (\d+)/.exec(metrics)?.[1]);
      };
      await until(async () => (await written()) >= 1, PATIENCE_MS);
    } finally {
      expect(await service.end('SIGTERM')).toBe(0);
    }
    const archives = readdirSync(directory)
      .filter((name) => NAME.test(name))
      .sort();
    expect(archives).toHaveLength(1);
    expect(readdirSync(directory)).toContain('notes.txt');
    for (const name of [...old, killed]) expect(readdirSync(directory)).not.toContain(name);
    expect(await runStorage(url, 'verify', '--with', join(directory, archives[0] ?? ''))).toBe(0);
    rmSync(directory, { recursive: true });
  });
});

withGit('backups by the clock where files of CI jobs are gone', () => {
  describeEachDatabase('backups that lack files', (openTestDatabase) => {
    it('push out no older one while some are lost, and fail where none is there', async () => {
      const directory = temporaryFolder();
      const url = await openTestDatabase();
      const folders = {
        repositoriesDirectory: join(directory, 'repositories'),
        artifactsDirectory: join(directory, 'artifacts'),
      };
      const preparing = await TestService.start(url, folders, Buffer.from(KEY, 'base64'));
      await leaveTwoFiles(preparing);
      await preparing.close();
      const files = () =>
        readdirSync(folders.artifactsDirectory, { recursive: true, encoding: 'utf8' }).filter((path) =>
          /^[0-9a-f]{2}\/[0-9a-f]{24}$/.test(path),
        );
      expect(files()).toHaveLength(2);
      rmSync(join(folders.artifactsDirectory, files()[0]!));
      const backups = join(directory, 'backups');
      mkdirSync(backups);
      const old = 'gatehouse-20200101T030000Z.ghb';
      writeFileSync(join(backups, old), '');
      const service = await ServiceProcess.start({
        ...{
          DATABASE_URL: url,
          SECRET_KEY: KEY,
          BACKUP_SCHEDULE: '* * * * *',
          BACKUP_DIR: backups,
          BACKUP_KEEP: '1',
        },
        ...{ REPOSITORIES_DIR: folders.repositoriesDirectory, ARTIFACTS_DIR: folders.artifactsDirectory },
      });
      try {
        const counted = async (outcome: string): Promise<number> => {
          const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
          return Number(new RegExp(`gatehouse_backups_total\\{outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1]);
        };
        await until(async () => (await counted('written')) >= 1, PATIENCE_MS);
        expect(readdirSync(backups)).toContain(old);
        rmSync(join(folders.artifactsDirectory, files()[0]!));
        await until(async () => (await counted('failed')) >= 1, PATIENCE_MS);
        expect(readdirSync(backups)).toContain(old);
      } finally {
        await service.end('SIGTERM');
      }
    });
  });
});

/** A job for each. */
const leaveTwoFiles = async (service: TestService): Promise<void> => {
  const ada = await service.addUser('ada');
  const project = await pushCodeProject(service, ada, { name: 'mill' });
  const runner = await TestRunner.make(service, ada, {
    ...{ runner_type: 'project_type', project_id: project.id, run_untagged: true },
  });
  await pushesFollowed(service);
  const content = 'build: { script: make, parallel: 2, artifacts: { paths: [out/] } }';
  const json = {
    ...{ branch: 'main', commit_message: 'Build' },
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content }],
  };
  await service.call('POST', `/projects/${project.id}/repository/commits`, { token: ada.token, json });
  await pushesFollowed(service);
  for (const text of ['first', 'second'])
    expect(await runner.leave((await runner.take())!, Buffer.from(text))).toMatchObject({ status: 201 });
};
