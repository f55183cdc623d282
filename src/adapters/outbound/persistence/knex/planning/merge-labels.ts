import type { Session } from '../session.js';

/**
 * Rows of a label of a group in projects that have another label of this name, with the row of that one. Where there are several rows of the
 * label in a project, as an older program may have called one otherwise, the first of them stays.
 */
const PAIRS = `with meant (from_id, to_id) as (
  select labels.id, coalesce(
    (select others.id from labels as others where others.project_id = labels.project_id and others.name = ?),
    (select min(others.id) from labels as others
      where others.project_id = labels.project_id and others.group_label_id = labels.group_label_id))
  from labels where labels.group_label_id = ?),
pairs (from_id, to_id) as (select from_id, to_id from meant where from_id <> to_id)`;

const MERGE = [
  `${PAIRS} insert into subject_labels (subject_id, label_id)
   select subject_labels.subject_id, pairs.to_id from subject_labels join pairs on pairs.from_id = subject_labels.label_id
   where true on conflict do nothing`,
  `${PAIRS} update resource_events set label_id = (select to_id from pairs where from_id = resource_events.label_id)
   where label_id in (select from_id from pairs)`,
  // Where a board has a list of the other one already, it loses this.
  `${PAIRS} update board_lists set label_id = (select to_id from pairs where from_id = board_lists.label_id)
   where label_id in (select from_id from pairs) and not exists (
     select 1 from board_lists as others join pairs on pairs.to_id = others.label_id
     where others.board_id = board_lists.board_id and pairs.from_id = board_lists.label_id)`,
  `${PAIRS} delete from labels where id in (select from_id from pairs)`,
];

/**
 * Before a label of a group is called otherwise: in projects that have another label of that name, what has this one gets the other one.
 * Of each project a name means one label.
 */
export const mergeIntoOthersNamed = async (session: Session, groupLabelId: number, name: string): Promise<void> => {
  for (const sql of MERGE) await session.run(sql, [name, groupLabelId]);
};
