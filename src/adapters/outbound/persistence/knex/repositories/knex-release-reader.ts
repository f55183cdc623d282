import type { Knex } from 'knex';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type {
  GroupReleaseQuery,
  ReleaseQuery,
  ReleaseReader,
} from '../../../../../application/repositories/ports/release-repository.js';
import type { Release, ReleaseLink } from '../../../../../domain/repositories/release.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { idsInside } from '../visibility/lineage.js';
import { readableCode, visibleProjects } from '../visibility/visible.js';

type ReleaseRow = RowOf<'releases'>;

export class KnexReleaseReader implements ReleaseReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, tag: string): Promise<Release | undefined> {
    const row = await this.session.query('releases').where({ project_id: projectId, tag }).first();
    return row && (await this.#withLinks([row]))[0];
  }

  list({ projectId, orderBy, sort, page }: ReleaseQuery): Promise<PageInBatches<Release>> {
    const list = this.session.query('releases').where({ project_id: projectId });
    return this.#page(list, { orderBy, sort, page });
  }

  listInGroup({ viewer, within, sort, page }: GroupReleaseQuery): Promise<PageInBatches<Release>> {
    const { query } = this.session;
    const visible = visibleProjects(query, viewer, (from) =>
      from.from('releases').join('projects', 'projects.id', 'releases.project_id'),
    );
    const list = readableCode(visible, viewer).whereIn('projects.namespace_id', idsInside(query, within));
    return this.#page(list, { orderBy: 'released_at', sort, page });
  }

  async #page(
    list: Knex.QueryBuilder,
    { orderBy, sort, page }: Pick<ReleaseQuery, 'orderBy' | 'sort' | 'page'>,
  ): Promise<PageInBatches<Release>> {
    void list
      .orderBy([
        { column: `releases.${orderBy}`, order: sort },
        { column: 'releases.id', order: sort },
      ])
      .select('releases.id', { bytes: this.session.query.raw('octet_length(releases.description)') });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]) => this.#read(rows.map(({ id }) => id));
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async latestTag(projectId: ProjectId, now: Date): Promise<string | undefined> {
    const row = await this.session
      .query('releases')
      .where({ project_id: projectId })
      .where('released_at', '<=', this.session.dialect.writeInstant(now))
      .orderBy([
        { column: 'released_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .first('tag');
    return row?.tag;
  }

  async ofTags(projectId: ProjectId, tags: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (tags.length === 0) return new Map();
    const rows = await this.session
      .query('releases')
      .where({ project_id: projectId })
      .whereIn('tag', [...tags])
      .select('tag', 'description');
    return new Map(rows.map(({ tag, description }) => [tag, description]));
  }

  async #read(ids: readonly number[]): Promise<readonly Release[]> {
    const rows = await this.session.query('releases').whereIn('id', [...ids]);
    return inOrderOf(ids, await this.#withLinks(rows));
  }

  async #withLinks(rows: readonly ReleaseRow[]): Promise<readonly Release[]> {
    const ids = rows.map(({ id }) => id);
    const links = await this.session.query('release_links').whereIn('release_id', ids).orderBy('id');
    return rows.map((row) => this.#toRelease(row, links.filter((each) => each.release_id === row.id).map(toLink)));
  }

  #toRelease(row: ReleaseRow, links: readonly ReleaseLink[]): Release {
    const { dialect } = this.session;
    return {
      id: row.id,
      projectId: row.project_id,
      tag: row.tag,
      name: row.name,
      description: row.description,
      commitId: row.commit_id,
      authorId: row.author_id,
      releasedAt: dialect.readInstant(row.released_at),
      createdAt: dialect.readInstant(row.created_at),
      links,
    };
  }
}

const toLink = ({ id, name, url, path, link_type: type }: RowOf<'release_links'>): ReleaseLink => ({
  id,
  name,
  url,
  path,
  type,
});
