import { expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/infrastructure/migrate-database.js';
import { describeDatabase } from '../support/databases.js';
import { LabelledGroups, type LabelBody, type LabelledIssue } from '../support/labelled-groups.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { keptPrograms, takeBackTo, unpackProgram } from '../support/release-program.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { onDatabase } from '../support/stores.js';
import { SECRET_KEY, TestService } from '../support/test-service.js';

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  for (const release of keptPrograms())
    describeDatabase(database, `labels of groups beside ${release}`, (openTestDatabase) => {
      it('are found there on all that has them, as labels of the project, and what is done there fails neither here nor there', async () => {
        const url = await openTestDatabase();
        const before = await unpackProgram(release);
        await takeBackTo(url, before.migrations);
        const settings = { DATABASE_URL: url, SECRET_KEY: SECRET_KEY.toString('base64'), PORT: '0' };
        const older = await ServiceProcess.run([before.main, 'serve'], settings);
        await onDatabase(url, (opened) => migrateDatabase(opened, new RecordingLogger()));
        const service = await TestService.start(url);
        try {
          const ada = await service.addUser('ada');
          const groups = new LabelledGroups(service, ada);
          const group = await groups.group();
          const project = await groups.project(group);
          await groups.label(`/groups/${group}`, 'bug', { color: '#00ff00' });
          await groups.label(`/groups/${group}`, 'unused');
          await groups.issue(project, 'bug');
          const ask = async <Body>(method: string, path: string, json?: object) => {
            const headers = { 'Private-Token': ada.token, 'Content-Type': 'application/json' };
            const body = json === undefined ? {} : { body: JSON.stringify(json) };
            const answer = await fetch(`${older.url}/api/v4/projects/${project}${path}`, { method, headers, ...body });
            return { status: answer.status, body: (await answer.json()) as Body };
          };
          const listed = await ask<readonly LabelBody[]>('GET', '/labels');
          expect(listed.body).toMatchObject([{ name: 'bug', color: '#00ff00' }]);
          expect((await ask<readonly LabelledIssue[]>('GET', '/issues?labels=bug')).body).toHaveLength(1);
          const opened = await ask<LabelledIssue>('POST', '/issues', { title: 'there', labels: 'bug,unused' });
          expect([opened.status, opened.body.labels]).toEqual([201, ['bug', 'unused']]);
          // Their clocks differ, and so does the order.
          const numbersWith = async (name: string) => (await groups.issuesWith(project, name)).toSorted();
          expect(await numbersWith('bug')).toEqual([1, 2]);
          // There it became a label of the project.
          expect(await groups.namesOf(`/projects/${project}`, '?include_ancestor_groups=false')).toEqual(['unused']);
          const renamed = await ask<LabelBody>('PUT', '/labels/bug', { new_name: 'defect', color: '#000000' });
          expect(renamed.status).toBe(200);
          await groups.issue(project, 'bug');
          const changed = await groups.call('PUT', `/groups/${group}/labels/bug`, { new_name: 'crack' });
          expect(changed.status).toBe(200);
          expect(await numbersWith('crack')).toEqual([1, 2, 3]);
          expect((await ask<readonly LabelledIssue[]>('GET', '/issues?labels=crack')).body).toHaveLength(3);
        } finally {
          await service.close();
          await older.end('SIGTERM');
          before.remove();
        }
      });
    });
