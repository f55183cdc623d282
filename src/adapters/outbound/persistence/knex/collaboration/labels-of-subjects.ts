import type { Knex } from 'knex';
import type { LabelChip } from '../../../../../domain/planning/label.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';

const labelsBySubject = keptByIds<LabelChip & { readonly subject_id: number }>((query, among) =>
  query('subject_labels')
    .join('labels', 'labels.id', 'subject_labels.label_id')
    .where(among('subject_id'))
    .orderBy('labels.name')
    .select('subject_id', 'labels.name', 'labels.color'),
);

/** Labels by the id of their subject, in the order of the alphabet. */
export const chipsOfSubjects = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly LabelChip[]>> => {
  const rows = Map.groupBy(await labelsBySubject(session, ids), ({ subject_id }) => subject_id);
  return new Map([...rows].map(([id, labels]) => [id, labels.map(({ name, color }) => ({ name, color }))]));
};

/** Their names alone. */
export const labelsOfSubjects = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const chips = await chipsOfSubjects(session, ids);
  return new Map(ids.map((id) => [id, chips.get(id)?.map(({ name }) => name) ?? []]));
};

/** The labels of a row of a list. @param subject its column, as in `issues.id`. */
export const labelsOf = (query: Knex.QueryBuilder, subject: string): Knex.QueryBuilder =>
  query
    .from('subject_labels')
    .join('labels', 'labels.id', 'subject_labels.label_id')
    .whereRaw('subject_labels.subject_id = ??', [subject]);

/** So many subjects are looked at one by one. Where more have a label, a list that is gone through in its order soon finds enough of them. */
const FEW = 2_000;
const MOST_LABELS = 100;

/** A name of a label and the ids of the labels that are called so. */
export interface RareLabel {
  readonly name: string;
  readonly ids: readonly number[];
}

interface HeldLabel {
  readonly id: number;
  readonly name: string;
  readonly held: number | string;
}

/**
 * Of some names of labels the one that the fewest subjects have; undefined where that is not few.
 *
 * @param projectId undefined for those of all projects.
 */
export const rarestLabel = async (
  { query }: Session,
  names: readonly string[],
  projectId: ProjectId | undefined,
): Promise<RareLabel | undefined> => {
  const some = query('subject_labels')
    .whereRaw('subject_labels.label_id = labels.id')
    .select(query.raw('1 as one'))
    .limit(FEW + 1);
  const list = query('labels')
    .whereIn('name', [...names])
    .limit(MOST_LABELS + 1);
  if (projectId !== undefined) void list.where({ project_id: projectId });
  const held = query.from(some.as('some')).count('*');
  const labels = (await list.select('id', 'name', { held })) as unknown as readonly HeldLabel[];
  if (labels.length > MOST_LABELS) return undefined;
  const byName = Map.groupBy(labels, ({ name }) => name);
  let rarest: (RareLabel & { readonly held: number }) | undefined;
  for (const name of names) {
    const of = byName.get(name) ?? [];
    const count = of.reduce((sum, label) => sum + Number(label.held), 0);
    if (count < (rarest?.held ?? FEW + 1)) rarest = { name, ids: of.map(({ id }) => id), held: count };
  }
  return rarest;
};

interface WantedLabels {
  readonly labels?: readonly string[] | undefined;
  readonly labelled?: boolean | undefined;
  /** As `rarestLabel` found it: the list is made of the subjects that have that one, and not gone through. */
  readonly rarest?: RareLabel | undefined;
}

/**
 * Narrows a list to the subjects that have all these labels, any, or none.
 *
 * @param subject the column of their ids, as in `issues.id`.
 */
export const narrowByLabels = (
  list: Knex.QueryBuilder,
  { query, dialect }: Session,
  subject: string,
  { labels, labelled, rarest }: WantedLabels,
): void => {
  if (rarest !== undefined)
    void list.whereRaw(dialect.amongFound(subject), [
      query('subject_labels')
        .whereIn('label_id', [...rarest.ids])
        .select('subject_id'),
    ]);
  const others = labels?.filter((name) => name !== rarest?.name) ?? [];
  if (others.length > 0) {
    // How many of the names it has: one look at its few labels, however many names there are.
    const having = labelsOf(query.queryBuilder() as Knex.QueryBuilder, subject).whereIn('labels.name', others);
    void list.whereRaw('? = ?', [having.count('*'), others.length]);
  }
  if (labelled === true) void list.whereExists((any) => void labelsOf(any, subject));
  if (labelled === false) void list.whereNotExists((any) => void labelsOf(any, subject));
};
