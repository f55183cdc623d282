import type { Issue, IssueState } from '../../../domain/planning/issue.js';
import type { Label } from '../../../domain/planning/label.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';

export type NewIssue = Pick<
  Issue,
  'projectId' | 'kind' | 'title' | 'description' | 'severity' | 'confidential' | 'dueDate' | 'authorId' | 'createdAt'
>;
export type IssueChanges = Partial<Pick<Issue, 'title' | 'description' | 'confidential' | 'dueDate'>>;

export interface IssueRepository {
  /** Gives it the next number of its project. */
  add(issue: NewIssue): Promise<Issue>;
  find(id: number): Promise<Issue | undefined>;
  update(id: number, changes: IssueChanges, at: Date): Promise<void>;
  /** False when it was in that state already. */
  changeState(id: number, state: IssueState, by: UserId, at: Date): Promise<boolean>;
  remove(id: number): Promise<void>;
  /** Unknown users are left out. */
  setAssignees(id: number, userIds: readonly UserId[]): Promise<void>;
  /** Labels that are not there yet are made. */
  setLabels(issue: Pick<Issue, 'id' | 'projectId'>, names: readonly string[], color: string, at: Date): Promise<void>;
}

export interface Note {
  readonly id: number;
  readonly issueId: number;
  readonly authorId: UserId | null;
  readonly body: string;
  /** Written by the service, about what happened. */
  readonly system: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NoteRepository {
  add(note: Pick<Note, 'issueId' | 'authorId' | 'body' | 'system' | 'createdAt'>): Promise<Note>;
  find(id: number): Promise<Note | undefined>;
  update(id: number, body: string, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
}

export interface LabelRepository {
  /** @throws Conflict "Label already exists". */
  add(projectId: ProjectId, label: Omit<Label, 'id'>, at: Date): Promise<Label>;
  find(projectId: ProjectId, id: number): Promise<Label | undefined>;
  /** @throws Conflict "Label already exists". */
  update(id: number, label: Omit<Label, 'id'>): Promise<void>;
  remove(id: number): Promise<void>;
}

export interface PlanningRepositories {
  readonly issues: IssueRepository;
  readonly notes: NoteRepository;
  readonly labels: LabelRepository;
}
