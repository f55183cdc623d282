import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countRetries } from '../support/count-retries.js';
import { describeEachDatabase } from '../support/databases.js';
import { PlannedGroups, type PlannedBody } from '../support/planned-groups.js';
import { playRounds, timesOf } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const ROUNDS = timesOf(12, 60);

describeEachDatabase('milestones of groups', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let developer: TestUser;
  let groups: PlannedGroups;
  let retries: () => number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, developer] = [await service.addUser('ada'), await service.addUser('developer')];
    groups = new PlannedGroups(service, ada);
    retries = countRetries(service.service.database);
  });

  afterAll(() => service.close());

  const milestoneOf = async (project: number, iid: number) =>
    (await groups.call<PlannedBody>('GET', `/projects/${project}/issues/${iid}`)).body.milestone;

  const move = async (path: string, json: object) => {
    const { status, body } = await groups.call(path.startsWith('/groups') ? 'POST' : 'PUT', `${path}/transfer`, json);
    if (status > 201) throw new Error(JSON.stringify(body));
  };

  it('stay with what is planned in a project that is moved out of the group, as its own', async () => {
    const [from, to] = [await groups.group(), await groups.group()];
    const project = await groups.project(from);
    const { id } = await groups.milestone(`/groups/${from}`, '1.0', { due_date: '2026-12-24' });
    await groups.milestone(`/groups/${from}`, 'unused');
    const { iid } = await groups.planned(project, { milestone_id: id });
    await move(`/projects/${project}`, { namespace: to });
    const kept = await milestoneOf(project, iid);
    expect(kept).toMatchObject({ project_id: project, title: '1.0', due_date: '2026-12-24' });
    expect(await groups.titlesOf(`/projects/${project}`, '?include_ancestors=true')).toEqual(['1.0']);
    await groups.call('DELETE', `/groups/${from}/milestones/${id}`);
    expect(await milestoneOf(project, iid)).toEqual(kept);
    const listed = await groups.milestonesOf(`/projects/${project}`);
    expect(listed).toEqual([kept]);
  });

  it('are described once, whatever uses them, and take the description along when they stay in what is moved', async () => {
    const [from, to] = [await groups.group(), await groups.group()];
    const projects = [await groups.project(from), await groups.project(from)];
    const { id } = await groups.milestone(`/groups/${from}`, '1.0', { description: 'Of old' });
    const planned = [];
    for (const project of projects) planned.push(await groups.planned(project, { milestone_id: id }));
    await groups.call('PUT', `/groups/${from}/milestones/${id}`, { description: 'Whatever comes' });
    const { query } = service.service.database.reader;
    const rows = (await query('milestones').whereIn('project_id', projects).select('description')) as unknown[];
    expect(rows).toEqual([{ description: '' }, { description: '' }]);
    await move(`/projects/${projects[0]!}`, { namespace: to });
    for (const [at, project] of projects.entries())
      expect(await milestoneOf(project, planned[at]!.iid)).toMatchObject({ description: 'Whatever comes' });
    expect(await groups.titlesOf(`/projects/${projects[0]!}`, '?search=whatever+COMES')).toEqual(['1.0']);
  });

  it('are too long, all of them, to be copied with one move of very many: nothing is moved', async () => {
    const [from, to] = [await groups.group(), await groups.group()];
    const below = await groups.group({ parent_id: from });
    const project = await groups.project(below);
    const description = 'a'.repeat(1_000_000);
    for (let number = 0; number < 11; number += 1) {
      const { id } = await groups.milestone(`/groups/${from}`, `${number}.0`, { description });
      await groups.planned(project, { milestone_id: id });
    }
    const refused = {
      status: 400,
      body: { message: 'Transfer failed: The descriptions of the milestones that would be copied are too long.' },
    };
    expect(await groups.call('PUT', `/projects/${project}/transfer`, { namespace: to })).toMatchObject(refused);
    expect(await groups.call('POST', `/groups/${below}/transfer`, { group_id: to })).toMatchObject(refused);
    expect(await groups.titlesOf(`/projects/${project}`)).toEqual([]);
    await groups.call('DELETE', `/groups/${from}/milestones/${(await groups.milestonesOf(`/groups/${from}`))[0]!.id}`);
    await move(`/groups/${below}`, { group_id: to });
    expect(await groups.titlesOf(`/projects/${project}`)).toHaveLength(10);
  });

  it('follow a group that is moved where they are above it still, and stay behind in its projects elsewhere', async () => {
    const [top, other] = [await groups.group(), await groups.group()];
    const below = await groups.group({ parent_id: top });
    const project = await groups.project(below);
    const far = await groups.milestone(`/groups/${top}`, 'far');
    const near = await groups.milestone(`/groups/${below}`, 'near');
    const [one, two] = [
      await groups.planned(project, { milestone_id: far.id }),
      await groups.planned(project, { milestone_id: near.id }),
    ];
    await move(`/groups/${below}`, { group_id: other });
    expect(await milestoneOf(project, one.iid)).toMatchObject({ project_id: project, title: 'far' });
    expect(await milestoneOf(project, two.iid)).toEqual({ ...near, web_url: expect.any(String) });
  });

  it('are kept by the title where an issue is moved to another project that has it', async () => {
    const group = await groups.group();
    const [from, to, outside] = [
      await groups.project(group),
      await groups.project(group),
      await groups.project(undefined),
    ];
    const milestone = await groups.milestone(`/groups/${group}`, '1.0');
    const moved = async (target: number) => {
      const { iid } = await groups.planned(from, { milestone_id: milestone.id });
      return (await groups.call<PlannedBody>('POST', `/projects/${from}/issues/${iid}/move`, { to_project_id: target }))
        .body.milestone;
    };
    expect(await moved(to)).toEqual(milestone);
    expect(await moved(outside)).toBeNull();
  });

  it('are gone with their group', async () => {
    const group = await groups.group();
    const project = await groups.project(group);
    const { id } = await groups.milestone(`/groups/${group}`, 'gone');
    await groups.planned(project, { milestone_id: id });
    expect((await groups.call('DELETE', `/groups/${group}`)).status).toBe(202);
    const { query } = service.service.database.reader;
    await until(async () => (await query('group_milestones').where({ title: 'gone' })).length === 0);
    expect(await query('milestones').where({ title: 'gone' })).toEqual([]);
  });

  it('are made of those of projects, with what is planned for the ones of that title below', async () => {
    const top = await groups.group();
    const below = await groups.group({ parent_id: top });
    const [one, two, apart] = [await groups.project(top), await groups.project(below), await groups.project(below)];
    const first = await groups.milestone(`/projects/${one}`, '1.0', { due_date: '2026-12-24', description: 'All' });
    const second = await groups.milestone(`/projects/${two}`, '1.0');
    const other = await groups.milestone(`/projects/${apart}`, '2.0');
    const issues = [
      await groups.planned(one, { milestone_id: first.id }),
      await groups.planned(two, { milestone_id: second.id }),
      await groups.planned(apart, { milestone_id: other.id }),
    ];
    const path = `/projects/${one}/milestones/${first.id}/promote`;
    await groups.join(`/projects/${one}`, developer, 30);
    expect((await groups.call('POST', path, {}, developer)).status).toBe(404);
    const { status, body } = await groups.call('POST', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ group_id: top, iid: 1, title: '1.0', due_date: '2026-12-24', description: 'All' });
    expect(await milestoneOf(one, issues[0]!.iid)).toEqual(body);
    expect(await milestoneOf(two, issues[1]!.iid)).toEqual(body);
    expect(await milestoneOf(apart, issues[2]!.iid)).toMatchObject({ project_id: apart });
    expect(await groups.titlesOf(`/projects/${two}`)).toEqual([]);
    expect((await groups.call('POST', path)).status).toBe(404);
    const own = await groups.project(undefined);
    const lonely = await groups.milestone(`/projects/${own}`, '1.0');
    expect((await groups.call('POST', `/projects/${own}/milestones/${lonely.id}/promote`)).status).toBe(400);
  });

  /** Rows of projects that are of a group which isn't above the project, or that don't say what the milestone of the group says. */
  const astray = async () => {
    const { query } = service.service.database.reader;
    const rows = (await query('milestones')
      .join('group_milestones', 'group_milestones.id', 'milestones.group_milestone_id')
      .join('projects', 'projects.id', 'milestones.project_id')
      .join('namespaces', 'namespaces.id', 'projects.namespace_id')
      .select(
        { row: 'milestones.title', title: 'group_milestones.title' },
        { of: 'group_milestones.group_id', parent: 'namespaces.parent_id', holder: 'namespaces.id' },
      )) as { row: string; title: string; of: number; parent: number | null; holder: number }[];
    return rows.filter(({ row, title, of, parent, holder }) => row !== title || (of !== parent && of !== holder));
  };

  it('are of a group above each project that uses them, however it is moved while these are used, changed and removed', async () => {
    await playRounds(ROUNDS, async (round) => {
      const [one, two] = [await groups.group(), await groups.group()];
      const below = await groups.group({ parent_id: one });
      const [project, deep, last] = [await groups.project(one), await groups.project(below), await groups.project(one)];
      const { id } = await groups.milestone(`/groups/${one}`, `moved ${round}`);
      const issue = await groups.planned(project);
      const path = `/groups/${one}/milestones/${id}`;
      const answers = await Promise.all([
        groups.call('PUT', `/projects/${project}/issues/${issue.iid}`, { milestone_id: id }),
        groups.call('PUT', `/projects/${project}/transfer`, { namespace: two }),
        groups.call('POST', `/groups/${below}/transfer`, { group_id: two }),
        ...[deep, last, last].map((where) =>
          groups.call('POST', `/projects/${where}/issues`, { title: 'x', milestone_id: id }),
        ),
        round % 3 === 0 ? groups.call('DELETE', path) : groups.call('PUT', path, { title: `changed ${round}` }),
      ]);
      const refused = answers.map(({ status }) => status).filter((status) => status >= 400);
      // Who plans something for what is removed, or moved away from, at that moment is told that there is no such milestone.
      expect([round, refused.filter((status) => ![400, 409].includes(status))]).toEqual([round, []]);
    });
    expect(await astray()).toEqual([]);
    expect(service.logger.troubles.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('and none of it ends in a deadlock', () => {
    expect(retries()).toBe(0);
  });
});
