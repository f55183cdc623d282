import type {
  MilestonesByTitle,
  ReleaseFields,
  ReleaseRepository,
} from '../../../../../application/repositories/ports/release-repository.js';
import type { NewReleaseLink, Release } from '../../../../../domain/repositories/release.js';
import { Conflict, NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import { usableMilestones } from '../planning/usable-milestones.js';
import { useMilestone } from '../planning/use-milestone.js';
import type { Session } from '../session.js';

const NAME_TAKEN = { release_links_release_id_name_unique: () => new NotPossible('Name has already been taken') };

export class KnexReleaseRepository implements ReleaseRepository {
  constructor(private readonly session: Session) {}

  async add(release: Omit<Release, 'id' | 'links' | 'milestoneIds'>): Promise<number> {
    const { query, dialect } = this.session;
    const insert = query('releases')
      .insert({
        project_id: release.projectId,
        tag: release.tag,
        name: release.name,
        description: release.description,
        commit_id: release.commitId,
        author_id: release.authorId,
        released_at: dialect.writeInstant(release.releasedAt),
        created_at: dialect.writeInstant(release.createdAt),
      })
      .returning('id');
    const [row] = await onUniqueViolation(insert, {
      releases_project_id_tag_unique: () => new Conflict('Release already exists'),
    });
    return row!.id;
  }

  async update(id: number, { name, description, releasedAt }: ReleaseFields): Promise<void> {
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(releasedAt === undefined ? {} : { released_at: this.session.dialect.writeInstant(releasedAt) }),
    };
    if (Object.keys(changes).length > 0) await this.session.query('releases').where({ id }).update(changes);
  }

  async takeMilestones(projectId: ProjectId, titles: readonly string[]): Promise<MilestonesByTitle> {
    if (titles.length === 0) return new Map();
    const named = (await usableMilestones(this.session, projectId)
      .whereIn('title', [...titles])
      .orderBy('id')
      .select('id', 'title')) as { readonly id: number; readonly title: string }[];
    const taken = new Map<string, number>();
    for (const { id, title } of named) {
      const used = await useMilestone(this.session, projectId, id);
      if (used !== undefined) taken.set(title, used);
    }
    return taken;
  }

  async setMilestones(id: number, milestoneIds: readonly number[]): Promise<void> {
    const { query, dialect } = this.session;
    // Of two who say it at once, the later one is right.
    const [release] = await dialect.lockRows(query('releases').where({ id }).select('id'));
    if (release === undefined) return;
    await query('release_milestones').where({ release_id: id }).delete();
    if (milestoneIds.length === 0) return;
    await query('release_milestones').insert(
      milestoneIds.map((milestone) => ({ release_id: id, milestone_id: milestone })),
    );
  }

  async remove(projectId: ProjectId, tag: string): Promise<boolean> {
    return (await this.session.query('releases').where({ project_id: projectId, tag }).delete()) === 1;
  }

  async addLink(releaseId: number, { name, url, path, type }: NewReleaseLink): Promise<number> {
    const insert = this.session
      .query('release_links')
      .insert({ release_id: releaseId, name, url, path, link_type: type })
      .returning('id');
    const [row] = await onUniqueViolation(insert, NAME_TAKEN);
    return row!.id;
  }

  async updateLink(id: number, { name, url, path, type }: NewReleaseLink): Promise<void> {
    await onUniqueViolation(
      this.session.query('release_links').where({ id }).update({ name, url, path, link_type: type }),
      NAME_TAKEN,
    );
  }

  async removeLink(id: number): Promise<void> {
    await this.session.query('release_links').where({ id }).delete();
  }
}
