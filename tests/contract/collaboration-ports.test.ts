import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KnexAwardReader } from '../../src/adapters/outbound/persistence/knex/collaboration/knex-award-reader.js';
import { AskedAgain } from '../../src/application/collaboration/ports/todo-ports.js';
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

  it('puts a to-do back that was done, unless somebody was asked for the same again', async () => {
    const { id: subjectId } = await addIssue(await addProject('asked'));
    const asked = { userId: ada, subjectId, noteId: null, authorId: ada, action: 'marked' } as const;
    const add = () => parts.work(({ todos }) => todos.add([asked], NOW));
    const reopen = (id: number) => parts.work(({ todos }) => todos.reopenOne(id, NOW));
    const finish = (id: number) => parts.work(({ todos }) => todos.finishOne(id, NOW));
    const [id] = await add();
    await finish(id!);
    await reopen(id!);
    expect(await add()).toEqual([]);
    await finish(id!);
    expect(await add()).toHaveLength(1);
    await expect(reopen(id!)).rejects.toThrow(AskedAgain);
  });

  describe('reactions', () => {
    it('are counted by thing and emoji, in the order in which each emoji was first given, with the first ten people', async () => {
      const [subject, other] = [await addIssue(await addProject('awarded')), await addIssue(await addProject('left'))];
      const people: UserId[] = [];
      for (let n = 0; n < 12; n += 1) people.push((await parts.addUser(`fan${n}`)).id);
      const note = { subjectId: subject.id, authorId: ada, body: 'Hm', system: false, createdAt: NOW };
      const [shown, beyond] = await parts.work(async ({ notes, awards }) => {
        const [{ id: first }, { id: second }] = [await notes.add(note), await notes.add(note)];
        const give = (noteId: number | null, name: string, userId: UserId, subjectId = subject.id) =>
          awards.add({ subjectId, noteId }, { name, userId, at: NOW });
        for (const userId of people) await give(first, 'tada', userId);
        await give(first, 'heart', ada);
        await give(null, 'heart', ada);
        await give(second, 'eyes', ada);
        await give(null, 'eyes', ada, other.id);
        return [first, second];
      });
      const read = (userId: UserId | undefined) =>
        new KnexAwardReader(parts.database.reader).reactions({ subjectId: subject.id, noteIds: [shown], userId });
      const tada = { noteId: shown, name: 'tada', count: 12, own: false };
      const byOthers = Array.from({ length: 10 }, (_, n) => `fan${n}`);
      expect(await read(ada)).toEqual([
        { ...tada, people: byOthers },
        { noteId: shown, name: 'heart', count: 1, own: true, people: ['ada'] },
        { noteId: null, name: 'heart', count: 1, own: true, people: ['ada'] },
      ]);
      expect((await read(people[11]))[0]).toEqual({ ...tada, own: true, people: byOthers });
      expect((await read(undefined)).map(({ own }) => own)).toEqual([false, false, false]);
      await parts.work(({ awards }) =>
        awards.removeOf({ subjectId: subject.id, noteId: shown }, { name: 'heart', userId: ada }),
      );
      expect((await read(ada)).map(({ name }) => name)).toEqual(['tada', 'heart']);
      expect(beyond).not.toBe(shown);
    });

    it('of one thing are no more than twenty emoji', async () => {
      const { id: subjectId } = await addIssue(await addProject('covered'));
      await parts.work(async ({ awards }) => {
        for (let n = 0; n < 25; n += 1)
          await awards.add({ subjectId, noteId: null }, { name: `emoji${n}`, userId: ada, at: NOW });
      });
      const reader = new KnexAwardReader(parts.database.reader);
      const reactions = await reader.reactions({ subjectId, noteIds: [], userId: ada });
      expect(reactions.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, n) => `emoji${n}`));
    });
  });

  describe('drafts of comments', () => {
    const NOWHERE = { answers: null, resolves: false, commitId: null, place: null };
    const position = {
      ...{ baseSha: 'a'.repeat(40), startSha: 'a'.repeat(40), headSha: 'b'.repeat(40) },
      ...{ oldPath: 'a.txt', newPath: 'b.txt', oldLine: null, newLine: 7 },
      first: { oldLine: 4, newLine: 5 },
    };
    const excerpt = [{ oldLine: null, newLine: 7, text: 'seven' }];
    const place = { position, original: position, outdated: false, excerpt };
    const LATER = new Date(NOW.getTime() + 1_000);

    it('are found by their author and subject alone, with all that was said of them, in the order in which they were written', async () => {
      const [subject, other] = [await addIssue(await addProject('drafted')), await addIssue(await addProject('apart'))];
      const { id: grace } = await parts.addUser('grace');
      const written = { subjectId: subject.id, authorId: ada, createdAt: NOW };
      const answer = { ...written, body: 'Oil', answers: 12, resolves: true, commitId: 'c'.repeat(40), place: null };
      const placed = { ...written, ...NOWHERE, body: 'Here', place };
      await parts.work(async ({ draftNotes }) => {
        const [first, second] = [await draftNotes.add(answer), await draftNotes.add(placed)];
        await draftNotes.add({ ...answer, authorId: grace });
        await draftNotes.add({ ...answer, subjectId: other.id });
        const all = [
          { ...answer, id: first.id, updatedAt: NOW },
          { ...placed, id: second.id, updatedAt: NOW },
        ];
        expect([first, second]).toEqual(all);
        expect(await draftNotes.all(subject.id, ada)).toEqual(all);
        expect(await draftNotes.find(subject.id, ada, second.id)).toEqual(all[1]);
        for (const [id, author] of [
          [subject.id, grace],
          [other.id, ada],
        ] as const)
          expect(await draftNotes.find(id, author, second.id)).toBeUndefined();
      });
    });

    it('answer those comments on their subject that are there', async () => {
      const [subject, other] = [
        await addIssue(await addProject('answered')),
        await addIssue(await addProject('aside')),
      ];
      const note = { authorId: ada, body: 'Hm', system: false, createdAt: NOW };
      await parts.work(async ({ notes, draftNotes }) => {
        const { id } = await notes.add({ ...note, subjectId: subject.id });
        const { id: elsewhere } = await notes.add({ ...note, subjectId: other.id });
        expect([...(await draftNotes.answerable(subject.id, [id, elsewhere, 999_999]))]).toEqual([id]);
        expect((await draftNotes.answerable(subject.id, [])).size).toBe(0);
      });
    });

    it('are counted in bytes, changed, and removed', async () => {
      const { id: subjectId } = await addIssue(await addProject('counted'));
      const draft = { subjectId, authorId: ada, createdAt: NOW, ...NOWHERE };
      await parts.work(async ({ draftNotes }) => {
        await draftNotes.hold(subjectId, ada);
        expect(await draftNotes.sizeOf(subjectId, ada)).toEqual({ drafts: 0, bytes: 0 });
        const { id } = await draftNotes.add({ ...draft, body: 'é' });
        const { id: kept } = await draftNotes.add({ ...draft, body: 'abc' });
        expect(await draftNotes.sizeOf(subjectId, ada)).toEqual({ drafts: 2, bytes: 5 });
        await draftNotes.update(id, { body: 'There', place, updatedAt: LATER });
        const changed = { ...draft, id, body: 'There', place, updatedAt: LATER };
        expect(await draftNotes.find(subjectId, ada, id)).toEqual(changed);
        await draftNotes.remove([id]);
        await draftNotes.remove([]);
        expect((await draftNotes.all(subjectId, ada)).map((each) => each.id)).toEqual([kept]);
      });
    });

    it('go with their subject, their author, and their project, in steps that are bounded', async () => {
      const projectId = await addProject('drafts-removed');
      const [subject, gone] = [await addIssue(projectId), await addIssue(projectId)];
      const { id: hedy } = await parts.addUser('hedy');
      const { schema, reader } = parts.database;
      const at = reader.dialect.writeInstant(NOW);
      const row = { subject_id: subject.id, body: 'Hm', resolves: false, created_at: at, updated_at: at };
      const rows = Array.from({ length: 1_500 }, () => ({ ...row, author_id: ada }));
      const others = [
        { ...row, author_id: hedy },
        { ...row, author_id: ada, subject_id: gone.id },
      ];
      await schema.batchInsert('draft_notes', [...rows, ...others], 70);
      const left = async () =>
        (await schema('draft_notes').whereIn('subject_id', [subject.id, gone.id]).select('id')).length;
      await parts.work(({ issues }) => issues.remove(gone.id));
      expect(await left()).toBe(1_501);
      await schema('users').where({ id: hedy }).delete();
      expect(await left()).toBe(1_500);
      const step = () => parts.work((repositories) => forgetSubjects(repositories, projectId));
      expect([await step(), await left()]).toEqual(['more', 500]);
      expect([await step(), await left()]).toEqual(['done', 0]);
    });
  });
});
