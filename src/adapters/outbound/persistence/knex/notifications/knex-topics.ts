import type { SubjectRepository } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { Topic, TopicProject } from '../../../../../application/notifications/ports/audience-ports.js';
import type { Cause } from '../../../../../application/notifications/ports/cause-ports.js';
import type { Session } from '../session.js';
import type { RowOf, TableName } from '../tables.js';
import { FEATURE_COLUMNS, toFeatures } from '../workspace/workspace-rows.js';

type Found<Row> = ReadonlyMap<number, Row>;

const present = (ids: readonly (number | null)[]): readonly number[] => [
  ...new Set(ids.filter((id): id is number => id !== null)),
];

/** Rows of a table by their ids. Nothing is asked where there are no ids. */
const findRows = async <Row extends { readonly id: number }>(
  { query }: Session,
  table: TableName,
  ids: readonly (number | null)[],
  columns: readonly (keyof Row & string)[],
): Promise<Found<Row>> => {
  const wanted = present(ids);
  if (wanted.length === 0) return new Map();
  const rows = (await query(table as string)
    .whereIn('id', [...wanted])
    .select(...columns)) as Row[];
  return new Map(rows.map((row) => [row.id, row]));
};

const findProjects = async ({ query }: Session, causes: readonly Cause[]): Promise<Found<TopicProject>> => {
  const rows = await query('projects')
    .whereIn('id', [...new Set(causes.map(({ projectId }) => projectId))])
    .whereNull('removal_requested_at')
    .select('id', 'namespace_id', 'name', 'full_path', 'visibility', ...FEATURE_COLUMNS);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        namespaceId: row.namespace_id,
        name: row.name,
        fullPath: row.full_path,
        visibility: row.visibility,
        features: toFeatures(row),
      },
    ]),
  );
};

/** Labels may have been removed since, or be of another project: issues move. */
const findLabelNames = async (session: Session, causes: readonly Cause[]): Promise<(cause: Cause) => string[]> => {
  const ids = causes.flatMap(({ details: { labels = [] } }) => labels);
  const rows = await findRows<RowOf<'labels'>>(session, 'labels', ids, ['id', 'project_id', 'name']);
  return ({ projectId, details: { labels = [] } }) =>
    labels
      .flatMap((id) => rows.get(id) ?? [])
      .filter((label) => label.project_id === projectId)
      .map(({ name }) => name)
      .sort();
};

/** What causes are about, by their ids: of all of them by one statement a table. Those whose project is being removed have none. */
export const readTopics = async (
  session: Session,
  subjects: Pick<SubjectRepository, 'findAll'>,
  causes: readonly Cause[],
): Promise<ReadonlyMap<number, Topic>> => {
  if (causes.length === 0) return new Map();
  const projects = await findProjects(session, causes);
  const subjectsById = await subjects.findAll(present(causes.map(({ subjectId }) => subjectId)));
  const notes = await findRows<NonNullable<Topic['note']>>(
    session,
    'notes',
    causes.map(({ noteId }) => noteId),
    ['id', 'body'],
  );
  const alerts = await findRows<NonNullable<Topic['alert']>>(
    session,
    'alerts',
    causes.map(({ alertId }) => alertId),
    ['id', 'iid', 'title', 'description'],
  );
  const actors = await findRows<NonNullable<Topic['actor']>>(
    session,
    'users',
    causes.map(({ actorId }) => actorId),
    ['id', 'name'],
  );
  const labelsOf = await findLabelNames(session, causes);
  const topics = causes.flatMap((cause): [number, Topic][] => {
    const project = projects.get(cause.projectId);
    if (project === undefined) return [];
    const topic = {
      project,
      subject: subjectsById.get(cause.subjectId ?? 0) ?? null,
      note: notes.get(cause.noteId ?? 0) ?? null,
      alert: alerts.get(cause.alertId ?? 0) ?? null,
      actor: actors.get(cause.actorId ?? 0) ?? null,
      labels: labelsOf(cause),
    };
    return [[cause.id, topic]];
  });
  return new Map(topics);
};
