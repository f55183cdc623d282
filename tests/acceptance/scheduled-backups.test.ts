import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { clockAhead } from '../support/clock-ahead.js';
import { pushesFollowed, TestRunner } from '../support/ci-runner.js';
import { pushCodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { temporaryFolder, withGit } from '../support/git.js';
import { ServiceProcess } from '../support/service-process.js';
import { runStorage } from '../support/storage-kills.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const [EACH_MINUTE, EACH_HOUR] = ['* * * * *', '0 * * * *'];
const NAME = /^gatehouse-\d{8}T\d{6}Z\.ghb$/;

/** A service whose clock stands a second before it is due, until it is ready. @param due as the scheduler has it. */
const startBeforeBackup = async (
  settings: Readonly<Record<string, string>>,
  due = EACH_MINUTE,
): Promise<ServiceProcess> => {
  const clock = clockAhead(temporaryFolder(), due, 1_000);
  const service = await ServiceProcess.start({
    SECRET_KEY: KEY,
    BACKUP_SCHEDULE: EACH_MINUTE,
    ...settings,
    ...clock.settings,
  });
  clock.go();
  return service;
};

/** How many backups came to this, once there is one. */
const backupTo = async ({ url }: ServiceProcess, outcome: 'written' | 'failed'): Promise<void> =>
  until(async () => {
    const metrics = await (await fetch(`${url}/-/metrics`)).text();
    return Number(new RegExp(`gatehouse_backups_total\\{outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1]) >= 1;
  });

describeEachDatabase('backups by the clock', (openTestDatabase) => {
  it('are written while serving, counted, can be compared with what is served, and the oldest are removed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
    const url = await openTestDatabase();
    writeFileSync(join(directory, 'notes.txt'), 'of somebody else');
    const old = ['20200101T030000', '20200102T030000'].map((time) => `gatehouse-${time}Z.ghb`);
    const killed = `${old[0]}.0123abcd.partial`;
    for (const name of [...old, killed]) writeFileSync(join(directory, name), '');
    const service = await startBeforeBackup({
      DATABASE_URL: url,
      ROOT_PASSWORD: 'a-difference-engine',
      REPOSITORIES_DIR: join(directory, 'repositories'),
      BACKUP_DIR: directory,
      BACKUP_KEEP: '1',
    });
    try {
      await backupTo(service, 'written');
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
      const settings = {
        ...{ DATABASE_URL: url, BACKUP_DIR: backups, BACKUP_KEEP: '1' },
        ...{ REPOSITORIES_DIR: folders.repositoriesDirectory, ARTIFACTS_DIR: folders.artifactsDirectory },
      };
      // There is one a minute at most.
      const dues = [
        ['written', EACH_MINUTE],
        ['failed', EACH_HOUR],
      ] as const;
      for (const [outcome, due] of dues) {
        const service = await startBeforeBackup(settings, due);
        try {
          await backupTo(service, outcome);
        } finally {
          await service.end('SIGTERM');
        }
        expect(readdirSync(backups)).toContain(old);
        if (outcome === 'written') rmSync(join(folders.artifactsDirectory, files()[0]!));
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
