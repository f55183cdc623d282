import type { IssueState } from '../../../domain/planning/issue.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { SubjectLabelRepository } from '../../collaboration/ports/label-ports.js';
import type { NoteRepository } from '../../collaboration/ports/note-ports.js';
import { changeIssueState } from '../change-issue-state.js';
import type { IssueRepository, NewIssue } from '../ports/planning-repositories.js';

/** What the operations need of the caller's unit of work. */
export interface IncidentRepositories {
  readonly issues: IssueRepository;
  readonly notes: NoteRepository;
  readonly subjectLabels: SubjectLabelRepository;
  readonly events: DomainEvents;
}

export type NewIncident = Pick<NewIssue, 'projectId' | 'title' | 'description' | 'severity' | 'createdAt'> & {
  readonly authorId: UserId;
  readonly label: { readonly name: string; readonly color: string };
};

/** Opens an incident within the caller's unit of work, and returns its id. */
export const openIncident = async (
  { issues, subjectLabels, events }: IncidentRepositories,
  { label, ...incident }: NewIncident,
): Promise<number> => {
  const issue = await issues.add({ ...incident, kind: 'incident', confidential: false, dueDate: null });
  const { authorId: by, createdAt: at } = incident;
  await subjectLabels.set(issue, [label.name], label.color, at);
  await events.publish({ kind: 'issue_opened', issue, by, at });
  return issue.id;
};

export interface IncidentChange {
  readonly state: IssueState;
  /** Says in the incident why. */
  readonly note: string;
  readonly by: UserId;
  readonly at: Date;
}

/** Closes or reopens an incident within the caller's unit of work; leaves one alone that is gone, or in that state already. */
export const changeIncident = async (
  repositories: IncidentRepositories,
  id: number,
  { state, note, by, at }: IncidentChange,
): Promise<void> => {
  const issue = await repositories.issues.take(id);
  if (issue === undefined || !(await changeIssueState(repositories, state, { issue, by, at }))) return;
  await repositories.notes.add({ subjectId: id, authorId: by, body: note, system: true, createdAt: at });
};
