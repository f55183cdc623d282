import type {
  NewSnippet,
  SnippetFields,
  SnippetRepository,
} from '../../../../../application/snippets/ports/snippet-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Snippet } from '../../../../../domain/snippets/snippet.js';
import type { KeptFile, PlannedFile } from '../../../../../domain/snippets/snippet-files.js';
import { addSubject, removeSubject } from '../collaboration/subject-rows.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { SNIPPET_COLUMNS, toSnippet } from './snippet-row.js';

const columnsOf = ({ title, description, visibility }: SnippetFields) => ({
  title,
  search_key: searchKey(title),
  description,
  visibility,
});

export class KnexSnippetRepository implements SnippetRepository {
  constructor(private readonly session: Session) {}

  async add({ projectId, authorId, origin, createdAt, ...fields }: NewSnippet): Promise<number> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(createdAt);
    const [row] = await query('snippets')
      .insert({
        ...columnsOf(fields),
        project_id: projectId,
        subject_id: projectId === null ? null : await addSubject(this.session, 'snippet', projectId),
        owner_id: projectId === null ? authorId : null,
        author_id: authorId,
        creator_user_agent: origin.userAgent,
        creator_address: origin.address,
        created_at: at,
        updated_at: at,
      })
      .returning('id');
    return row!.id;
  }

  async take(id: number): Promise<Snippet | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(
      query('snippets')
        .where({ id })
        .select(...SNIPPET_COLUMNS),
    );
    return row && toSnippet(row, dialect);
  }

  async update(id: number, fields: SnippetFields, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('snippets')
      .where({ id })
      .update({ ...columnsOf(fields), updated_at: dialect.writeInstant(at) });
  }

  async filesOf(id: number): Promise<readonly KeptFile[]> {
    return this.session.query('snippet_files').where({ snippet_id: id }).orderBy('id').select('id', 'path', 'bytes');
  }

  async saveFiles(id: number, before: readonly KeptFile[], after: readonly PlannedFile[]): Promise<void> {
    const files = () => this.session.query('snippet_files');
    const paths = new Map(before.map((file) => [file.id, file.path]));
    const gone = before.filter((file) => !after.some((each) => each.id === file.id)).map((file) => file.id);
    if (gone.length > 0) await files().whereIn('id', gone).delete();
    const moved = after.filter((file) => file.id !== undefined && file.path !== paths.get(file.id));
    // Two may change places: no path of a file begins so.
    for (const file of moved)
      await files()
        .where({ id: file.id! })
        .update({ path: `/${file.id}` });
    for (const { id: fileId, path, content, bytes } of after) {
      if (fileId === undefined) await files().insert({ snippet_id: id, path, content: content ?? '', bytes });
      else if (content !== undefined) await files().where({ id: fileId }).update({ path, content, bytes });
      else if (path !== paths.get(fileId)) await files().where({ id: fileId }).update({ path });
    }
  }

  async remove(id: number): Promise<void> {
    const { query } = this.session;
    const row = await query('snippets').where({ id }).first('subject_id');
    await query('snippets').where({ id }).delete();
    if (row?.subject_id != null) await removeSubject(this.session, row.subject_id);
  }

  async removeOfProject(projectId: ProjectId, most: number): Promise<number> {
    const { query } = this.session;
    const ids = (await query('snippets')
      .where({ project_id: projectId })
      .orderBy('id')
      .limit(most)
      .pluck('id')) as number[];
    if (ids.length > 0) await query('snippets').whereIn('id', ids).delete();
    return ids.length;
  }
}
