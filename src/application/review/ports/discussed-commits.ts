import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Visibility } from '../../../domain/shared/visibility.js';
import type { SubjectDetails } from '../../collaboration/ports/subject-ports.js';

export interface NewDiscussedCommit {
  readonly projectId: ProjectId;
  readonly commitId: ObjectId;
  readonly title: string;
  /** Who wrote it, where its address is known. */
  readonly authorId: UserId | null;
}

/** A commit that people have talked about. */
export interface DiscussedCommit extends NewDiscussedCommit {
  readonly id: number;
}

export interface DiscussedCommitReader {
  find(projectId: ProjectId, commitId: ObjectId): Promise<DiscussedCommit | undefined>;
  findById(id: number): Promise<DiscussedCommit | undefined>;
}

export interface DiscussedCommitRepository extends DiscussedCommitReader {
  /** @returns the id of the commit, also where somebody else has made it just now. */
  begin(commit: NewDiscussedCommit): Promise<number>;
}

const SHORT_ID = 8;

/** A commit as a subject. */
export const subjectOfCommit = (
  commit: DiscussedCommit & { readonly projectPath: string; readonly visibility: Visibility },
): SubjectDetails => {
  const { id, projectId, commitId, title, authorId, projectPath, visibility } = commit;
  return {
    ...{ id, kind: 'commit', projectId, projectPath, commitId, title, authorId, iid: null },
    description: '',
    assignees: [],
    dueDate: null,
    reference: `@${commitId.slice(0, SHORT_ID)}`,
    page: `commit/${commitId}`,
    resolvable: false,
    locked: false,
    confidential: false,
    // It is code: where that isn't open to everybody, reporters read it.
    readers: { level: visibility === 'private' ? ACCESS_LEVEL.reporter : ACCESS_LEVEL.none, people: [] },
  };
};
