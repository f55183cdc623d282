import { expect, it } from '@jest/globals';
import { BesideOlderProgram } from '../support/beside-older-program.js';
import { describeDatabase } from '../support/databases.js';
import { LabelledGroups, type LabelBody, type LabelledIssue } from '../support/labelled-groups.js';
import { keptPrograms } from '../support/release-program.js';
import { selectedDatabases } from '../support/selected-databases.js';

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  for (const release of keptPrograms())
    describeDatabase(database, `labels of groups beside ${release}`, (openTestDatabase) => {
      it('are found there on all that has them, as labels of the project, and what is done there fails neither here nor there', async () => {
        const both = await BesideOlderProgram.start(await openTestDatabase(), release);
        try {
          const { service } = both;
          const ada = await service.addUser('ada');
          const groups = new LabelledGroups(service, ada);
          const group = await groups.group();
          const project = await groups.project(group);
          await groups.label(`/groups/${group}`, 'bug', { color: '#00ff00' });
          await groups.label(`/groups/${group}`, 'unused');
          await groups.issue(project, 'bug');
          const ask = <Body>(method: string, path: string, json?: object) =>
            both.askOlder<Body>(ada, method, `/projects/${project}${path}`, json);
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
          await both.close();
        }
      });
    });
