import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countRetries } from '../support/count-retries.js';
import { describeEachDatabase } from '../support/databases.js';
import { LabelledGroups, type LabelledIssue } from '../support/labelled-groups.js';
import { playRounds, timesOf } from '../support/rounds.js';
import { until } from '../support/until.js';
import { TestService, type TestUser } from '../support/test-service.js';

const ROUNDS = timesOf(12, 60);

interface Row {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
  readonly group_label_id: number | null;
}

describeEachDatabase('labels of groups and of their projects', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let reporter: TestUser;
  let groups: LabelledGroups;
  let retries: () => number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, reporter] = [await service.addUser('ada'), await service.addUser('reporter')];
    groups = new LabelledGroups(service, ada);
    retries = countRetries(service.service.database);
  });

  afterAll(() => service.close());

  const promote = (project: number, label: string, who = ada) =>
    groups.call('PUT', `/projects/${project}/labels/${label}/promote`, undefined, who);
  const moveProject = (project: number, namespace: number | string) =>
    groups.call('PUT', `/projects/${project}/transfer`, { namespace });
  const moveGroup = (group: number, to?: number) =>
    groups.call('POST', `/groups/${group}/transfer`, to === undefined ? {} : { group_id: to });
  const own = (project: number) => groups.labelsOf(`/projects/${project}`, '?include_ancestor_groups=false');

  /** Rows of labels of groups in projects that aren't below these groups. */
  const astray = async (): Promise<readonly number[]> => {
    const { query } = service.service.database.reader;
    const rows = await query('labels')
      .join('projects', 'projects.id', 'labels.project_id')
      .join('group_labels', 'group_labels.id', 'labels.group_label_id')
      .select('labels.id', 'projects.namespace_id', 'group_labels.group_id');
    const parents = new Map(
      (await query('namespaces').select('id', 'parent_id')).map(({ id, parent_id }) => [id as number, parent_id]),
    );
    const isBelow = (id: number | null, group: number): boolean =>
      id !== null && (id === group || isBelow(parents.get(id) ?? null, group));
    return (rows as { id: number; namespace_id: number; group_id: number }[])
      .filter(({ namespace_id, group_id }) => !isBelow(namespace_id, group_id))
      .map(({ id }) => id);
  };
  const rowsNamed = async (name: string): Promise<readonly Row[]> =>
    (await service.service.database.reader.query('labels').where({ name }).orderBy('id')) as Row[];

  describe('a label of a project is promoted to one of its group', () => {
    it('and those of that name of other projects there become it, with all that has them and who follows them', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const [project, other, deep] = [
        await groups.project(top),
        await groups.project(top),
        await groups.project(below),
      ];
      const elsewhere = await groups.project(await groups.group());
      await groups.label(`/projects/${project}`, 'bug', { color: '#00ff00', description: 'wrong' });
      for (const where of [other, deep, elsewhere]) {
        await groups.label(`/projects/${where}`, 'bug');
        await groups.issue(where, 'bug');
      }
      await groups.call('POST', `/projects/${other}/labels/bug/subscribe`);
      const promoted = await promote(project, 'bug');
      expect(promoted).toMatchObject({
        status: 200,
        body: { name: 'bug', color: '#00ff00', description: 'wrong', subscribed: true },
      });
      expect(promoted.body).not.toHaveProperty('is_project_label');
      const { id } = promoted.body;
      expect(await groups.labelsOf(`/groups/${top}`, '?with_counts=true')).toMatchObject([
        { id, name: 'bug', open_issues_count: 2 },
      ]);
      for (const where of [project, other, deep]) {
        expect(await groups.labelsOf(`/projects/${where}`)).toMatchObject([
          { id, color: '#00ff00', is_project_label: false },
        ]);
        expect(await groups.issuesWith(where, 'bug')).toEqual(where === project ? [] : [1]);
      }
      expect(await own(elsewhere)).toMatchObject([{ color: '#112233' }]);
    });

    it('or joins the one that the group has already, unless it would take the name of one further up', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const project = await groups.project(below);
      await groups.label(`/projects/${project}`, 'bug');
      await groups.label(`/projects/${project}`, 'wish');
      const { id } = await groups.label(`/groups/${below}`, 'bug');
      await groups.label(`/groups/${top}`, 'wish');
      expect(await promote(project, 'bug')).toMatchObject({ status: 200, body: { id } });
      expect(await promote(project, 'wish')).toMatchObject({ status: 409 });
      expect(await own(project)).toMatchObject([{ name: 'wish' }]);
    });

    it('and leaves those alone that are below a group which has a label of that name itself', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const [project, deep] = [await groups.project(top), await groups.project(below)];
      for (const where of [project, deep]) await groups.label(`/projects/${where}`, 'bug');
      await groups.label(`/groups/${below}`, 'bug');
      expect((await promote(project, 'bug')).status).toBe(200);
      expect(await own(project)).toEqual([]);
      expect(await own(deep)).toMatchObject([{ name: 'bug' }]);
    });

    it('by whoever may manage the labels of both, and of projects of groups alone', async () => {
      const top = await groups.group();
      const project = await groups.project(top);
      await groups.label(`/projects/${project}`, 'bug');
      expect((await promote(project, 'bug', reporter)).status).toBe(404);
      await groups.join(`/projects/${project}`, reporter, 40);
      expect([403, 404]).toContain((await promote(project, 'bug', reporter)).status);
      await groups.join(`/groups/${top}`, reporter, 20);
      expect((await promote(project, 'none', reporter)).status).toBe(404);
      expect((await promote(project, 'bug', reporter)).status).toBe(200);
      const personal = await groups.project(undefined);
      await groups.label(`/projects/${personal}`, 'bug');
      expect(await promote(personal, 'bug')).toMatchObject({ status: 400 });
    });
  });

  describe('what is moved elsewhere keeps its labels', () => {
    it('of a project, those in use of groups that are no longer above as its own, and who followed them follows these', async () => {
      const [top, elsewhere] = [await groups.group(), await groups.group()];
      const below = await groups.group({ parent_id: top });
      const project = await groups.project(below);
      for (const name of ['used', 'unused']) await groups.label(`/groups/${top}`, name, { description: 'of the top' });
      await groups.label(`/groups/${below}`, 'near');
      await groups.issue(project, 'used,near');
      await groups.call('POST', `/projects/${project}/labels/used/subscribe`);
      // Still below the top: what is of the top stays of it.
      expect((await moveProject(project, top)).status).toBe(200);
      expect(await own(project)).toMatchObject([{ name: 'near' }]);
      expect((await moveProject(project, elsewhere)).status).toBe(200);
      expect(await own(project)).toMatchObject([
        { name: 'near', is_project_label: true },
        { name: 'used', color: '#112233', description: 'of the top', is_project_label: true, subscribed: true },
      ]);
      expect(await groups.issuesWith(project, 'used')).toEqual([1]);
      expect((await groups.call('DELETE', `/groups/${top}/labels/used`)).status).toBe(204);
      expect(await groups.issuesWith(project, 'used')).toEqual([1]);
      expect((await moveProject(project, 'ada')).status).toBe(200);
      expect(await groups.issuesWith(project, 'used')).toEqual([1]);
    });

    it('of a group, in all projects in it and below it, with its own labels', async () => {
      const [top, elsewhere] = [await groups.group(), await groups.group()];
      const moved = await groups.group({ parent_id: top });
      const below = await groups.group({ parent_id: moved });
      const project = await groups.project(below);
      for (const [group, name] of [
        [top, 'top'],
        [moved, 'moved'],
        [below, 'below'],
      ] as const)
        await groups.label(`/groups/${group}`, name);
      const untouched = await groups.project(top);
      for (const where of [project, untouched]) await groups.issue(where, 'top,moved,below');
      expect((await moveGroup(moved, elsewhere)).status).toBe(201);
      expect(await own(project)).toMatchObject([{ name: 'top' }]);
      expect(await groups.namesOf(`/projects/${project}`)).toEqual(['below', 'moved', 'top']);
      expect(await groups.namesOf(`/projects/${untouched}`, '?include_ancestor_groups=false')).toEqual([
        'below',
        'moved',
      ]);
      expect((await moveGroup(moved)).status).toBe(201);
      expect(await groups.issuesWith(project, 'below')).toEqual([1]);
      expect(await own(project)).toMatchObject([{ name: 'top' }]);
    });

    it('of an issue, in another project, where the group is not above it', async () => {
      const top = await groups.group();
      const [project, beside, elsewhere] = [
        await groups.project(top),
        await groups.project(top),
        await groups.project(await groups.group()),
      ];
      const { id } = await groups.label(`/groups/${top}`, 'bug', { color: '#00ff00', description: 'wrong' });
      await groups.label(`/projects/${project}`, 'own');
      const move = async (to: number) => {
        const { iid } = await groups.issue(project, 'bug,own');
        const path = `/projects/${project}/issues/${iid}/move`;
        return (await groups.call<LabelledIssue>('POST', path, { to_project_id: to })).body.labels;
      };
      expect(await move(beside)).toEqual(['bug']);
      expect(await own(beside)).toEqual([]);
      expect(await groups.labelsOf(`/projects/${beside}`)).toMatchObject([{ id }]);
      expect(await move(elsewhere)).toEqual(['bug']);
      expect(await own(elsewhere)).toMatchObject([{ name: 'bug', color: '#00ff00', description: 'wrong' }]);
    });

    it('and a group that is removed takes its labels along', async () => {
      const top = await groups.group();
      await groups.issue(await groups.project(top), 'gone');
      await groups.label(`/groups/${top}`, 'gone');
      await groups.label(`/groups/${await groups.group({ parent_id: top })}`, 'gone below');
      expect((await groups.call('DELETE', `/groups/${top}`)).status).toBe(202);
      const { query } = service.service.database.reader;
      await until(async () => (await query('group_labels').whereIn('name', ['gone', 'gone below'])).length === 0);
      expect(await rowsNamed('gone')).toEqual([]);
    });
  });

  describe('at once', () => {
    it('a name becomes one label of a group, whoever makes it and how', async () => {
      await playRounds(ROUNDS, async (round) => {
        const top = await groups.group();
        const below = await groups.group({ parent_id: top });
        const name = `one ${round}`;
        const projects = await Promise.all([1, 2].map(() => groups.project(below)));
        await groups.label(`/projects/${projects[0]}`, name);
        const add = (group: number) => groups.call('POST', `/groups/${group}/labels`, { name, color: '#112233' });
        const answers = await Promise.all([
          add(below),
          add(below),
          groups.call('PUT', `/projects/${projects[0]}/labels/${encodeURIComponent(name)}/promote`),
          groups.issue(projects[1]!, name),
        ]);
        const statuses = answers.slice(0, 3).map((answer) => (answer as { status: number }).status);
        expect([round, statuses.filter((status) => status >= 500)]).toEqual([round, []]);
        expect(await groups.namesOf(`/groups/${below}`)).toEqual([name]);
      });
    });

    it('what is added in another project while a label is promoted is that label, or refused', async () => {
      await playRounds(ROUNDS, async (round) => {
        const top = await groups.group();
        const [project, other, third] = [
          await groups.project(top),
          await groups.project(top),
          await groups.project(top),
        ];
        const name = `promoted ${round}`;
        await groups.label(`/projects/${project}`, name);
        const [promoted, added] = await Promise.all([
          promote(project, encodeURIComponent(name)),
          groups.call('POST', `/projects/${other}/labels`, { name, color: '#445566' }),
          groups.issue(third, name),
        ]);
        expect([round, promoted.status, [201, 409].includes(added.status)]).toEqual([round, 200, true]);
        const rows = await rowsNamed(name);
        expect([round, new Set(rows.map((row) => row.group_label_id)).size]).toEqual([round, 1]);
        expect([round, rows.map((row) => row.group_label_id === null)]).toEqual([round, rows.map(() => false)]);
      });
    });

    it('no project has labels of groups that are not above it, however it is moved while these are made, used and changed', async () => {
      await playRounds(ROUNDS, async (round) => {
        const [one, two] = [await groups.group(), await groups.group()];
        const below = await groups.group({ parent_id: one });
        const [project, deep] = [await groups.project(one), await groups.project(below)];
        const [name, changed] = [`moved ${round}`, `changed ${round}`];
        await groups.label(`/groups/${one}`, name);
        const issues = await Promise.all([project, deep].map((where) => groups.issue(where, '')));
        const answers = await Promise.all([
          ...[project, deep].map((where, index) =>
            groups.call('PUT', `/projects/${where}/issues/${issues[index]!.iid}`, { add_labels: name }),
          ),
          moveProject(project, two),
          moveGroup(below, two),
          groups.call('POST', `/projects/${deep}/issues`, { title: 'another', labels: name }),
          round % 3 === 0
            ? groups.call('DELETE', `/groups/${one}/labels/${encodeURIComponent(name)}`)
            : groups.call('PUT', `/groups/${one}/labels/${encodeURIComponent(name)}`, { new_name: changed }),
        ]);
        const refused = answers.map(({ status }) => status).filter((status) => status >= 400);
        // Who uses what is removed at that moment is asked to try again.
        expect([round, refused.filter((status) => round % 3 !== 0 || status !== 409)]).toEqual([round, []]);
      });
      expect(await astray()).toEqual([]);
    });

    it('labels are made and used in a group that is removed', async () => {
      await playRounds(ROUNDS, async (round) => {
        const group = await groups.group({ parent_id: await groups.group() });
        const projects = await Promise.all([1, 2].map(() => groups.project(group)));
        const answers = await Promise.all([
          ...projects.flatMap((project) =>
            [1, 2].map((n) => groups.call('POST', `/projects/${project}/issues`, { title: 'smoke', labels: `x${n}` })),
          ),
          ...[1, 2, 3].map((n) => groups.call('POST', `/groups/${group}/labels`, { name: `y${n}`, color: '#112233' })),
          groups.call('DELETE', `/groups/${group}`),
        ]);
        const statuses = answers.map(({ status }) => status).filter((status) => ![201, 202, 404, 409].includes(status));
        expect([round, statuses]).toEqual([round, []]);
      });
    });

    it('issues are moved out of a group that is moved itself', async () => {
      await playRounds(ROUNDS, async (round) => {
        const [one, two] = [await groups.group(), await groups.group()];
        const below = await groups.group({ parent_id: one });
        const [from, to] = [await groups.project(below), await groups.project(one)];
        await groups.label(`/groups/${below}`, 'bug');
        const issues = await Promise.all([1, 2, 3].map(() => groups.issue(from, 'bug')));
        const answers = await Promise.all([
          moveGroup(below, two),
          ...issues.map(({ iid }) =>
            groups.call('POST', `/projects/${from}/issues/${iid}/move`, { to_project_id: to }),
          ),
        ]);
        expect([round, answers.map(({ status }) => status)]).toEqual([round, [201, 201, 201, 201]]);
      });
    });

    it('merge requests get labels while the group of the fork that they come from is moved', async () => {
      const [top, elsewhere] = [await groups.group(), await groups.group()];
      const [project, forks] = [await groups.project(top), await groups.group({ parent_id: top })];
      const write = (where: number, branch: string, start?: string) =>
        groups.call('POST', `/projects/${where}/repository/commits`, {
          ...{ branch, commit_message: 'More', ...(start === undefined ? {} : { start_branch: start }) },
          actions: [{ action: 'create', file_path: branch, content: 'smoke' }],
        });
      await write(project, 'main');
      const { id: fork } = (await groups.call('POST', `/projects/${project}/fork`, { namespace_id: forks })).body;
      const branches = `/projects/${fork}/repository/branches`;
      await until(async () => (await groups.call<readonly object[]>('GET', branches)).body.length > 0);
      const numbers: number[] = [];
      for (const branch of ['one', 'two', 'three']) {
        await write(fork, branch, 'main');
        const fields = { title: branch, source_branch: branch, target_branch: 'main', target_project_id: project };
        numbers.push((await groups.call<{ iid: number }>('POST', `/projects/${fork}/merge_requests`, fields)).body.iid);
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        const change = { title: `Round ${round}`, state_event: round % 2 === 0 ? 'close' : 'reopen' };
        const answers = await Promise.all([
          moveGroup(forks, round % 2 === 0 ? elsewhere : top),
          ...numbers.map((iid) =>
            groups.call('PUT', `/projects/${project}/merge_requests/${iid}`, {
              ...change,
              add_labels: `of ${iid} in ${round}`,
            }),
          ),
        ]);
        expect([round, answers.map(({ status }) => status)]).toEqual([round, [201, 200, 200, 200]]);
      }
    });

    it('there is no deadlock about labels, projects and groups', () => {
      expect(retries()).toBe(0);
    });
  });
});
