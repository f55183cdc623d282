import type { CommentedLine } from '../../../domain/repositories/commit-comment.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { UserState } from '../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../domain/shared/page.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';

export interface NewCommitComment {
  readonly projectId: ProjectId;
  readonly commit: ObjectId;
  readonly authorId: UserId;
  readonly note: string;
  /** Null where it is about the commit as a whole. */
  readonly line: CommentedLine | null;
  readonly createdAt: Date;
}

export interface CommitComment extends Omit<NewCommitComment, 'authorId'> {
  readonly id: number;
  /** Null where they are gone. */
  readonly author: {
    readonly id: UserId;
    readonly username: string;
    readonly name: string;
    readonly state: UserState;
  } | null;
}

export interface CommitCommentRepository {
  add(comment: NewCommitComment): Promise<number>;
}

export interface CommitCommentReader {
  find(id: number): Promise<CommitComment | undefined>;
  /** The oldest first. */
  list(projectId: ProjectId, commit: ObjectId, page: PageRequest): Promise<PageInBatches<CommitComment>>;
}
