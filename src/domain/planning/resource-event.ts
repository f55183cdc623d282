/** What is done with a label or a milestone of a subject, or to its state: the words of the API. */
export interface ResourceEventActions {
  readonly label: 'add' | 'remove';
  readonly milestone: 'add' | 'remove';
  readonly state: 'closed' | 'reopened' | 'merged';
}
export type ResourceEventKind = keyof ResourceEventActions;

/** All that the history of a subject tells: pages show more of it than the API has words for. */
export interface HistoryActions extends ResourceEventActions {
  readonly assignee: 'add' | 'remove';
  readonly reviewer: 'add' | 'remove';
  readonly title: 'change';
  readonly target_branch: 'change';
  readonly due_date: 'add' | 'remove';
  readonly confidential: 'add' | 'remove';
}
export type HistoryKind = keyof HistoryActions;
