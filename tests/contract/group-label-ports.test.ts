import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GroupLabelQuery } from '../../src/application/planning/ports/group-labels.js';
import type { Label } from '../../src/domain/planning/label.js';
import { Conflict } from '../../src/domain/shared/domain-error.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { KnexGroupLabelReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-group-label-reader.js';
import { KnexPlanningOverview } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-overview.js';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import type { FeatureLevels } from '../../src/domain/workspace/project-features.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const LABEL = { color: '#112233', description: 'said' } as const;
const PAGE = { page: 1, perPage: 20 };

describeEachDatabase('the ports of labels of groups', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexPlanningReader;
  let ofGroups: KnexGroupLabelReader;
  let overview: KnexPlanningOverview;
  let ada: { readonly id: UserId; readonly namespaceId: NamespaceId };
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexPlanningReader(parts.database.reader);
    ofGroups = new KnexGroupLabelReader(parts.database.reader);
    overview = new KnexPlanningOverview(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  afterAll(() => parts.close());

  const addGroup = (parentId: GroupId | null = null, changes: Parameters<ContractParts['addGroup']>[1] = {}) =>
    parts.addGroup(parentId, changes);
  const addProject = (group: NamespaceId): Promise<ProjectId> =>
    parts.addProject({ ...ada, namespaceId: group }, { path: `project-${(serial += 1)}` });
  const addTo = (group: GroupId, name: string): Promise<Label> =>
    parts.work(async ({ groupLabels }) => {
      expect(await groupLabels.hold(group)).toBe(true);
      return groupLabels.add(group, { name, ...LABEL }, NOW);
    });
  const addIssue = (projectId: ProjectId, names: readonly string[]) =>
    parts.work(async ({ issues, subjectLabels }) => {
      const texts = { title: 'smoke', description: '', severity: null, dueDate: null } as const;
      const fields = {
        ...texts,
        projectId,
        kind: 'issue',
        confidential: false,
        authorId: ada.id,
        createdAt: NOW,
      } as const;
      const issue = await issues.add(fields);
      await subjectLabels.set(issue, names, '#aabbcc', NOW);
      return issue;
    });
  const namesOf = (subjectId: number) => parts.work(({ subjectLabels }) => subjectLabels.namesOf(subjectId));
  const rowsOf = async (projectId: ProjectId) =>
    (await parts.database.schema('labels').where({ project_id: projectId }).orderBy('name')) as {
      readonly id: number;
      readonly name: string;
      readonly color: string;
      readonly group_label_id: number | null;
    }[];
  const usable = async (projectId: ProjectId) =>
    (await reader.listLabels(projectId, PAGE)).items.map(({ name, group }) => [name, group?.id ?? null]);
  const listOf = async (group: GroupId, changes: Partial<GroupLabelQuery> = {}, viewer: UserId | null = ada.id) => {
    const asked = { subscriber: null, above: true, below: false, ofProjects: false, ...changes };
    const seen = { userId: viewer, admin: viewer === ada.id, today: '2026-03-01' };
    return (await ofGroups.list(seen, group, PAGE, asked)).items.map(({ name }) => name);
  };

  it('names are unique among those of a group and of the groups above it', async () => {
    const top = await addGroup();
    const below = await addGroup(top);
    const bug = await addTo(top, 'bug');
    for (const group of [top, below])
      await expect(addTo(group, 'bug')).rejects.toEqual(new Conflict('Label already exists'));
    const wish = await addTo(below, 'wish');
    await addTo(top, 'wish');
    const update = (name: string) =>
      parts.work(({ groupLabels }) => groupLabels.update(below, { ...wish, name, description: 'other' }));
    await expect(update('bug')).rejects.toBeInstanceOf(Conflict);
    await update('hope');
    expect(await ofGroups.find(below, String(wish.id))).toMatchObject({
      name: 'hope',
      description: 'other',
      group: { id: below },
    });
    expect(await ofGroups.find(below, 'bug')).toMatchObject({ id: bug.id, group: { id: top } });
    expect(await ofGroups.find(top, 'hope')).toBeUndefined();
    expect(await parts.work(({ groupLabels }) => groupLabels.countOf(below))).toBe(1);
    expect(await parts.work(({ groupLabels }) => groupLabels.hold(999_999 as GroupId))).toBe(false);
    expect(await parts.work(({ groupLabels }) => groupLabels.hold(ada.namespaceId as GroupId))).toBe(false);
  });

  it('are listed from above and below, as far as the viewer sees the groups below', async () => {
    const top = await addGroup();
    const middle = await addGroup(top);
    const below = await addGroup(middle);
    for (const [group, name] of [
      [top, 'top'],
      [middle, 'middle'],
      [below, 'below'],
    ] as const)
      await addTo(group, name);
    const project = await addProject(below);
    await addIssue(project, ['own', 'top']);
    expect(await listOf(middle)).toEqual(['middle', 'top']);
    expect(await listOf(middle, { above: false, below: true, ofProjects: true })).toEqual(['below', 'middle', 'own']);
    expect(await listOf(middle, { below: true, ofProjects: true }, null)).toEqual(['middle', 'top']);
    expect(await listOf(top, { search: 'SAID' })).toEqual(['top']);
  });

  it('are listed beside those of projects whose issues or merge requests are open to the viewer', async () => {
    const group = await addGroup(null, { visibility: 'public' });
    await addTo(group, 'of-group');
    const add = async (name: string, features: Partial<FeatureLevels>) => {
      const fields = { path: name, visibility: 'public', features } as const;
      await addIssue(await parts.addProject({ ...ada, namespaceId: group }, fields), [name]);
    };
    await add('open', {});
    await add('half', { issues: 'disabled', merge_requests: 'enabled' });
    await add('kept', { issues: 'private', merge_requests: 'private' });
    await add('off', { issues: 'disabled', merge_requests: 'disabled' });
    const asked = { ofProjects: true };
    expect(await listOf(group, asked, null)).toEqual(['half', 'of-group', 'open']);
    expect(await listOf(group, asked)).toEqual(['half', 'kept', 'of-group', 'open']);
  });

  describe('in a project', () => {
    it('a name means its own label, or else the nearest above, and what is used once stays that', async () => {
      const top = await addGroup();
      const below = await addGroup(top);
      const project = await addProject(below);
      await addIssue(project, ['own']);
      for (const name of ['own', 'near', 'far']) {
        if (name === 'near') await addTo(below, name);
        await addTo(top, name);
      }
      const expected = [
        ['far', top],
        ['near', below],
        ['own', null],
      ];
      expect(await usable(project)).toEqual(expected);
      const issue = await addIssue(project, ['far', 'near', 'own', 'new']);
      expect(await namesOf(issue.id)).toEqual(['far', 'near', 'new', 'own']);
      expect((await rowsOf(project)).map(({ name, group_label_id: of }) => [name, of !== null])).toEqual([
        ['far', true],
        ['near', true],
        ['new', false],
        ['own', false],
      ]);
      expect(await usable(project)).toEqual([expected[0], expected[1], ['new', null], expected[2]]);
      const named = await overview.labelsNamed(project, ['near', 'none']);
      expect(named.map(({ id, name }) => [id, name])).toEqual([[(await ofGroups.find(below, 'near'))?.id, 'near']]);
    });

    it('they come to many issues at once as one row', async () => {
      const top = await addGroup();
      const project = await addProject(top);
      await addTo(top, 'bug');
      await Promise.all([1, 2, 3, 4, 5, 6].map(() => addIssue(project, ['bug', 'new'])));
      expect((await rowsOf(project)).map(({ name }) => name)).toEqual(['bug', 'new']);
    });

    it('are told from others by their ids, which rows of projects never have', async () => {
      const top = await addGroup();
      const project = await addProject(top);
      const bug = await addTo(top, 'bug');
      await addIssue(project, ['bug']);
      const [row] = await rowsOf(project);
      expect(await reader.findLabel(project, String(bug.id))).toMatchObject({ name: 'bug', group: { id: top } });
      expect(await reader.findLabel(project, String(row?.id))).toBeUndefined();
      expect(await parts.work(({ labels }) => labels.find(project, row?.id ?? 0))).toBeUndefined();
    });
  });

  describe('beside an older program, which takes their rows for labels of the project', () => {
    it('one that it has called otherwise is one again once the group says what it is called', async () => {
      const top = await addGroup();
      const project = await addProject(top);
      const bug = await addTo(top, 'bug');
      const first = await addIssue(project, ['bug']);
      await parts.database.schema('labels').where({ project_id: project }).update({ name: 'defect', color: '#000000' });
      const second = await addIssue(project, ['bug']);
      expect([await namesOf(first.id), await namesOf(second.id)]).toEqual([['defect'], ['bug']]);
      await parts.work(({ groupLabels }) => groupLabels.update(top, { ...bug, name: 'crack', color: '#00ff00' }));
      expect([await namesOf(first.id), await namesOf(second.id)]).toEqual([['crack'], ['crack']]);
      expect(await rowsOf(project)).toMatchObject([{ name: 'crack', color: '#00ff00' }]);
      expect(await usable(project)).toEqual([['crack', top]]);
    });

    it('one that it makes of a name that a group has is the project’s own, and one that it removes comes back when it is used', async () => {
      const top = await addGroup();
      const project = await addProject(top);
      await addTo(top, 'bug');
      await addIssue(project, ['bug']);
      await parts.database.schema('labels').where({ project_id: project }).delete();
      const again = await addIssue(project, ['bug']);
      expect(await usable(project)).toEqual([['bug', top]]);
      expect(await namesOf(again.id)).toEqual(['bug']);
      await parts.database.schema('labels').where({ project_id: project }).delete();
      const at = parts.database.reader.dialect.writeInstant(NOW);
      await parts.database.schema('labels').insert({ project_id: project, name: 'bug', ...LABEL, created_at: at });
      await addIssue(project, ['bug']);
      expect(await usable(project)).toEqual([['bug', null]]);
    });
  });
});
