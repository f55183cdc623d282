import type {
  CommitComment,
  CommitCommentReader,
  CommitCommentRepository,
  NewCommitComment,
} from '../../../../../application/repositories/ports/commit-comments.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { LineType } from '../../../../../domain/repositories/commit-comment.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type CommentRow = RowOf<'commit_comments'> & {
  readonly username: string | null;
  readonly name: string | null;
  readonly state: UserState | null;
};

export class KnexCommitCommentRepository implements CommitCommentRepository, CommitCommentReader {
  constructor(private readonly session: Session) {}

  async add({ projectId, commit, authorId, note, line, createdAt }: NewCommitComment): Promise<number> {
    const { query, dialect } = this.session;
    const [row] = await query('commit_comments')
      .insert({
        project_id: projectId,
        commit_id: commit,
        author_id: authorId,
        note,
        path: line?.path ?? null,
        line: line?.line ?? null,
        line_type: line?.lineType ?? null,
        created_at: dialect.writeInstant(createdAt),
      })
      .returning('id');
    return row!.id;
  }

  async find(id: number): Promise<CommitComment | undefined> {
    return (await this.#read([id]))[0];
  }

  async list(projectId: ProjectId, commit: ObjectId, page: PageRequest): Promise<PageInBatches<CommitComment>> {
    const { query } = this.session;
    const list = query('commit_comments')
      .where({ project_id: projectId, commit_id: commit })
      .orderBy('id')
      .select('id', { bytes: query.raw('octet_length(note)') });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]) => this.#read(rows.map(({ id }) => id));
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async #read(ids: readonly number[]): Promise<readonly CommitComment[]> {
    const rows = (await this.session
      .query('commit_comments')
      .leftJoin('users', 'users.id', 'commit_comments.author_id')
      .whereIn('commit_comments.id', [...ids])
      .select('commit_comments.*', 'users.username', 'users.name', 'users.state')) as CommentRow[];
    return inOrderOf(ids, rows).map((row) => this.#toComment(row));
  }

  #toComment(row: CommentRow): CommitComment {
    const { author_id: id, username, name, state, path, line, line_type: lineType } = row;
    return {
      id: row.id,
      projectId: row.project_id,
      commit: row.commit_id,
      note: row.note,
      line:
        path === null || line === null || lineType === null
          ? null
          : { path, line: Number(line), lineType: lineType as LineType },
      author: id === null || username === null ? null : { id, username, name: name!, state: state! },
      createdAt: this.session.dialect.readInstant(row.created_at),
    };
  }
}
