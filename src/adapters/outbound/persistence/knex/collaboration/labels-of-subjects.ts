import type { Knex } from 'knex';
import type { Session } from '../session.js';

/** The names of labels by the id of their subject, in the order of the alphabet. */
export const labelsOfSubjects = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const rows = (await session
    .query('subject_labels')
    .join('labels', 'labels.id', 'subject_labels.label_id')
    .whereIn('subject_id', [...ids])
    .orderBy('labels.name')
    .select('subject_id', 'labels.name')) as { subject_id: number; name: string }[];
  return new Map(ids.map((id) => [id, rows.filter((row) => row.subject_id === id).map(({ name }) => name)]));
};

/** The labels of a row of a list. @param subject its column, as in `issues.id`. */
export const labelsOf = (query: Knex.QueryBuilder, subject: string): Knex.QueryBuilder =>
  query
    .from('subject_labels')
    .join('labels', 'labels.id', 'subject_labels.label_id')
    .whereRaw('subject_labels.subject_id = ??', [subject]);

/**
 * Narrows a list to the subjects that have all these labels, any, or none.
 *
 * @param subject the column of their ids, as in `issues.id`.
 */
export const narrowByLabels = (
  list: Knex.QueryBuilder,
  query: Knex,
  subject: string,
  { labels, labelled }: { readonly labels?: readonly string[]; readonly labelled?: boolean },
): void => {
  if (labels !== undefined) {
    // How many of the names it has: one look at its few labels, however many names there are.
    const having = labelsOf(query.queryBuilder() as Knex.QueryBuilder, subject).whereIn('labels.name', [...labels]);
    void list.whereRaw('? = ?', [having.count('*'), labels.length]);
  }
  if (labelled === true) void list.whereExists((any) => void labelsOf(any, subject));
  if (labelled === false) void list.whereNotExists((any) => void labelsOf(any, subject));
};
