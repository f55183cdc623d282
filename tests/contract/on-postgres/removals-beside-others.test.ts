import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import type { ProjectId, UserId } from '../../../src/domain/shared/identifiers.js';
import { ContractParts, NOW } from '../../support/contract-parts.js';
import { describeDatabase } from '../../support/databases.js';
import { until } from '../../support/until.js';

const LIMIT = 100;

describeDatabase('postgres', 'a removal of what a project talks about', (openTestDatabase) => {
  let parts: ContractParts;
  let somebody: pg.Client;
  /** Within a transaction what the server tells of the others stays as it was. */
  let onlooker: pg.Client;
  let ada: UserId;
  let projectId: ProjectId;
  let issues: readonly [number, number];

  beforeAll(async () => {
    const url = await openTestDatabase();
    parts = new ContractParts(url);
    [somebody, onlooker] = [new pg.Client(url), new pg.Client(url)];
    for (const client of [somebody, onlooker]) await client.connect();
  });
  beforeEach(async () => {
    const { id, namespaceId } = await parts.addUser(`ada-${Math.random()}`.replace('.', ''));
    ada = id;
    projectId = await parts.addProject({ id, namespaceId });
    issues = [await addIssue(), await addIssue()];
  });
  afterAll(async () => {
    for (const client of [somebody, onlooker]) await client.end();
    await parts.close();
  });

  const addIssue = () =>
    parts.work(async ({ issues: all }) => {
      const fields = { projectId, kind: 'issue', title: 'Leak', description: '', severity: null } as const;
      return (await all.add({ ...fields, confidential: false, dueDate: null, authorId: ada, createdAt: NOW })).id;
    });
  const remove = () => parts.work(({ subjects }) => subjects.removeOfProject(projectId, LIMIT));
  const holdSubject = (id: number) => somebody.query('select id from subjects where id = $1 for key share', [id]);
  const holdIssue = (id: number) => somebody.query('select id from issues where id = $1 for no key update', [id]);

  it('waits for nobody while it holds what they may wait for next', async () => {
    const [first, second] = issues;
    await somebody.query('begin');
    // As whoever notes under several issues that a commit names them.
    await holdSubject(first);
    await holdIssue(second);
    expect(await remove()).toBe(LIMIT);
    await holdSubject(second);
    await somebody.query('commit');
    expect([await remove(), await remove()]).toEqual([2, 0]);
  });

  it('waits for nobody in a step that has removed something', async () => {
    const [subjectId] = issues;
    const note = { subjectId, authorId: ada, body: 'Oil?', system: false, createdAt: NOW };
    await parts.work(({ notes }) => notes.add(note));
    await somebody.query('begin');
    for (const id of issues) await holdSubject(id);
    expect(await remove()).toBe(LIMIT);
    await somebody.query('commit');
    expect([await remove(), await remove()]).toEqual([2, 0]);
  });

  it('waits where others hold all that is left, instead of coming again and again', async () => {
    await somebody.query('begin');
    for (const id of issues) await holdSubject(id);
    const removing = remove();
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await onlooker.query(waits)).rowCount === 1);
    await somebody.query('commit');
    expect([await removing, await remove(), await remove()]).toEqual([LIMIT, 2, 0]);
  });
});
