import type { TodoAction, TodoState } from '../../../domain/collaboration/todo.js';
import type { GroupId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { SubjectKind } from '../../../domain/shared/subject.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';
import type { Person } from './note-ports.js';
import type { SubjectDetails } from './subject-ports.js';

export interface NewTodo {
  readonly userId: UserId;
  readonly subjectId: number;
  readonly noteId: number | null;
  /** Absent where nobody asked, as when a pipeline fails. */
  readonly authorId: UserId | null;
  readonly action: TodoAction;
}

/** They have been asked for the same again since. */
export class AskedAgain extends Error {}

export interface TodoRepository {
  /** Leaves out what somebody is asked for already. @returns the ids of those that are new. */
  add(todos: readonly NewTodo[], at: Date): Promise<readonly number[]>;
  /** What these people were asked for about subjects is done; where actions are named, of those alone. */
  finish(
    userIds: readonly UserId[],
    subjectIds: readonly number[],
    at: Date,
    actions?: readonly TodoAction[],
  ): Promise<void>;
  finishOne(id: number, at: Date): Promise<void>;
  /** It is to be done after all. @throws AskedAgain. */
  reopenOne(id: number, at: Date): Promise<void>;
  /** At most `limit` of what somebody is asked for. @returns how many. */
  finishSome(userId: UserId, limit: number, at: Date): Promise<number>;
}

/** The comment that asks for it. */
export interface TodoNote {
  readonly id: number;
  readonly body: string;
}

/** What somebody is asked for, as long as they may read what it is about. */
export interface Todo {
  readonly id: number;
  readonly action: TodoAction;
  readonly state: TodoState;
  readonly subject: SubjectDetails;
  readonly note: TodoNote | null;
  readonly author: Person | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TodoQuery {
  readonly userId: UserId;
  readonly viewer: Viewer;
  readonly state?: TodoState;
  readonly action?: TodoAction;
  readonly authorId?: UserId;
  readonly projectId?: ProjectId;
  /** With all groups below it. */
  readonly groupId?: GroupId;
  /** Null is none that there is. */
  readonly kind?: SubjectKind | null;
}

/** How much somebody has yet to do. */
export interface OpenTodos {
  readonly count: number;
  /** There are so many that not all were looked at. */
  readonly more: boolean;
}

export interface TodoReader {
  /** The newest first: ids, to be read with `read`. */
  list(query: TodoQuery, page: PageRequest): Promise<Page<number>>;
  /** Those of them that are there, and about what can still be read, in their order. */
  read(query: Pick<TodoQuery, 'userId' | 'viewer'>, ids: readonly number[]): Promise<readonly Todo[]>;
  /** Of what can be read now: the newest, so that it costs everybody about the same. */
  countOpen(query: Pick<TodoQuery, 'userId' | 'viewer'>): Promise<OpenTodos>;
}
