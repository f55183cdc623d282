import { expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/infrastructure/migrate-database.js';
import { describeDatabase } from '../support/databases.js';
import { PlannedGroups, type MilestoneBody, type PlannedBody } from '../support/planned-groups.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { keptPrograms, takeBackTo, unpackProgram } from '../support/release-program.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { onDatabase } from '../support/stores.js';
import { SECRET_KEY, TestService } from '../support/test-service.js';

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  for (const release of keptPrograms())
    describeDatabase(database, `milestones of groups beside ${release}`, (openTestDatabase) => {
      it('are found there on all that is planned for them, as milestones of the project, and what is done there is set right', async () => {
        const url = await openTestDatabase();
        const before = await unpackProgram(release);
        await takeBackTo(url, before.migrations);
        const settings = { DATABASE_URL: url, SECRET_KEY: SECRET_KEY.toString('base64'), PORT: '0' };
        const older = await ServiceProcess.run([before.main, 'serve'], settings);
        await onDatabase(url, (opened) => migrateDatabase(opened, new RecordingLogger()));
        const service = await TestService.start(url);
        try {
          const ada = await service.addUser('ada');
          const groups = new PlannedGroups(service, ada);
          const group = await groups.group();
          const project = await groups.project(group);
          const { id } = await groups.milestone(`/groups/${group}`, '1.0');
          await groups.planned(project, { milestone_id: id });
          const ask = async <Body>(method: string, path: string, json?: object) => {
            const headers = { 'Private-Token': ada.token, 'Content-Type': 'application/json' };
            const body = json === undefined ? {} : { body: JSON.stringify(json) };
            const answer = await fetch(`${older.url}/api/v4/projects/${project}${path}`, { method, headers, ...body });
            return { status: answer.status, body: (await answer.json()) as Body };
          };
          const [listed] = (await ask<readonly MilestoneBody[]>('GET', '/milestones')).body;
          expect(listed).toMatchObject({ title: '1.0', project_id: project });
          const issues = `/issues?milestone=${encodeURIComponent('1.0')}`;
          expect((await ask<readonly PlannedBody[]>('GET', issues)).body).toHaveLength(1);
          const opened = await ask<PlannedBody>('POST', '/issues', { title: 'there', milestone_id: listed!.id });
          expect(opened).toMatchObject({ status: 201, body: { milestone: { title: '1.0' } } });
          const planned = async () =>
            (await groups.call<readonly PlannedBody[]>('GET', `/groups/${group}/milestones/${id}/issues`)).body;
          expect((await planned()).map(({ milestone }) => milestone?.id)).toEqual([id, id]);
          const renamed = await ask<MilestoneBody>('PUT', `/milestones/${listed!.id}`, { title: 'otherwise' });
          expect(renamed.status).toBe(200);
          await groups.planned(project, { milestone_id: id });
          const changed = await groups.call('PUT', `/groups/${group}/milestones/${id}`, { title: '2.0' });
          expect(changed.status).toBe(200);
          expect((await planned()).map(({ milestone }) => milestone?.title)).toEqual(['2.0', '2.0', '2.0']);
          expect((await ask<readonly PlannedBody[]>('GET', '/issues?milestone=2.0')).body).toHaveLength(3);
        } finally {
          await service.close();
          await older.end('SIGTERM');
          before.remove();
        }
      });
    });
