import { expect, it } from '@jest/globals';
import { BesideOlderProgram } from '../support/beside-older-program.js';
import { describeDatabase } from '../support/databases.js';
import { PlannedGroups, type MilestoneBody, type PlannedBody } from '../support/planned-groups.js';
import { keptPrograms } from '../support/release-program.js';
import { selectedDatabases } from '../support/selected-databases.js';

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  for (const release of keptPrograms())
    describeDatabase(database, `milestones of groups beside ${release}`, (openTestDatabase) => {
      it('are found there on all that is planned for them, as milestones of the project, and what is done there is set right', async () => {
        const both = await BesideOlderProgram.start(await openTestDatabase(), release);
        try {
          const { service } = both;
          const ada = await service.addUser('ada');
          const groups = new PlannedGroups(service, ada);
          const group = await groups.group();
          const project = await groups.project(group);
          const { id } = await groups.milestone(`/groups/${group}`, '1.0');
          await groups.planned(project, { milestone_id: id });
          const ask = <Body>(method: string, path: string, json?: object) =>
            both.askOlder<Body>(ada, method, `/projects/${project}${path}`, json);
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
          await both.close();
        }
      });
    });
