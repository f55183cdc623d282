import { titleOf } from '../../domain/repositories/commit-message.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import {
  NOT_DISCUSSED,
  type DiffsOfSubject,
  type SubjectDetails,
  type SubjectSource,
} from '../collaboration/ports/subject-ports.js';
import type { UserReader } from '../identity/ports/identity-readers.js';
import type { Commit } from '../repositories/ports/object-stores.js';
import type { Actor } from '../shared/actor.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import {
  subjectOfCommit,
  type DiscussedCommitReader,
  type DiscussedCommitRepository,
} from './ports/discussed-commits.js';

interface Parts {
  /** The commit that a name leads to. @throws NotFound and Forbidden for who may not read the code; Unavailable. */
  readonly readCommit: (actor: Actor, projectId: ProjectId, name: string) => Promise<Commit | undefined>;
  readonly discussedCommits: DiscussedCommitReader;
  readonly users: Pick<UserReader, 'findByEmail'>;
  readonly unitOfWork: UnitOfWork<{ readonly discussedCommits: DiscussedCommitRepository }>;
  readonly diffs: DiffsOfSubject;
}

/** Commits as subjects, called by their id, a branch or a tag. Whoever reads the code sees them. */
export const createCommitSource = ({
  readCommit,
  discussedCommits,
  users,
  unitOfWork,
  diffs,
}: Parts): SubjectSource => ({
  kind: 'commit',
  diffs,
  find: async (actor, { project }, name) => {
    const { id: projectId, fullPath: projectPath, visibility } = project;
    const commit = await readCommit(actor, projectId, name);
    if (commit === undefined) throw new NotFound('Commit');
    const known = await discussedCommits.find(projectId, commit.id);
    const authorId = known?.authorId ?? (await users.findByEmail(commit.author.email))?.id ?? null;
    const stored = { id: known?.id ?? NOT_DISCUSSED, projectId, commitId: commit.id, title: titleOf(commit.message) };
    return subjectOfCommit({ ...stored, authorId, projectPath, visibility });
  },
  begin: async (subject: SubjectDetails) => {
    const { projectId, commitId, title, authorId } = subject;
    if (commitId === undefined) throw new Error('A commit has an id.');
    const id = await unitOfWork.execute(({ discussedCommits: commits }) =>
      commits.begin({ projectId, commitId, title, authorId }),
    );
    return { ...subject, id };
  },
});
