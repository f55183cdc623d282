import type { Knex } from 'knex';
import type { JobQueue, QueuedJob } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import { fitsTags, type CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { switchedOn } from '../visibility/visible.js';

/** Sets of tags are looked through so many at once. */
const TAG_SETS_AT_ONCE = 1_000;
/** With more that it may take a runner has enough to do. */
const MOST_FITTING = 1_000;

export class KnexJobQueue implements JobQueue {
  constructor(private readonly session: Session) {}

  async *waitingFor(runner: CiRunner, limit: number): AsyncGenerator<QueuedJob> {
    const fitting = await this.#fittingTags(runner);
    if (fitting.length === 0) return;
    const projects = await this.#projects(runner, fitting, limit);
    const ofEach = Math.max(1, Math.floor(limit / projects.length));
    for (const projectId of projects) {
      const jobs = (await this.#fitting(query(this.session), runner, fitting)
        .where('ci_jobs.project_id', projectId)
        .orderBy(['ci_jobs.queued_at', 'ci_jobs.id'])
        .limit(ofEach)
        .select('ci_jobs.id')) as Pick<RowOf<'ci_jobs'>, 'id'>[];
      for (const { id } of jobs) yield { id, projectId };
    }
  }

  /** Those that have something for the runner: first where fewer jobs run, then where one waits longest. */
  async #projects(runner: CiRunner, fitting: readonly string[], limit: number): Promise<readonly ProjectId[]> {
    const knex = query(this.session);
    const ofProject = knex.ref('projects.id');
    const first = this.#fitting(knex, runner, fitting)
      .where('ci_jobs.project_id', ofProject)
      .orderBy('ci_jobs.queued_at')
      .limit(1)
      .select('ci_jobs.queued_at');
    const running = knex('ci_jobs')
      .where('ci_jobs.project_id', ofProject)
      .whereNotNull('gives_up_at')
      .whereNull('queue_tags')
      .whereNull('bridge')
      .count('*');
    const open = valuesWaiting(knex, 'project_id', 0)
      .join('projects', 'projects.id', 'waiting.value')
      .where('projects.archived', false)
      .where(switchedOn('builds'))
      .whereNull('projects.removal_requested_at')
      .select({ project_id: 'projects.id', first, running });
    if (runner.type === 'project_type')
      void open.whereIn('projects.id', knex('ci_runner_projects').where({ runner_id: runner.id }).select('project_id'));
    if (runner.groupId !== null) void withPlaces(open).whereIn('projects.id', holdingProjects(knex, runner.groupId));
    const rows = (await knex
      .from(open.as('open'))
      .whereNotNull('first')
      .orderBy(['running', 'first', 'project_id'])
      .limit(limit)
      .select('project_id')) as Pick<RowOf<'ci_jobs'>, 'project_id'>[];
    return rows.map(({ project_id: id }) => id);
  }

  #fitting(knex: Knex, runner: CiRunner, tagSets: readonly string[]): Knex.QueryBuilder {
    const jobs = knex('ci_jobs')
      .whereNotNull('queue_tags')
      .whereIn('queue_tags', [...tagSets]);
    return runner.protectedOnly ? jobs.where('protected_ref', true) : jobs;
  }

  /** Of all sets of tags that jobs wait for: whoever makes many that no runner has holds up nobody. */
  async #fittingTags(runner: CiRunner): Promise<readonly string[]> {
    const fitting: string[] = [];
    for (let last = ''; fitting.length < MOST_FITTING;) {
      const rows = (await valuesWaiting(query(this.session), 'queue_tags', last)
        .limit(TAG_SETS_AT_ONCE)
        .select('value')) as { readonly value: string }[];
      const sets = rows.map(({ value }) => value);
      fitting.push(...sets.filter((tags) => fitsTags(runner, JSON.parse(tags) as string[])));
      if (sets.length < TAG_SETS_AT_ONCE) break;
      last = sets.at(-1)!;
    }
    return fitting;
  }
}

const query = ({ query: knex }: Session): Knex => knex as Knex;

/** `waiting(value)`: what jobs that wait have in a column, in order, from one value to the next, past however many have the same. */
const valuesWaiting = (knex: Knex, column: 'project_id' | 'queue_tags', after: number | string): Knex.QueryBuilder => {
  const next = (last: Knex.Value | Knex.Ref<string, Record<string, string>>) =>
    knex('ci_jobs').whereNotNull('queue_tags').where(column, '>', last).min(column);
  return knex
    .withRecursive('waiting', ['value'], (first) => {
      void first
        .from(next(after).as('least'))
        .select('*')
        .unionAll((others) => {
          void others
            .from('waiting')
            .whereNotNull('value')
            .select(next(knex.ref('waiting.value')).as('after'));
        });
    })
    .from('waiting')
    .whereNotNull('value');
};

/**
 * `places(project_id, id)`: for each project that waits its namespace and all that hold it. Of a large group far more projects don't wait than
 * do, and few levels are above each.
 */
const withPlaces = (waiting: Knex.QueryBuilder): Knex.QueryBuilder =>
  waiting.withRecursive('places', ['project_id', 'id'], (places) => {
    void places
      .from('waiting')
      .join('projects', 'projects.id', 'waiting.value')
      .select('projects.id', 'projects.namespace_id')
      .unionAll((above) => {
        void above
          .from('places')
          .join('namespaces', 'namespaces.id', 'places.id')
          .whereNotNull('namespaces.parent_id')
          .select('places.project_id', 'namespaces.parent_id');
      });
  });

const holdingProjects = (knex: Knex, groupId: GroupId): Knex.QueryBuilder =>
  knex.from('places').where('places.id', groupId).select('places.project_id');
