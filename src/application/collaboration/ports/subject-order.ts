/** What lists of issues and of merge requests alike can be put in order by. */
export const SUBJECT_ORDERS = [
  'created_at',
  'updated_at',
  'title',
  'popularity',
  'milestone_due',
  'label_priority',
  'priority',
] as const;

/**
 * `popularity` is how many thumbs are up, `milestone_due` when their milestone is due, `label_priority` the first of the priorities of
 * their labels, and `priority` both. What has no such day or priority comes last, either way.
 */
export type SubjectOrder = (typeof SUBJECT_ORDERS)[number];
