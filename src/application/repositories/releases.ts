import { checkReleaseLink, type NewReleaseLink, type Release } from '../../domain/repositories/release.js';
import { tagRef } from '../../domain/repositories/ref-name.js';
import { Conflict, NotFound, Unprocessable } from '../../domain/shared/domain-error.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Revisions } from './browse/revisions.js';
import type { ChangeRefs } from './change-refs.js';
import type { CodeWriter } from './commit-to-branch.js';
import type { ReleaseChanges, ReleaseReader, ReleaseRepository } from './ports/release-repository.js';

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

interface Parts {
  readonly unitOfWork: UnitOfWork<{ readonly releases: ReleaseRepository }>;
  readonly reader: ReleaseReader;
  readonly revisions: Revisions;
  readonly changeRefs: ChangeRefs;
  readonly clock: Clock;
}

type MayRelease = Permitted<'push_code'>;

/** Tells people of tags. */
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
    await this.parts.unitOfWork.execute(async ({ releases }) => {
      const id = await releases.add({
        ...{ projectId: project.id, tag, description, commitId, authorId: writer.id, createdAt: at },
        name: name === undefined || name === '' ? tag : name,
        releasedAt: releasedAt ?? at,
      });
      for (const link of links) await releases.addLink(id, link);
    });
  }

  async edit(_permitted: MayRelease, { id }: Release, changes: ReleaseChanges): Promise<void> {
    await this.parts.unitOfWork.execute(({ releases }) => releases.update(id, changes));
  }

  /** The tag stays. @throws NotFound. */
  async remove({ project }: MayRelease, { tag }: Release): Promise<void> {
    if (!(await this.parts.unitOfWork.execute(({ releases }) => releases.remove(project.id, tag))))
      throw new NotFound();
  }

  /** @throws Invalid, NotPossible. */
  async addLink(_permitted: MayRelease, { id }: Release, link: NewReleaseLink): Promise<number> {
    checkReleaseLink(link);
    return this.parts.unitOfWork.execute(({ releases }) => releases.addLink(id, link));
  }

  /** @throws Invalid, NotPossible. */
  async editLink(_permitted: MayRelease, id: number, link: NewReleaseLink): Promise<void> {
    checkReleaseLink(link);
    await this.parts.unitOfWork.execute(({ releases }) => releases.updateLink(id, link));
  }

  async removeLink(_permitted: MayRelease, id: number): Promise<void> {
    await this.parts.unitOfWork.execute(({ releases }) => releases.removeLink(id));
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
