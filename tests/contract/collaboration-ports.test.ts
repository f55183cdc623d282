import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { forgetSubjects } from '../../src/application/collaboration/forget-subjects.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

describeEachDatabase('the ports of collaboration', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: UserId;
  let namespaceId: NamespaceId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ({ id: ada, namespaceId } = await parts.addUser('ada'));
  });

  afterAll(() => parts.close());

  const addProject = (path: string) =>
    parts.addProject({ id: ada, namespaceId }, { path, visibility: 'public', defaultBranch: null });
  const addIssue = (projectId: ProjectId) =>
    parts.work(({ issues }) =>
      issues.add({
        projectId,
        kind: 'issue',
        title: 'Cogs jam',
        description: 'Oil?',
        severity: null,
        confidential: true,
        dueDate: null,
        authorId: ada,
        createdAt: NOW,
      }),
    );

  it('finds a subject by its id, whatever its kind, with who may read it', async () => {
    const projectId = await addProject('found');
    const { id, iid } = await addIssue(projectId);
    await parts.work(({ issues }) => issues.setAssignees(id, [ada]));
    const find = () => parts.work(({ subjects }) => subjects.find(id));
    expect(await find()).toMatchObject({
      id,
      kind: 'issue',
      projectId,
      projectPath: 'ada/found',
      iid,
      title: 'Cogs jam',
      reference: `#${iid}`,
      page: `issues/${iid}`,
      authorId: ada,
      assignees: [{ id: ada, name: 'ada' }],
      readers: { level: 20, people: [ada, ada] },
    });
    await parts.work(({ issues }) => issues.remove(id));
    expect(await find()).toBeUndefined();
  });

  it('removes what was said in a project, and then the subjects, in steps that are bounded', async () => {
    const [projectId, other] = [await addProject('removed'), await addProject('other')];
    const [first, second, kept] = [await addIssue(projectId), await addIssue(projectId), await addIssue(other)];
    const { schema, reader } = parts.database;
    const at = reader.dialect.writeInstant(NOW);
    const note = { author_id: ada, body: 'Hm', system: false, created_at: at, updated_at: at };
    const notes = Array.from({ length: 1_500 }, (_, index) => ({
      ...note,
      subject_id: index % 2 === 0 ? first.id : second.id,
    }));
    await schema.batchInsert('notes', [...notes, { ...note, subject_id: kept.id }], 100);
    const left = async (table: 'notes' | 'subjects') => (await schema(table).select('id')).length;
    const before = [await left('notes'), await left('subjects')];
    const step = () => parts.work((repositories) => forgetSubjects(repositories, projectId));
    expect(await step()).toBe('more');
    expect([before[0]! - (await left('notes')), await left('subjects')]).toEqual([1_000, before[1]]);
    expect(await step()).toBe('done');
    expect([before[0]! - (await left('notes')), before[1]! - (await left('subjects'))]).toEqual([1_500, 2]);
    expect(await parts.work(({ subjects }) => subjects.find(kept.id))).toMatchObject({ id: kept.id });
  });
});
