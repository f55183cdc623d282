import { mayCreateTag, type RefChanger } from '../../domain/repositories/protected-ref.js';
import { REFUSAL_TEXTS } from '../../domain/repositories/push-decision.js';
import {
  checkReleaseLink,
  type NewReleaseLink,
  type Release,
  type ReleaseLink,
} from '../../domain/repositories/release.js';
import { tagRef } from '../../domain/repositories/ref-name.js';
import { Conflict, Forbidden, NotFound, Unprocessable } from '../../domain/shared/domain-error.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Revisions } from './browse/revisions.js';
import type { ChangeRefs } from './change-refs.js';
import type { CodeWriter } from './commit-to-branch.js';
import type { ReleaseChanges, ReleaseReader, ReleaseRepository } from './ports/release-repository.js';
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
}

interface Needs {
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

type MayRelease = Permitted<'push_code'>;

type Admin = Pick<RefChanger, 'admin'>;

/** Tells people of tags. What is told of a protected one is for who may make it: Forbidden for others. */
export class Releases {
  constructor(private readonly parts: Parts) {}

  /** @throws Conflict, Unprocessable for a tag that isn't there and no `ref`, Forbidden, NotPossible, Invalid for a link. */
  async create(permitted: MayRelease, writer: CodeWriter, command: ReleaseCommand): Promise<void> {
    const { tag, name, description = null, releasedAt, links } = command;
    const { project } = permitted;
    links.forEach(checkReleaseLink);
    if ((await this.parts.reader.find(project.id, tag)) !== undefined) throw new Conflict('Release already exists');
    const commitId = await this.#tagged(permitted, writer, command);
    const at = this.parts.clock.now();
    await this.#change(permitted, writer, tag, async (releases) => {
      const id = await releases.add({
        ...{ projectId: project.id, tag, description, commitId, authorId: writer.id, createdAt: at },
        name: name === undefined || name === '' ? tag : name,
        releasedAt: releasedAt ?? at,
      });
      for (const link of links) await releases.addLink(id, link);
    });
  }

  async edit(permitted: MayRelease, admin: Admin, { id, tag }: Release, changes: ReleaseChanges): Promise<void> {
    await this.#change(permitted, admin, tag, (releases) => releases.update(id, changes));
  }

  /** The tag stays. @throws NotFound. */
  async remove(permitted: MayRelease, admin: Admin, { tag }: Release): Promise<void> {
    const removed = await this.#change(permitted, admin, tag, (releases) => releases.remove(permitted.project.id, tag));
    if (!removed) throw new NotFound();
  }

  /** @throws Invalid, NotPossible. */
  async addLink(permitted: MayRelease, admin: Admin, { id, tag }: Release, link: NewReleaseLink): Promise<number> {
    checkReleaseLink(link);
    return this.#change(permitted, admin, tag, (releases) => releases.addLink(id, link));
  }

  /** @throws Invalid, NotPossible. */
  async editLink(permitted: MayRelease, admin: Admin, { tag }: Release, link: ReleaseLink): Promise<void> {
    checkReleaseLink(link);
    await this.#change(permitted, admin, tag, (releases) => releases.updateLink(link.id, link));
  }

  async removeLink(permitted: MayRelease, admin: Admin, { tag }: Release, id: number): Promise<void> {
    await this.#change(permitted, admin, tag, (releases) => releases.removeLink(id));
  }

  /** @throws Forbidden for who may not make that tag. */
  #change<Result>(
    { project, level }: MayRelease,
    { admin }: Admin,
    tag: string,
    work: (releases: ReleaseRepository) => Promise<Result>,
  ): Promise<Result> {
    return this.parts.unitOfWork.execute(async ({ releases, protectedRefs }) => {
      const rules = await protectedRefs.tagsOf(project.id);
      if (!mayCreateTag(tag, rules, { level, admin })) throw new Forbidden(REFUSAL_TEXTS.protected_tag_created);
      return work(releases);
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

/** A release goes with its tag. */
export const releasesFollowTags: Subscriber<{ readonly releases: ReleaseRepository }> = async (event, { releases }) => {
  if (event.kind !== 'pushed') return;
  for (const { kind, name, to } of event.refs)
    if (kind === 'tag' && to === null) await releases.remove(event.projectId, name);
};
