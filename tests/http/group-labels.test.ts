import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { MAX_LABELS_OF_GROUP } from '../../src/domain/planning/label.js';
import { describeEachDatabase } from '../support/databases.js';
import { LabelledGroups, type LabelBody, type LabelledIssue } from '../support/labelled-groups.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('labels of groups', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let reporter: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let groups: LabelledGroups;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, reporter, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('reporter'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
    groups = new LabelledGroups(service, ada);
  });

  afterAll(() => service.close());

  describe('by the API of groups', () => {
    it('are made, read, changed and removed by id or name, by reporters', async () => {
      const group = await groups.group();
      await groups.join(`/groups/${group}`, reporter, 20);
      const path = `/groups/${group}/labels`;
      const made = await groups.call('POST', path, { name: 'to do', color: 'red', description: 'later' }, reporter);
      expect(made).toMatchObject({ status: 201 });
      expect(made.body).toEqual({
        id: expect.any(Number),
        name: 'to do',
        color: '#ff0000',
        text_color: '#FFFFFF',
        description: 'later',
        subscribed: false,
      });
      expect((await groups.call('GET', `${path}/to%20do`)).body).toEqual(made.body);
      expect((await groups.call('GET', `${path}/${made.body.id}`)).body).toEqual(made.body);
      const changed = await groups.call('PUT', `${path}/to%20do`, { new_name: 'done', color: '#00ff00' }, reporter);
      expect(changed).toMatchObject({ status: 200, body: { id: made.body.id, name: 'done', color: '#00ff00' } });
      const named = await groups.call('PUT', path, { name: 'done', description: 'past' }, reporter);
      expect(named).toMatchObject({ status: 200, body: { name: 'done', description: 'past' } });
      expect((await groups.call('DELETE', `${path}/${made.body.id}`, undefined, reporter)).status).toBe(204);
      expect((await groups.call('GET', `${path}/done`)).status).toBe(404);
      await groups.label(`/groups/${group}`, 'again');
      expect((await groups.call('DELETE', `${path}?name=again`, undefined, reporter)).status).toBe(204);
      expect(await groups.namesOf(`/groups/${group}`)).toEqual([]);
    });

    it('are listed with those of the groups above, and as asked with those below and of projects', async () => {
      const top = await groups.group();
      const middle = await groups.group({ parent_id: top });
      const below = await groups.group({ parent_id: middle });
      await groups.label(`/groups/${below}`, 'of below');
      await groups.label(`/groups/${middle}`, 'of middle', { description: 'in between' });
      await groups.label(`/groups/${top}`, 'of top');
      await groups.label(`/projects/${await groups.project(middle)}`, 'of project');
      await groups.label(`/projects/${await groups.project(below)}`, 'of project below');
      const names = (query: string) => groups.namesOf(`/groups/${middle}`, query);
      expect(await names('')).toEqual(['of middle', 'of top']);
      expect(await names('?include_ancestor_groups=false')).toEqual(['of middle']);
      expect(await names('?include_descendant_groups=true')).toEqual(['of below', 'of middle', 'of top']);
      expect(await names('?only_group_labels=false')).toEqual(['of middle', 'of project', 'of top']);
      expect(
        await names('?only_group_labels=false&include_descendant_groups=true&include_ancestor_groups=false'),
      ).toEqual(['of below', 'of middle', 'of project', 'of project below']);
      expect(await names('?search=BETWEEN')).toEqual(['of middle']);
      expect(await names('?per_page=1&page=2')).toEqual(['of top']);
    });

    it('count what has them in all projects below, as far as the viewer sees it', async () => {
      const group = await groups.group({ visibility: 'public' });
      const open = await groups.project(group, { visibility: 'public' });
      const hidden = await groups.project(group);
      await groups.label(`/groups/${group}`, 'bug');
      await groups.issue(open, 'bug');
      await groups.issue(open, 'bug', { confidential: true });
      await groups.issue(hidden, 'bug');
      const counted = async (place: string, who: TestUser | null) =>
        (await groups.labelsOf(place, '?with_counts=true', who)).map((label) => label.open_issues_count);
      expect(await counted(`/groups/${group}`, ada)).toEqual([3]);
      expect(await counted(`/groups/${group}`, stranger)).toEqual([1]);
      expect(await counted(`/groups/${group}`, null)).toEqual([1]);
      expect(await counted(`/projects/${open}`, ada)).toEqual([2]);
      expect(await counted(`/projects/${open}`, null)).toEqual([1]);
      expect(await counted(`/projects/${await groups.project(group)}`, ada)).toEqual([0]);
    });

    it('have names of their own among those of the group and of groups above, not of those below', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const taken = { status: 409, body: { message: 'Label already exists' } };
      const add = (group: number, name: string) =>
        groups.call('POST', `/groups/${group}/labels`, { name, color: '#112233' });
      expect((await add(below, 'bug')).status).toBe(201);
      expect((await add(top, 'bug')).status).toBe(201);
      expect((await add(top, 'wish')).status).toBe(201);
      expect(await add(top, 'bug')).toMatchObject(taken);
      expect(await add(below, 'wish')).toMatchObject(taken);
      expect(await groups.call('PUT', `/groups/${below}/labels/bug`, { new_name: 'wish' })).toMatchObject(taken);
      expect((await groups.call('PUT', `/groups/${top}/labels/wish`, { new_name: 'hope' })).status).toBe(200);
      for (const name of [' ', 'one,two', 'x'.repeat(256)]) expect((await add(top, name)).status).toBe(400);
      expect((await groups.call('POST', `/groups/${top}/labels`, { name: 'x', color: 'none' })).status).toBe(400);
    });

    it('are no more than a bound', async () => {
      const group = await groups.group();
      const at = service.service.database.reader.dialect.writeInstant(service.clock.now());
      const rows = Array.from({ length: MAX_LABELS_OF_GROUP - 1 }, (_, number) => ({
        ...{ group_id: group, name: `label ${number}`, color: '#112233', description: '', created_at: at },
      }));
      await service.service.database.schema.batchInsert('group_labels', rows, 150);
      await groups.label(`/groups/${group}`, 'the last');
      const refused = { status: 400, body: { message: `A group has no more than ${MAX_LABELS_OF_GROUP} labels.` } };
      expect(await groups.call('POST', `/groups/${group}/labels`, { name: 'more' })).toMatchObject(refused);
      const project = await groups.project(group);
      await groups.label(`/projects/${project}`, 'more');
      expect(await groups.call('PUT', `/projects/${project}/labels/more/promote`)).toMatchObject(refused);
    });

    it('are known to a client of others', async () => {
      const group = await groups.group();
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.GroupLabels.create(group, 'to do', '#112233');
      expect(await client.GroupLabels.edit(group, 'to do', { newName: 'done' })).toMatchObject({ id, name: 'done' });
      expect(await client.GroupLabels.all(group, { withCounts: true })).toMatchObject([{ id, open_issues_count: 0 }]);
      expect(await client.GroupLabels.show(group, 'done')).toMatchObject({ id, subscribed: false });
      const project = await groups.project(group);
      const { id: own } = await client.ProjectLabels.create(project, 'own', '#112233');
      await client.ProjectLabels.promote(project, own);
      expect(await client.GroupLabels.all(group)).toMatchObject([{ id }, { name: 'own' }]);
      await client.GroupLabels.remove(group, 'own');
      await client.GroupLabels.remove(group, id);
      expect(await client.GroupLabels.all(group)).toEqual([]);
    });
  });

  describe('in projects', () => {
    it('are listed after no others of their name, with the nearest first, and say that they are no label of the project', async () => {
      const top = await groups.group();
      const below = await groups.group({ parent_id: top });
      const project = await groups.project(below);
      await groups.label(`/projects/${project}`, 'own');
      await groups.label(`/groups/${below}`, 'near', { color: '#00ff00' });
      await groups.label(`/groups/${top}`, 'near');
      await groups.label(`/groups/${top}`, 'own');
      await groups.label(`/groups/${top}`, 'top');
      const told = (labels: readonly LabelBody[]) =>
        labels.map(({ name, color, is_project_label }) => [name, color, is_project_label]);
      expect(told(await groups.labelsOf(`/projects/${project}`))).toEqual([
        ['near', '#00ff00', false],
        ['own', '#112233', true],
        ['top', '#112233', false],
      ]);
      expect(await groups.namesOf(`/projects/${project}`, '?include_ancestor_groups=false')).toEqual(['own']);
      expect(await groups.namesOf(`/projects/${project}`, '?search=TO')).toEqual(['top']);
      // Once it is used it is listed once still, by the same id.
      const before = await groups.labelsOf(`/projects/${project}`);
      await groups.issue(project, 'near,top,own');
      expect(await groups.labelsOf(`/projects/${project}`)).toEqual(before);
    });

    it('are what their names mean on issues: of those below the nearest, and none is made anew', async () => {
      const top = await groups.group();
      const project = await groups.project(top);
      const other = await groups.project(top);
      const { id } = await groups.label(`/groups/${top}`, 'bug', { color: '#00ff00', description: 'wrong' });
      const issue = await groups.issue(project, 'bug,new');
      await groups.issue(other, 'bug');
      expect(issue.labels).toEqual(['bug', 'new']);
      expect(await groups.namesOf(`/projects/${project}`, '?include_ancestor_groups=false')).toEqual(['new']);
      const details = await groups.call<readonly { readonly labels: readonly LabelBody[] }[]>(
        'GET',
        `/projects/${project}/issues?with_labels_details=true`,
      );
      expect(details.body[0]?.labels).toMatchObject([{ id, color: '#00ff00', description: 'wrong' }, { name: 'new' }]);
      expect(await groups.issuesWith(project, 'bug')).toEqual([1]);
      const everywhere = await groups.call<readonly LabelledIssue[]>('GET', `/groups/${top}/issues?labels=bug`);
      expect(everywhere.body).toHaveLength(2);
      const events = await groups.call<readonly { readonly label: LabelBody }[]>(
        'GET',
        `/projects/${project}/issues/${issue.iid}/resource_label_events`,
      );
      expect(events.body.map(({ label }) => label.id)).toContain(id);
    });

    it('are given by guests, who make no labels, and by quick actions', async () => {
      const top = await groups.group({ visibility: 'public' });
      const project = await groups.project(top, { visibility: 'public' });
      await groups.join(`/projects/${project}`, guest, 10);
      await groups.label(`/groups/${top}`, 'bug');
      await groups.label(`/groups/${top}`, 'wish');
      const { body: issue } = await groups.call<LabelledIssue>(
        'POST',
        `/projects/${project}/issues`,
        { title: 'smoke', labels: 'bug,unknown' },
        guest,
      );
      expect(issue.labels).toEqual(['bug']);
      const path = `/projects/${project}/issues/${issue.iid}`;
      await groups.call('POST', `${path}/notes`, { body: '/label ~wish\n/unlabel ~bug' });
      expect((await groups.call<LabelledIssue>('GET', path)).body.labels).toEqual(['wish']);
      await groups.call('PUT', path, { add_labels: 'bug', remove_labels: 'wish' });
      expect((await groups.call<LabelledIssue>('GET', path)).body.labels).toEqual(['bug']);
    });

    it('follow their group: called otherwise they join another label of that name, and go from all projects', async () => {
      const top = await groups.group();
      const [project, other] = [await groups.project(top), await groups.project(top)];
      await groups.label(`/groups/${top}`, 'defect');
      await groups.label(`/projects/${other}`, 'bug', { color: '#00ff00' });
      await groups.issue(project, 'defect');
      await groups.issue(other, 'defect,bug');
      await groups.issue(other, 'defect');
      const { body: board } = await groups.call<readonly { readonly id: number }[]>('GET', `/projects/${other}/boards`);
      const lists = `/projects/${other}/boards/${board[0]?.id}/lists`;
      const [defect] = await groups.labelsOf(`/groups/${top}`);
      expect((await groups.call('POST', lists, { label_id: defect?.id })).status).toBe(201);
      const renamed = await groups.call('PUT', `/groups/${top}/labels/defect`, { new_name: 'bug', color: '#ff0000' });
      expect(renamed.status).toBe(200);
      expect(await groups.issuesWith(project, 'bug')).toEqual([1]);
      expect(await groups.issuesWith(other, 'bug')).toEqual([2, 1]);
      expect(await groups.labelsOf(`/projects/${project}`)).toMatchObject([{ color: '#ff0000' }]);
      expect(await groups.labelsOf(`/projects/${other}`)).toMatchObject([{ color: '#00ff00', is_project_label: true }]);
      const listed = await groups.call<readonly { readonly label: LabelBody }[]>('GET', lists);
      expect(listed.body.map(({ label }) => [label.name, label.color])).toEqual([['bug', '#00ff00']]);
      expect((await groups.call('DELETE', `/groups/${top}/labels/bug`)).status).toBe(204);
      expect(await groups.issuesWith(project, 'bug')).toEqual([]);
      expect(await groups.issuesWith(other, 'bug')).toEqual([2, 1]);
    });

    it('have lists on boards, before any issue has them', async () => {
      const top = await groups.group();
      const project = await groups.project(top);
      const { id } = await groups.label(`/groups/${top}`, 'bug');
      const { body: boards } = await groups.call<readonly { readonly id: number }[]>(
        'GET',
        `/projects/${project}/boards`,
      );
      const lists = `/projects/${project}/boards/${boards[0]?.id}/lists`;
      expect(await groups.call('POST', lists, { label_id: id })).toMatchObject({
        status: 201,
        body: { label: { id } },
      });
      expect((await groups.call('POST', lists, { label_id: id })).status).toBe(400);
    });

    it('keep their names from labels of projects, which keep what they have', async () => {
      const top = await groups.group();
      const project = await groups.project(await groups.group({ parent_id: top }));
      await groups.label(`/projects/${project}`, 'first');
      await groups.label(`/groups/${top}`, 'first');
      await groups.label(`/groups/${top}`, 'bug');
      const taken = { status: 409, body: { message: 'Label already exists' } };
      const labels = `/projects/${project}/labels`;
      expect(await groups.call('POST', labels, { name: 'bug', color: '#112233' })).toMatchObject(taken);
      expect(await groups.call('PUT', `${labels}/first`, { new_name: 'bug' })).toMatchObject(taken);
      expect((await groups.call('PUT', `${labels}/first`, { color: '#445566' })).status).toBe(200);
      expect((await groups.call('PUT', `${labels}/first`, { new_name: 'other' })).status).toBe(200);
      expect(await groups.namesOf(`/projects/${project}`)).toEqual(['bug', 'first', 'other']);
    });

    it('are read by the routes of projects, and changed by those of their group alone, which is named', async () => {
      const top = await groups.group({ path: 'named-in-refusals' });
      const below = await groups.group({ parent_id: top });
      const project = await groups.project(below);
      const { id } = await groups.label(`/groups/${top}`, 'bug');
      const message = '403 Forbidden - The label belongs to the group named-in-refusals, and is changed there.';
      for (const place of [`/projects/${project}`, `/groups/${below}`])
        for (const which of ['bug', String(id)]) {
          const path = `${place}/labels/${which}`;
          expect(await groups.call('GET', path)).toMatchObject({ status: 200, body: { id, name: 'bug' } });
          expect(await groups.call('PUT', path, { color: '#00ff00' })).toMatchObject({
            status: 403,
            body: { message },
          });
          expect(await groups.call('DELETE', path)).toMatchObject({ status: 403, body: { message } });
          expect((await groups.call('DELETE', `${place}/labels?name=${which}`)).status).toBe(403);
        }
      expect((await groups.call('PUT', `/projects/${project}/labels/bug/promote`)).status).toBe(403);
      expect(await groups.labelsOf(`/groups/${top}`)).toMatchObject([{ id, color: '#112233' }]);
    });

    it('are followed from either place, for all projects', async () => {
      const top = await groups.group();
      const [project, other] = [await groups.project(top), await groups.project(top)];
      const { id } = await groups.label(`/groups/${top}`, 'bug');
      const call = (place: string, verb: string) => groups.call('POST', `${place}/labels/bug/${verb}`);
      expect(await call(`/projects/${project}`, 'subscribe')).toMatchObject({
        status: 201,
        body: { id, subscribed: true, is_project_label: false },
      });
      expect((await call(`/groups/${top}`, 'subscribe')).status).toBe(304);
      for (const place of [`/groups/${top}`, `/projects/${other}`])
        expect(await groups.labelsOf(place)).toMatchObject([{ id, subscribed: true }]);
      expect(await call(`/groups/${top}`, 'unsubscribe')).toMatchObject({ status: 201, body: { subscribed: false } });
      expect((await call(`/projects/${other}`, 'unsubscribe')).status).toBe(304);
    });
  });

  describe('are for nobody who may not', () => {
    it.each([
      ['GET', '/labels', undefined],
      ['GET', '/labels/secret', undefined],
      ['POST', '/labels', { name: 'mine', color: '#112233' }],
      ['PUT', '/labels/secret', { color: '#000000' }],
      ['PUT', '/labels', { name: 'secret', color: '#000000' }],
      ['DELETE', '/labels/secret', undefined],
      ['DELETE', '/labels?name=secret', undefined],
      ['POST', '/labels/secret/subscribe', undefined],
      ['POST', '/labels/secret/unsubscribe', undefined],
    ] as const)('%s %s', async (method, path, json) => {
      const group = await groups.group();
      await groups.join(`/groups/${group}`, guest, 10);
      await groups.label(`/groups/${group}`, 'secret');
      const other = await groups.group();
      const { id } = await groups.label(`/groups/${other}`, 'of others');
      const status = async (where: string, who: TestUser | null) =>
        (await groups.call(method, where, json, who)).status;
      const reads = method === 'GET' || path.endsWith('subscribe');
      expect(await status(`/groups/${group}${path}`, stranger)).toBe(404);
      expect(await status(`/groups/${group}${path}`, null)).toBe(method === 'GET' ? 404 : 401);
      const asGuest = await status(`/groups/${group}${path}`, guest);
      expect(reads ? [200, 201, 304] : [403]).toContain(asGuest);
      // By the id of a label of another group nothing is found, nor by the id that its row has.
      if (path.includes('secret'))
        for (const foreign of [id, id % 2 ** 30, 2 ** 30, 999_999_999_999_999])
          expect(await status(`/groups/${group}${path.replace('secret', String(foreign))}`, ada)).toBe(404);
      expect(await groups.labelsOf(`/groups/${group}`)).toMatchObject([{ name: 'secret', color: '#112233' }]);
      expect(await groups.labelsOf(`/groups/${other}`)).toMatchObject([{ id }]);
    });

    it('but who is a member of one project sees those of the groups above, which strangers do not', async () => {
      const group = await groups.group();
      const [project, other] = [await groups.project(group), await groups.project(group)];
      await groups.join(`/projects/${project}`, guest, 10);
      await groups.label(`/groups/${group}`, 'bug');
      expect(await groups.namesOf(`/projects/${project}`, '', guest)).toEqual(['bug']);
      for (const [path, who] of [
        [`/projects/${other}/labels`, guest],
        [`/projects/${project}/labels`, stranger],
        [`/projects/${project}/labels/bug`, null],
      ] as const)
        expect((await groups.call('GET', path, undefined, who)).status).toBe(404);
      expect((await groups.call('POST', `/projects/${project}/labels/bug/subscribe`, undefined, guest)).status).toBe(
        201,
      );
    });

    it('and lists of groups above name no labels of private groups below to who does not see these', async () => {
      const top = await groups.group({ visibility: 'public' });
      const hidden = await groups.group({ parent_id: top });
      await groups.label(`/groups/${hidden}`, 'hidden');
      await groups.label(`/projects/${await groups.project(top)}`, 'of hidden project');
      await groups.label(`/groups/${top}`, 'open');
      const all = '?include_descendant_groups=true&only_group_labels=false';
      expect(await groups.namesOf(`/groups/${top}`, all, stranger)).toEqual(['open']);
      expect(await groups.namesOf(`/groups/${top}`, all, null)).toEqual(['open']);
      expect(await groups.namesOf(`/groups/${top}`, all)).toEqual(['hidden', 'of hidden project', 'open']);
    });

    it('names that look like ids are ids', async () => {
      const group = await groups.group();
      const { id } = await groups.label(`/groups/${group}`, 'bug');
      await groups.label(`/groups/${group}`, String(id));
      expect((await groups.call('GET', `/groups/${group}/labels/${id}`)).body.name).toBe('bug');
      expect((await groups.call('GET', `/groups/${group}/labels/12`)).status).toBe(404);
      await groups.label(`/groups/${group}`, '12');
      expect((await groups.call('GET', `/groups/${group}/labels/12`)).status).toBe(404);
    });
  });
});
