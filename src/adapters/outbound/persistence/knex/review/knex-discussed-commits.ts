import type {
  DiscussedCommit,
  DiscussedCommitRepository,
  NewDiscussedCommit,
} from '../../../../../application/review/ports/discussed-commits.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { addSubject, removeSubject } from '../collaboration/subject-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type Row = RowOf<'discussed_commits'>;

/** For repositories and readers alike. */
export class KnexDiscussedCommits implements DiscussedCommitRepository {
  constructor(private readonly session: Session) {}

  async begin({ projectId, commitId, title, authorId }: NewDiscussedCommit): Promise<number> {
    const id = await addSubject(this.session, 'commit', projectId);
    await this.session
      .query('discussed_commits')
      .insert({ id, project_id: projectId, commit_id: commitId, title, author_id: authorId })
      .onConflict(['project_id', 'commit_id'])
      .ignore();
    const made = (await this.find(projectId, commitId))?.id;
    if (made === undefined) throw new Error('A commit that was there a moment ago is gone.');
    if (made !== id) await removeSubject(this.session, id);
    return made;
  }

  find(projectId: ProjectId, commitId: string): Promise<DiscussedCommit | undefined> {
    return this.#first({ project_id: projectId, commit_id: commitId });
  }

  findById(id: number): Promise<DiscussedCommit | undefined> {
    return this.#first({ id });
  }

  async #first(named: Partial<Row>): Promise<DiscussedCommit | undefined> {
    const row = await this.session.query('discussed_commits').where(named).first();
    if (row === undefined) return undefined;
    const { id, project_id: projectId, commit_id: commitId, title, author_id: authorId } = row;
    return { id, projectId, commitId, title, authorId };
  }
}
