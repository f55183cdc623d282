import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countWaiting } from '../../src/adapters/outbound/persistence/knex/shared/count-waiting.js';
import { KnexMailQueueReader } from '../../src/adapters/outbound/persistence/knex/notifications/knex-mail-queue-reader.js';
import { KnexMergeRequestReader } from '../../src/adapters/outbound/persistence/knex/review/knex-merge-request-reader.js';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeDatabase } from '../support/databases.js';
import { KnexPipelineReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-pipeline-reader.js';
import { KnexPlanningReader } from '../../src/adapters/outbound/persistence/knex/planning/knex-planning-reader.js';

type Asked = { readonly sql: string; readonly bindings: readonly Knex.RawBinding[] };

const ISSUES = {
  viewer: { userId: 1 as UserId, admin: true, today: '2026-01-01' },
  projectId: 1 as ProjectId,
  orderBy: 'created_at',
  sort: 'asc',
  page: { page: 2, perPage: 20 },
} as const;

const BRANCHES = {
  ...{ projectId: 1 as ProjectId, targetBranch: 'main' },
  ...{ sourceProjectId: 1 as ProjectId, sourceBranch: 'cogs' },
};

const COMMITS = {
  ...{ projectIds: [1 as ProjectId], shas: ['a'.repeat(40), 'b'.repeat(40)], mergeRequestId: 1 },
  page: { page: 1, perPage: 20 },
};

const NAMED = { projectId: 1 as ProjectId, name: 'Nightly', page: { page: 1, perPage: 20 } };

/** SQLite is the one that hides values from its planner. */
describeDatabase('sqlite', 'indexes of part of a table', (openTestDatabase) => {
  let parts: ContractParts;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
  });
  afterAll(() => parts.close());

  /** How the engine finds what a work reads. */
  const plansOf = async (work: () => Promise<unknown>): Promise<string> => {
    const { database } = parts;
    const asked: Asked[] = [];
    const note = ({ sql, bindings }: Asked): void => void asked.push({ sql, bindings });
    const ends = [database.schema, database.reader.query];
    for (const end of ends) end.on('query', note);
    await work();
    for (const end of ends) end.off('query', note);
    const plans = asked
      .filter(({ sql }) => /^(?:select|with)/.test(sql))
      .map(({ sql, bindings }) => database.reader.query.raw(`explain query plan ${sql}`, bindings));
    const steps = (await Promise.all(plans)).flat() as { readonly detail: string }[];
    return steps.map(({ detail }) => detail).join('\n');
  };

  type Work = (parts: ContractParts) => Promise<unknown>;
  const works: readonly (readonly [index: string, finds: string, work: Work])[] = [
    ['queued_mails_waiting', 'mails to be sent', (of) => of.work(({ mailOutbox }) => mailOutbox.lease(NOW, NOW, 10))],
    ['queued_mails_waiting', 'mails that wait', (of) => new KnexMailQueueReader(of.database.reader).count()],
    ['queued_mails_waiting', 'what waits', (of) => countWaiting(of.database.reader)],
    [
      'issues_due',
      'issues that are due',
      (of) => of.work(({ dueIssues }) => dueIssues.unreminded('2026-01-01', '2026-01-02', 9)),
    ],
    [
      'issues_that_are_open',
      'open issues of a project',
      (of) => new KnexPlanningReader(of.database.reader).listIssues({ ...ISSUES, state: 'opened' }),
    ],
    [
      'merge_requests_open_unique',
      'the open merge request of two branches',
      (of) => new KnexMergeRequestReader(of.database.reader, () => '2026-01-01').findOpenTwin(BRANCHES),
    ],
    [
      'pipelines_project_id_sha_source_id_index',
      'pipelines of a merge request, without those of schedules',
      (of) => new KnexPipelineReader(of.database.reader).listOf(COMMITS),
    ],
    [
      'pipelines_of_a_name',
      'pipelines of a name',
      (of) => new KnexPipelineReader(of.database.reader).list({ ...NAMED, orderBy: 'id', sort: 'desc' }),
    ],
    [
      'alerts_with_many_events',
      'alerts with many events',
      (of) => of.work(({ alertDeliveries }) => alertDeliveries.trim({ requests: 1, payloads: 1, arrivals: 1 }, 9)),
    ],
  ];

  it.each(works)('%s finds %s', async (index, _, work) => {
    expect(await plansOf(() => work(parts))).toContain(index);
  });
});
