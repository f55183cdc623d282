import { expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { goBackBefore, goOn } from '../support/migrate-in-steps.js';

const NAME = '20261122140001_create_subjects';
/** More than one batch. */
const ISSUES = 4_500;
const LAST = 9_000;

const NEW_ISSUE = {
  kind: 'issue',
  title: 'New',
  description: '',
  severity: null,
  confidential: false,
  dueDate: null,
  authorId: null,
  createdAt: NOW,
} as const;

type Row = Readonly<Record<string, unknown>>;

interface Place {
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly at: Date | string;
}

/** Issues, of which one is talked about, as they were before there were subjects. */
const fill = async (schema: Knex, { projectId, userId, at }: Place): Promise<void> => {
  const times = { created_at: at, updated_at: at };
  const insert = (table: string, ...rows: readonly Row[]) => schema.batchInsert(table, rows as Row[], 50);
  const issue = {
    project_id: projectId,
    kind: 'issue',
    description: '',
    search_key: '',
    state: 'opened',
    confidential: false,
  };
  const issues = Array.from({ length: ISSUES }, (_, index) => ({
    ...{ ...issue, ...times, id: index + 1, iid: index + 10, title: `Issue ${index + 1}` },
  }));
  await insert('issues', ...issues, { ...issue, ...times, id: LAST, iid: LAST, title: 'The last' });
  await insert('issue_assignees', { issue_id: 7, user_id: userId });
  await insert('labels', {
    id: 1,
    project_id: projectId,
    name: 'bug',
    color: '#000000',
    description: '',
    created_at: at,
  });
  await insert('issue_labels', { issue_id: 7, label_id: 1 });
  await insert('issue_subscriptions', { issue_id: 7, user_id: userId, subscribed: true, updated_at: at });
  await insert('notes', { id: 3, issue_id: 7, author_id: userId, body: 'Hm', system: false, ...times });
  const cause = {
    kind: 'new_note',
    project_id: projectId,
    details: '{}',
    told_up_to: 0,
    created_at: at,
    expires_at: at,
  };
  await insert('notification_causes', { ...cause, id: 5, issue_id: 7, note_id: 3 });
  const mail = { template: 'notification', state: 'waiting', attempts: 0, due_at: at, created_at: at, expires_at: at };
  await insert('queued_mails', { ...mail, id: 1, cause_id: 5, user_id: userId, reason: 'author' });
  if (schema.client.dialect === 'postgresql')
    await schema.raw(`select setval('issues_id_seq', ${LAST}), setval('notes_id_seq', 3)`);
};

describeEachDatabase('the migration of subjects', (openTestDatabase) => {
  it('keeps issues, their ids, and all that refers to them, both ways, and gives out no id twice', async () => {
    const parts = new ContractParts(await openTestDatabase());
    try {
      const { schema, reader } = parts.database;
      const { id: userId, namespaceId } = await parts.addUser('ada');
      const project = { name: 'Engine', path: 'engine', description: null, visibility: 'public' } as const;
      const rest = { defaultBranch: null, mergeWhenPipelineSucceeds: false, creatorId: userId, createdAt: NOW };
      const projectId = await parts.work(({ projects }) => projects.add({ ...project, ...rest, namespaceId }));
      const rows = async (table: string, ...columns: string[]) =>
        (await schema(table).orderBy(columns[0]!).select(columns)) as Row[];
      await goBackBefore(schema, NAME);
      await fill(schema, { projectId, userId, at: reader.dialect.writeInstant(NOW) });
      // Somebody may have removed the newest.
      await schema('issues').where({ id: LAST }).delete();

      await goOn(schema);
      expect(await schema('subjects').where({ kind: 'issue', project_id: projectId }).pluck('id')).toHaveLength(ISSUES);
      const unlike = schema('issues').leftJoin('subjects', 'subjects.id', 'issues.id').whereNull('subjects.id');
      expect(await unlike.select('issues.id')).toEqual([]);
      const about = { subject_id: 7 };
      expect(await rows('notes', 'id', 'subject_id', 'body')).toEqual([{ id: 3, ...about, body: 'Hm' }]);
      expect(await rows('subject_labels', 'subject_id', 'label_id')).toEqual([{ ...about, label_id: 1 }]);
      expect(await rows('subscriptions', 'subject_id', 'user_id')).toEqual([{ ...about, user_id: userId }]);
      expect(await rows('notification_causes', 'id', 'subject_id', 'note_id')).toEqual([
        { id: 5, ...about, note_id: 3 },
      ]);
      expect(await rows('queued_mails', 'id', 'cause_id')).toEqual([{ id: 1, cause_id: 5 }]);
      expect(await rows('issue_assignees', 'issue_id', 'user_id')).toEqual([{ issue_id: 7, user_id: userId }]);
      expect(await parts.work(({ issues }) => issues.add({ ...NEW_ISSUE, projectId }))).toMatchObject({ id: LAST + 1 });
      await schema('subjects')
        .where({ id: LAST + 1 })
        .delete();

      await goBackBefore(schema, NAME);
      expect(await rows('notes', 'id', 'issue_id', 'body')).toEqual([{ id: 3, issue_id: 7, body: 'Hm' }]);
      expect(await rows('queued_mails', 'id', 'cause_id')).toEqual([{ id: 1, cause_id: 5 }]);

      await goOn(schema);
      // What refers to a subject goes with it.
      await schema('subjects').where({ id: 7 }).delete();
      for (const table of ['notes', 'subject_labels', 'subscriptions', 'notification_causes', 'queued_mails'])
        expect(await schema(table).select('*')).toEqual([]);
      expect(await schema('issues').where({ id: 7 })).toEqual([]);
    } finally {
      await parts.close();
    }
  });
});
