import type { Knex } from 'knex';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type {
  GroupReleaseQuery,
  MilestonesByTitle,
  ReleaseQuery,
  ReleaseReader,
} from '../../../../../application/repositories/ports/release-repository.js';
import { together } from '../../../../../application/shared/together.js';
import type { Release, ReleaseLink } from '../../../../../domain/repositories/release.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import { MILESTONE_DESCRIPTION } from '../planning/milestone-row.js';
import { usableMilestones } from '../planning/usable-milestones.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { idsInside } from '../visibility/lineage.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';

type ReleaseRow = RowOf<'releases'>;

/** Of what a release is told with: its milestones come with their texts. */
const BYTES = `coalesce(octet_length(releases.description), 0) + (
  select coalesce(sum(octet_length(${MILESTONE_DESCRIPTION})), 0) from release_milestones
  join milestones on milestones.id = release_milestones.milestone_id
  left join group_milestones on group_milestones.id = milestones.group_milestone_id where release_milestones.release_id = releases.id)`;

export class KnexReleaseReader implements ReleaseReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, tag: string): Promise<Release | undefined> {
    const row = await this.session.query('releases').where({ project_id: projectId, tag }).first();
    return row && (await this.#withParts([row]))[0];
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
    const list = wherePermitted(visible, viewer, 'read_releases').whereIn(
      'projects.namespace_id',
      idsInside(query, within),
    );
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
      .select('releases.id', { bytes: this.session.query.raw(BYTES) });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]) => this.#read(rows.map(({ id }) => id));
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async latestTag(projectId: ProjectId, now: Date): Promise<string | undefined> {
    return (await this.tagsOut(projectId, now, 1))[0];
  }

  async tagsOut(projectId: ProjectId, now: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.session
      .query('releases')
      .where({ project_id: projectId })
      .where('released_at', '<=', this.session.dialect.writeInstant(now))
      .orderBy([
        { column: 'released_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit)
      .select('tag');
    return rows.map(({ tag }) => tag);
  }

  async milestones(projectId: ProjectId, titles: readonly string[]): Promise<MilestonesByTitle> {
    if (titles.length === 0) return new Map();
    const rows = (await usableMilestones(this.session, projectId)
      .whereIn('title', [...titles])
      .select('id', 'title')) as { readonly id: number; readonly title: string }[];
    return new Map(rows.map(({ id, title }) => [title, id]));
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
    return inOrderOf(ids, await this.#withParts(rows));
  }

  async #withParts(rows: readonly ReleaseRow[]): Promise<readonly Release[]> {
    const { query } = this.session;
    const ids = rows.map(({ id }) => id);
    const [links, milestones] = await together([
      query('release_links').whereIn('release_id', ids).orderBy('id'),
      query('release_milestones').whereIn('release_id', ids).orderBy('milestone_id'),
    ]);
    return rows.map((row) =>
      this.#toRelease(row, {
        links: links.filter((each) => each.release_id === row.id).map(toLink),
        milestoneIds: milestones.filter((each) => each.release_id === row.id).map((each) => each.milestone_id),
      }),
    );
  }

  #toRelease(row: ReleaseRow, parts: Pick<Release, 'links' | 'milestoneIds'>): Release {
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
      ...parts,
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
