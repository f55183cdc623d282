import type { Knex } from 'knex';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type {
  SnippetDetails,
  SnippetFile,
  SnippetOrigin,
  SnippetQuery,
  SnippetReader,
} from '../../../../../application/snippets/ports/snippet-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { SNIPPET_COLUMNS, toSnippet, type SnippetRow } from './snippet-row.js';
import { openOrBy, seenInProjects } from './visible-snippets.js';

type ShownRow = SnippetRow & {
  readonly project_path: string | null;
  readonly author_username: string | null;
  readonly author_name: string;
  readonly author_state: 'active' | 'blocked';
};

export class KnexSnippetReader implements SnippetReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId | null, id: number): Promise<SnippetDetails | undefined> {
    const snippets = (this.session.query('snippets') as Knex.QueryBuilder).where('snippets.id', id);
    const ofPlace = projectId === null ? snippets.whereNull('project_id') : snippets.where('project_id', projectId);
    return (await this.#read(ofPlace))[0];
  }

  async ofProjects(ids: readonly number[]): Promise<readonly SnippetDetails[]> {
    const snippets = (this.session.query('snippets') as Knex.QueryBuilder).whereIn('snippets.id', [...ids]);
    return this.#read(snippets.whereNotNull('project_id'));
  }

  async list({ page, ...wanted }: SnippetQuery): Promise<PageInBatches<SnippetDetails>> {
    const { query } = this.session;
    const list = this.#visible(wanted.viewer, wanted.of).select('snippets.id', {
      bytes: query.raw('octet_length(snippets.description)'),
    });
    this.#narrow(list, wanted);
    void list.orderBy('snippets.id', 'desc');
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = async (rows: readonly SizedRow[]) => {
      const ids = rows.map(({ id }) => id);
      return inOrderOf(ids, await this.#read(this.#visible(wanted.viewer, wanted.of).whereIn('snippets.id', ids)));
    };
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async file(id: number, path?: string): Promise<SnippetFile | undefined> {
    const files = this.session.query('snippet_files').where({ snippet_id: id }).orderBy('id');
    if (path !== undefined) void files.where({ path });
    return files.first('path', 'content');
  }

  async files(id: number): Promise<readonly SnippetFile[]> {
    return this.session.query('snippet_files').where({ snippet_id: id }).orderBy('id').select('path', 'content');
  }

  async origin(id: number): Promise<SnippetOrigin | undefined> {
    const row = await this.session.query('snippets').where({ id }).first('creator_user_agent', 'creator_address');
    return row && { userAgent: row.creator_user_agent, address: row.creator_address };
  }

  #visible(viewer: Viewer, of: SnippetQuery['of']): Knex.QueryBuilder {
    const list = this.session.query('snippets') as Knex.QueryBuilder;
    if (of === 'own') return list.where('snippets.owner_id', viewer.userId ?? 0);
    if (of === 'public') return list.whereNull('snippets.project_id').where('snippets.visibility', 'public');
    if (of !== 'all') void list.where('snippets.project_id', of);
    return list.where((visible) => {
      if (of === 'all') void visible.orWhere((own) => this.#ofPeople(own, viewer));
      void visible.orWhere((inProjects) => seenInProjects(this.session.query, inProjects, viewer, of));
    });
  }

  #ofPeople(snippets: Knex.QueryBuilder, viewer: Viewer): void {
    void snippets.whereNull('snippets.project_id');
    if (!viewer.admin) void snippets.where((open) => openOrBy(open, viewer));
  }

  #narrow(list: Knex.QueryBuilder, { search, createdAfter, createdBefore }: Omit<SnippetQuery, 'page'>): void {
    const { dialect } = this.session;
    if (search !== undefined) void list.whereRaw("snippets.search_key like ? escape '\\'", [containsPattern(search)]);
    if (createdAfter !== undefined) void list.where('snippets.created_at', '>=', dialect.writeInstant(createdAfter));
    if (createdBefore !== undefined) void list.where('snippets.created_at', '<=', dialect.writeInstant(createdBefore));
  }

  async #read(snippets: Knex.QueryBuilder): Promise<readonly SnippetDetails[]> {
    const { query, dialect } = this.session;
    const rows = (await snippets
      .leftJoin('projects', 'projects.id', 'snippets.project_id')
      .leftJoin('users', 'users.id', 'snippets.author_id')
      .select(
        ...SNIPPET_COLUMNS.map((column) => `snippets.${column}`),
        { project_path: 'projects.full_path', author_username: 'users.username' },
        { author_name: 'users.name', author_state: 'users.state' },
      )) as ShownRow[];
    const files = await query('snippet_files')
      .whereIn(
        'snippet_id',
        rows.map(({ id }) => id),
      )
      .orderBy('id')
      .select('snippet_id', 'path');
    return rows.map((row) => ({
      ...toSnippet(row, dialect),
      projectPath: row.project_path,
      author: authorOf(row),
      files: files.filter(({ snippet_id }) => snippet_id === row.id).map(({ path }) => path),
    }));
  }
}

const authorOf = ({ author_id: id, author_username: username, author_name: name, author_state: state }: ShownRow) =>
  id === null || username === null ? null : { id, username, name, state };
