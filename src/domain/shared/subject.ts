import type { ProjectId } from './identifiers.js';

/** What the API calls each kind of subject where something says what it belongs to, as `noteable_type` does. */
export const SUBJECT_TYPES = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
  commit: 'Commit',
} as const;
export type SubjectKind = keyof typeof SUBJECT_TYPES;
export type SubjectType = (typeof SUBJECT_TYPES)[SubjectKind];

/** What people talk about. Its id is one of all kinds: no two subjects share one. */
export interface Subject {
  readonly id: number;
  readonly kind: SubjectKind;
  readonly projectId: ProjectId;
}
