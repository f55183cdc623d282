import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { MAX_MILESTONES_OF_GROUP } from '../../src/domain/planning/milestone.js';
import { describeEachDatabase } from '../support/databases.js';
import { PlannedGroups, type MilestoneBody, type PlannedBody } from '../support/planned-groups.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('milestones of groups', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let developer: TestUser;
  let reporter: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let groups: PlannedGroups;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, developer, reporter, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('developer'),
      await service.addUser('reporter'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
    groups = new PlannedGroups(service, ada);
  });

  afterAll(() => service.close());

  describe('by the API of groups', () => {
    it('are made, read, changed, closed and removed by developers, and told with their group', async () => {
      const group = await groups.group({ path: 'planners', name: 'Planners' });
      await groups.join(`/groups/${group}`, developer, 30);
      const path = `/groups/${group}/milestones`;
      const fields = { title: '1.0', description: 'All of it', start_date: '2026-03-01', due_date: '2026-03-31' };
      const made = await groups.call('POST', path, fields, developer);
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        ...fields,
        id: expect.any(Number),
        iid: 1,
        group_id: group,
        state: 'active',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        web_url: expect.stringMatching(/\/groups\/planners\/-\/milestones\/1$/),
      });
      const one = `${path}/${made.body.id}`;
      expect((await groups.call('GET', one)).body).toEqual(made.body);
      const changed = await groups.call('PUT', one, { title: '1.1', due_date: '', state_event: 'close' }, developer);
      expect(changed).toMatchObject({ status: 200, body: { title: '1.1', due_date: null, state: 'closed' } });
      expect((await groups.call('PUT', one, { state_event: 'activate' }, developer)).body.state).toBe('active');
      expect((await groups.call('PUT', one, { start_date: '2026-05-01', due_date: '2026-04-01' })).status).toBe(400);
      expect((await groups.call('DELETE', one, undefined, developer)).status).toBe(204);
      expect((await groups.call('GET', one)).status).toBe(404);
    });

    it('have numbers of their own within the group, which are never given again', async () => {
      const group = await groups.group();
      const path = `/groups/${group}`;
      const [first, second] = [await groups.milestone(path, '1'), await groups.milestone(path, '2')];
      await groups.call('DELETE', `${path}/milestones/${second.id}`);
      const third = await groups.milestone(path, '3');
      expect([first.iid, second.iid, third.iid]).toEqual([1, 2, 3]);
    });

    it('are no more than a group may have', async () => {
      const group = await groups.group();
      const at = service.service.database.reader.dialect.writeInstant(service.clock.now());
      const rows = Array.from({ length: MAX_MILESTONES_OF_GROUP - 1 }, (_, place) => ({
        ...{ group_id: group, iid: 2_000 + place, title: `${place}`, description: '', search_key: '' },
        ...{ state: 'active', start_date: null, due_date: null, created_at: at, updated_at: at },
      }));
      await service.service.database.schema.batchInsert('group_milestones', rows, 50);
      await groups.milestone(`/groups/${group}`, 'the last');
      const message = `A group has no more than ${MAX_MILESTONES_OF_GROUP} milestones.`;
      const refused = { status: 400, body: { message } };
      expect(await groups.call('POST', `/groups/${group}/milestones`, { title: 'more' })).toMatchObject(refused);
      const project = await groups.project(group);
      const { id } = await groups.milestone(`/projects/${project}`, 'more');
      expect(await groups.call('POST', `/projects/${project}/milestones/${id}/promote`)).toMatchObject(refused);
    });

    it('are listed as asked, with those of the groups above', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      await groups.milestone(`/groups/${top}`, 'top', { due_date: '2026-01-01', description: 'The First' });
      const closed = await groups.milestone(`/groups/${below}`, 'below', { due_date: '2026-02-01' });
      await groups.milestone(`/groups/${below}`, 'other');
      await groups.call('PUT', `/groups/${below}/milestones/${closed.id}`, { state_event: 'close' });
      const titles = (query: string): Promise<readonly string[]> => groups.titlesOf(`/groups/${below}`, query);
      expect(await titles('')).toEqual(['below', 'other']);
      expect(await titles('?include_ancestors=true')).toEqual(['top', 'below', 'other']);
      expect(await titles('?include_parent_milestones=true&state=active')).toEqual(['top', 'other']);
      expect(await titles('?include_ancestors=true&search=first')).toEqual(['top']);
      expect(await titles('?state=closed')).toEqual(['below']);
      expect(await titles('?title=other')).toEqual(['other']);
      expect(await titles('?iids[]=2')).toEqual(['other']);
      expect(await titles('?updated_before=2001-01-01')).toEqual([]);
    });

    it.each([
      ['a guest', (): TestUser => guest, 200, 403],
      ['a reporter', (): TestUser => reporter, 200, 403],
      ['a stranger', (): TestUser => stranger, 404, 404],
      ['a visitor', (): null => null, 404, 401],
    ] as const)('show %s of a private group no more than they may see', async (_, who, reads, writes) => {
      const group = await groups.group();
      await groups.join(`/groups/${group}`, guest, 10);
      await groups.join(`/groups/${group}`, reporter, 20);
      const { id } = await groups.milestone(`/groups/${group}`, 'secret');
      const path = `/groups/${group}/milestones`;
      for (const read of [path, `${path}/${id}`, `${path}/${id}/issues`, `${path}/${id}/merge_requests`])
        expect((await groups.call('GET', read, undefined, who())).status).toBe(reads);
      const tries = [
        await groups.call('POST', path, { title: 'mine' }, who()),
        await groups.call('PUT', `${path}/${id}`, { title: 'mine' }, who()),
        await groups.call('DELETE', `${path}/${id}`, undefined, who()),
      ];
      expect(tries.map(({ status }) => status)).toEqual([writes, writes, writes]);
      expect(await groups.titlesOf(`/groups/${group}`)).toEqual(['secret']);
    });

    it('have a title of their own among those of the group and of the groups above, and in projects', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const project = await groups.project(below);
      await groups.milestone(`/groups/${top}`, '1.0');
      const other = await groups.milestone(`/groups/${below}`, '2.0');
      const taken = { status: 400, body: { message: { title: ['has already been taken'] } } };
      for (const place of [`/groups/${top}`, `/groups/${below}`, `/projects/${project}`])
        expect(await groups.call('POST', `${place}/milestones`, { title: '1.0' })).toMatchObject(taken);
      const renamed = await groups.call('PUT', `/groups/${below}/milestones/${other.id}`, { title: '1.0' });
      expect(renamed).toMatchObject(taken);
      const own = await groups.milestone(`/projects/${project}`, '3.0');
      expect(await groups.call('PUT', `/projects/${project}/milestones/${own.id}`, { title: '2.0' })).toMatchObject(
        taken,
      );
    });

    it('are as gitbeaker asks for them', async () => {
      const group = await groups.group();
      const project = await groups.project(group);
      const api = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await api.GroupMilestones.create(group, 'beaker', { dueDate: '2026-12-24' });
      await api.Issues.create(project, 'planned', { milestoneId: id });
      expect(await api.GroupMilestones.show(group, id)).toMatchObject({ title: 'beaker', due_date: '2026-12-24' });
      expect(await api.GroupMilestones.allAssignedIssues(group, id)).toMatchObject([
        { title: 'planned', milestone: { id } },
      ]);
      expect(await api.GroupMilestones.allAssignedMergeRequests(group, id)).toEqual([]);
      await api.GroupMilestones.edit(group, id, { title: 'cup' });
      expect(await api.GroupMilestones.all(group)).toMatchObject([{ id, title: 'cup', group_id: group }]);
      await api.GroupMilestones.remove(group, id);
      expect(await api.GroupMilestones.all(group)).toEqual([]);
    });
  });

  describe('in projects', () => {
    it('are what issues of all projects below are planned for, found by title and told with the group', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const [one, two] = [await groups.project(top), await groups.project(below)];
      const milestone = await groups.milestone(`/groups/${top}`, '1.0');
      const planned = await groups.planned(one, { milestone_id: milestone.id, title: 'one' });
      const later = await groups.planned(two, { title: 'two' });
      const changed = await groups.call<PlannedBody>('PUT', `/projects/${two}/issues/${later.iid}`, {
        milestone_id: milestone.id,
      });
      for (const body of [planned, changed.body]) expect(body.milestone).toEqual(milestone);
      await groups.planned(one, { title: 'unplanned' });
      const titles = async (path: string) =>
        (await groups.call<readonly PlannedBody[]>('GET', path)).body.map(({ title }) => title);
      expect(await titles(`/groups/${top}/milestones/${milestone.id}/issues`)).toEqual(['two', 'one']);
      expect(await titles(`/groups/${top}/issues?milestone=1.0`)).toEqual(['two', 'one']);
      expect(await titles(`/projects/${two}/issues?milestone=1.0`)).toEqual(['two']);
      expect(await titles(`/projects/${one}/issues?not[milestone]=1.0`)).toEqual(['unplanned']);
      expect(await titles(`/projects/${one}/issues?milestone=None`)).toEqual(['unplanned']);
      const history = `/projects/${two}/issues/${later.iid}/resource_milestone_events`;
      expect((await groups.call<readonly object[]>('GET', history)).body).toMatchObject([
        { action: 'add', milestone: { id: milestone.id, group_id: top } },
      ]);
    });

    it('are what merge requests are planned for, too', async () => {
      const group = await groups.group();
      const project = await groups.project(group);
      const milestone = await groups.milestone(`/groups/${group}`, '1.0');
      for (const [branch, start] of [
        ['main', undefined],
        ['one', 'main'],
        ['two', 'main'],
      ] as const)
        await groups.call('POST', `/projects/${project}/repository/commits`, {
          ...{ branch, commit_message: 'More', ...(start === undefined ? {} : { start_branch: start }) },
          actions: [{ action: 'create', file_path: branch, content: 'smoke' }],
        });
      const open = async (branch: string, fields: object = {}) => {
        const path = `/projects/${project}/merge_requests`;
        const sent = { title: branch, source_branch: branch, target_branch: 'main', ...fields };
        return (await groups.call<PlannedBody>('POST', path, sent)).body;
      };
      const one = await open('one', { milestone_id: milestone.id });
      expect(one.milestone).toEqual(milestone);
      const { iid } = await open('two');
      const path = `/projects/${project}/merge_requests/${iid}`;
      expect((await groups.call<PlannedBody>('PUT', path, { milestone_id: milestone.id })).body.milestone).toEqual(
        milestone,
      );
      for (const list of [
        `/groups/${group}/milestones/${milestone.id}/merge_requests`,
        `/groups/${group}/merge_requests?milestone=1.0`,
        `/projects/${project}/merge_requests?milestone=1.0`,
      ]) {
        const { body } = await groups.call<readonly PlannedBody[]>('GET', list);
        expect([list, body.map(({ title }) => title)]).toEqual([list, ['two', 'one']]);
      }
      expect((await groups.call<PlannedBody>('PUT', path, { milestone_id: 0 })).body.milestone).toBeNull();
    });

    it('are listed beside those of the project where it is asked for, of each title the nearest', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const project = await groups.project(below);
      const path = `/projects/${project}`;
      await groups.milestone(path, 'own');
      await groups.milestone(`/groups/${below}`, 'shared');
      await groups.milestone(`/groups/${top}`, 'own');
      const far = await groups.milestone(`/groups/${top}`, 'far');
      expect(await groups.titlesOf(path)).toEqual(['own']);
      const all = await groups.milestonesOf(path, '?include_ancestors=true');
      expect(all.map(({ title, group_id: of, project_id: own }) => [title, of ?? own])).toEqual([
        ['own', project],
        ['shared', below],
        ['far', top],
      ]);
      await groups.planned(project, { milestone_id: far.id });
      expect(await groups.titlesOf(path)).toEqual(['own']);
      expect(await groups.titlesOf(path, '?include_parent_milestones=true&search=FA')).toEqual(['far']);
      expect((await groups.call('GET', `${path}/milestones/${far.id}`)).status).toBe(404);
    });

    it('are refused where the project has another one of that title, or is outside the group', async () => {
      const group = await groups.group();
      const [inside, outside] = [await groups.project(group), await groups.project(undefined)];
      await groups.milestone(`/projects/${inside}`, '1.0');
      const { id } = await groups.milestone(`/groups/${group}`, '1.0');
      for (const project of [inside, outside]) {
        const refused = await groups.call('POST', `/projects/${project}/issues`, { title: 'x', milestone_id: id });
        expect(refused).toMatchObject({
          status: 400,
          body: { message: { milestone_id: ['is none of this project'] } },
        });
      }
    });

    it('change with the milestone of the group, and are gone with it', async () => {
      const group = await groups.group();
      const project = await groups.project(group);
      const { id } = await groups.milestone(`/groups/${group}`, '1.0');
      const issue = await groups.planned(project, { milestone_id: id });
      await groups.call('PUT', `/groups/${group}/milestones/${id}`, {
        title: '1.1',
        due_date: '2026-06-01',
        state_event: 'close',
      });
      const read = () => groups.call<PlannedBody>('GET', `/projects/${project}/issues/${issue.iid}`);
      expect((await read()).body.milestone).toMatchObject({
        id,
        title: '1.1',
        due_date: '2026-06-01',
        state: 'closed',
      });
      const found = await groups.call<readonly object[]>('GET', `/projects/${project}/issues?milestone=1.1`);
      expect(found.body).toHaveLength(1);
      await groups.call('DELETE', `/groups/${group}/milestones/${id}`);
      expect((await read()).body.milestone).toBeNull();
    });

    it('may not be called like another one of a project that uses it', async () => {
      const group = await groups.group();
      const project = await groups.project(group);
      const { id } = await groups.milestone(`/groups/${group}`, '1.0');
      await groups.planned(project, { milestone_id: id });
      await groups.milestone(`/projects/${project}`, '2.0');
      const renamed = await groups.call('PUT', `/groups/${group}/milestones/${id}`, { title: '2.0' });
      expect(renamed).toMatchObject({
        status: 400,
        body: { message: { title: ['has already been taken in a project that uses the milestone'] } },
      });
      expect((await groups.call('GET', `/groups/${group}/milestones/${id}`)).body.title).toBe('1.0');
    });

    it('are chosen by quick actions, and known by their id to who is told', async () => {
      const group = await groups.group();
      const project = await groups.project(group);
      const milestone = await groups.milestone(`/groups/${group}`, 'next one');
      const opened = await groups.planned(project, { description: 'Text\n/milestone %"next one"' });
      expect(opened.milestone).toEqual(milestone);
      const { iid } = await groups.planned(project, {});
      const note = await groups.call<{ commands_changes?: object }>(
        'POST',
        `/projects/${project}/issues/${iid}/notes`,
        {
          body: '/milestone %"next one"',
        },
      );
      expect(note.body.commands_changes).toEqual({ milestone_id: milestone.id });
      const read = await groups.call<PlannedBody>('GET', `/projects/${project}/issues/${iid}`);
      expect(read.body.milestone).toEqual(milestone);
    });

    it('are what releases are made for, counting issues of all projects', async () => {
      const group = await groups.group();
      const [project, other] = [await groups.project(group), await groups.project(group)];
      const { id } = await groups.milestone(`/groups/${group}`, '1.0');
      await groups.planned(other, { milestone_id: id });
      const file = { branch: 'main', content: 'x', commit_message: 'x' };
      await groups.call('POST', `/projects/${project}/repository/files/a`, file);
      const released = await groups.call<{ milestones: readonly object[] }>('POST', `/projects/${project}/releases`, {
        tag_name: 'v1',
        ref: 'main',
        milestones: ['1.0'],
      });
      expect(released.status).toBe(201);
      expect(released.body.milestones).toMatchObject([{ id, group_id: group, issue_stats: { total: 1, closed: 0 } }]);
    });

    it('are found by a search once, wherever they are used', async () => {
      const group = await groups.group();
      const word = `needle${group}`;
      const { id } = await groups.milestone(`/groups/${group}`, word);
      for (let each = 0; each < 2; each += 1) await groups.planned(await groups.project(group), { milestone_id: id });
      const found = async (place: string, who: TestUser = ada) =>
        (
          await groups.call<readonly MilestoneBody[]>(
            'GET',
            `${place}/search?scope=milestones&search=${word}`,
            undefined,
            who,
          )
        ).body.map((each) => each.id);
      expect(await found('')).toEqual([id]);
      expect(await found(`/groups/${group}`)).toEqual([id]);
      expect(await found('', stranger)).toEqual([]);
    });
  });

  describe('at once', () => {
    it('are made with one title once, and all used by one row of a project', async () => {
      const group = await groups.group();
      const project = await groups.project(group);
      const make = () => groups.call('POST', `/groups/${group}/milestones`, { title: '1.0' });
      const made = await Promise.all(Array.from({ length: 5 }, make));
      expect(made.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
      const { id } = made.find(({ status }) => status === 201)!.body;
      const issues = await Promise.all(
        Array.from({ length: 6 }, (_, place) => groups.planned(project, { title: `${place}`, milestone_id: id })),
      );
      expect(issues.map(({ milestone }) => milestone?.id)).toEqual(new Array(6).fill(id));
      const listed = await groups.call<readonly object[]>('GET', `/groups/${group}/milestones/${id}/issues`);
      expect(listed.body).toHaveLength(6);
    });

    it('are used as they are called while they are changed, and by nothing once they are removed', async () => {
      const group = await groups.group();
      const { id } = await groups.milestone(`/groups/${group}`, 'before');
      const projects = await Promise.all(Array.from({ length: 4 }, () => groups.project(group)));
      const opening = (project: number) =>
        groups.call<PlannedBody>('POST', `/projects/${project}/issues`, { title: 'x', milestone_id: id });
      const path = `/groups/${group}/milestones/${id}`;
      await Promise.all([...projects.map(opening), groups.call('PUT', path, { title: 'after' })]);
      const titles = await Promise.all(
        projects.map((project) => groups.call<readonly PlannedBody[]>('GET', `/projects/${project}/issues`)),
      );
      expect(titles.flatMap(({ body }) => body.map(({ milestone }) => milestone?.title))).toEqual(
        new Array(4).fill('after'),
      );
      const ends = await Promise.all([...projects.map(opening), groups.call('DELETE', path)]);
      for (const { status } of ends.slice(0, -1)) expect([201, 400]).toContain(status);
      const left = await groups.call<readonly PlannedBody[]>('GET', `/groups/${group}/issues?milestone=Any`);
      expect(left.body).toEqual([]);
    });
  });
});
