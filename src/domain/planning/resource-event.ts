/** What is done with a label or a milestone of a subject, or to its state: the words of the API. */
export interface ResourceEventActions {
  readonly label: 'add' | 'remove';
  readonly milestone: 'add' | 'remove';
  readonly state: 'closed' | 'reopened' | 'merged';
}
export type ResourceEventKind = keyof ResourceEventActions;
