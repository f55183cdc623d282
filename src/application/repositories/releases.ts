import { mayCreateTag, type RefChanger } from '../../domain/repositories/protected-ref.js';
import { REFUSAL_TEXTS } from '../../domain/repositories/push-decision.js';
import {
  checkReleaseLink,
  checkReleaseLinks,
  type NewReleaseLink,
  type Release,
  type ReleaseLink,
} from '../../domain/repositories/release.js';
import { tagRef } from '../../domain/repositories/ref-name.js';
import { Conflict, Forbidden, NotFound, NotPossible, Unprocessable } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { DomainEvents, Subscriber } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Revisions } from './browse/revisions.js';
import type { ChangeRefs } from './change-refs.js';
import type { CodeWriter } from './commit-to-branch.js';
import type { MilestonesByTitle, ReleaseFields, ReleaseReader, ReleaseRepository } from './ports/release-repository.js';
import type { ProtectedRefRepository } from './ports/repository-repositories.js';

export interface ReleaseCommand {
  readonly tag: string;
  readonly name?: string;
  readonly description?: string;
  readonly releasedAt?: Date;
  /** Where the tag is made, if it is not there yet. */
  readonly ref?: string;
  readonly tagMessage?: string;
  readonly links: readonly NewReleaseLink[];
  /** Titles. */
  readonly milestones?: readonly string[];
}

export interface ReleaseChanges extends ReleaseFields {
  /** Titles of those that it has from then on. */
  readonly milestones?: readonly string[];
}

interface Needs {
  readonly events: DomainEvents;
  readonly releases: ReleaseRepository;
  readonly protectedRefs: Pick<ProtectedRefRepository, 'tagsOf'>;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: ReleaseReader;
  readonly revisions: Revisions;
  readonly changeRefs: ChangeRefs;
  readonly clock: Clock;
}

type MayRelease = Permitted<'write_releases'>;

interface Releaser extends Pick<RefChanger, 'admin'> {
  readonly id: UserId;
}

/** Tells people of tags. What is told of a protected one is for who may make it: Forbidden for others. */
export class Releases {
  constructor(private readonly parts: Parts) {}

  /**
   * @throws Conflict, Unprocessable for a tag that isn't there and no `ref`, Forbidden, NotPossible also for an unknown milestone, Invalid
   * for a link.
   */
  async create(permitted: MayRelease, writer: CodeWriter, command: ReleaseCommand): Promise<void> {
    const { tag, name, description = null, releasedAt, links, milestones = [] } = command;
    const { project } = permitted;
    checkReleaseLinks(links);
    const { reader } = this.parts;
    if ((await reader.find(project.id, tag)) !== undefined) throw new Conflict('Release already exists');
    // Before its tag is made: that would stay.
    idsOf(milestones, await reader.milestones(project.id, milestones));
    const commitId = await this.#tagged(permitted, writer, command);
    const at = this.parts.clock.now();
    await this.#change(permitted, writer, tag, async (releases, events) => {
      const id = await releases.add({
        ...{ projectId: project.id, tag, description, commitId, authorId: writer.id, createdAt: at },
        name: name === undefined || name === '' ? tag : name,
        releasedAt: releasedAt ?? at,
      });
      for (const link of links) await releases.addLink(id, link);
      await planFor(releases, { projectId: project.id, id }, milestones);
      await events.publish({ kind: 'release_created', projectId: project.id, tag, by: writer.id, at });
    });
  }

  /** @throws Forbidden, NotPossible for an unknown milestone. */
  async edit(permitted: MayRelease, by: Releaser, release: Release, changes: ReleaseChanges): Promise<void> {
    const { milestones, ...fields } = changes;
    const { id, projectId, tag } = release;
    const at = this.parts.clock.now();
    await this.#change(permitted, by, tag, async (releases, events) => {
      if (milestones !== undefined) await planFor(releases, release, milestones);
      await releases.update(id, fields);
      await events.publish({ kind: 'release_changed', projectId, tag, by: by.id, at });
    });
  }

  /** The tag stays. @throws NotFound. */
  async remove(permitted: MayRelease, by: Releaser, { tag }: Release): Promise<void> {
    const removed = await this.#change(permitted, by, tag, (releases) => releases.remove(permitted.project.id, tag));
    if (!removed) throw new NotFound();
  }

  /** @throws Invalid, NotPossible. */
  async addLink(permitted: MayRelease, by: Releaser, { id, tag }: Release, link: NewReleaseLink): Promise<number> {
    checkReleaseLink(link);
    return this.#change(permitted, by, tag, (releases) => releases.addLink(id, link));
  }

  /** @throws Invalid, NotPossible. */
  async editLink(permitted: MayRelease, by: Releaser, { tag }: Release, link: ReleaseLink): Promise<void> {
    checkReleaseLink(link);
    await this.#change(permitted, by, tag, (releases) => releases.updateLink(link.id, link));
  }

  async removeLink(permitted: MayRelease, by: Releaser, { tag }: Release, id: number): Promise<void> {
    await this.#change(permitted, by, tag, (releases) => releases.removeLink(id));
  }

  /** @throws Forbidden for who may not make that tag. */
  #change<Result>(
    { project, level }: MayRelease,
    { admin }: Releaser,
    tag: string,
    work: (releases: ReleaseRepository, events: DomainEvents) => Promise<Result>,
  ): Promise<Result> {
    return this.parts.unitOfWork.execute(async ({ releases, protectedRefs, events }) => {
      const rules = await protectedRefs.tagsOf(project.id);
      if (!mayCreateTag(tag, rules, { level, admin })) throw new Forbidden(REFUSAL_TEXTS.protected_tag_created);
      return work(releases, events);
    });
  }

  /** The commit of a tag, which is made where it isn't there. */
  async #tagged(permitted: MayRelease, writer: CodeWriter, { tag, ref, tagMessage }: ReleaseCommand): Promise<string> {
    const there = await this.parts.revisions.find(permitted, tagRef(tag));
    if (there !== undefined) return there.commit.id;
    if (ref === undefined || ref === '') throw new Unprocessable('Ref is not specified');
    const made = { target: ref, ...(tagMessage === undefined ? {} : { message: tagMessage }) };
    await this.parts.changeRefs.createTag(permitted, writer, tag, made);
    const found = await this.parts.revisions.find(permitted, tagRef(tag));
    if (found === undefined) throw new NotFound('Tag');
    return found.commit.id;
  }
}

/** @throws NotPossible naming those that the project doesn't have. */
const idsOf = (titles: readonly string[], known: MilestonesByTitle): readonly number[] => {
  const unknown = titles.filter((title) => !known.has(title));
  if (unknown.length > 0) throw new NotPossible(`Milestone(s) not found: ${unknown.join(', ')}`);
  return [...new Set(titles.map((title) => known.get(title)!))];
};

/** @throws NotPossible for an unknown milestone. */
const planFor = async (
  releases: ReleaseRepository,
  { projectId, id }: Pick<Release, 'projectId' | 'id'>,
  titles: readonly string[],
): Promise<void> => releases.setMilestones(id, idsOf(titles, await releases.takeMilestones(projectId, titles)));

/** A release goes with its tag. */
export const releasesFollowTags: Subscriber<{ readonly releases: ReleaseRepository }> = async (event, { releases }) => {
  if (event.kind !== 'pushed') return;
  for (const { kind, name, to } of event.refs)
    if (kind === 'tag' && to === null) await releases.remove(event.projectId, name);
};
