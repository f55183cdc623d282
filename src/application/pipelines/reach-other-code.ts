import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { isObjectId } from '../../domain/repositories/object-id.js';
import { tagRef } from '../../domain/repositories/ref-name.js';
import { highestVersion, isPartialVersion } from '../../domain/pipelines/component-version.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { CommitPlace, ReachCode } from './ci-files.js';

const LATEST = '~latest';
/** So many releases, and tags, are looked at for one of a version. */
export const MOST_VERSIONS = 5_000;

interface Parts {
  /** @param ref a branch, a tag or a commit; absent for the default branch. @throws Unavailable. */
  readonly find: (permitted: PermittedProject<'read_code'>, ref?: string) => Promise<CommitPlace | undefined>;
  /** @throws NotFound, Forbidden. */
  readonly enter: (actor: Actor, project: string) => Promise<PermittedProject<'read_code'>>;
  /** The tags of releases that are out, the newest first, where whoever may read the code may know them. */
  readonly releasedTags: (permitted: PermittedProject<'read_code'>) => Promise<readonly string[]>;
  readonly refs: Pick<RefReader, 'findRepository' | 'advertised'>;
  readonly actorOf: (userId: UserId) => Promise<UserActor | undefined>;
}

/**
 * The code of other projects, for files that are included: as far as whoever asks may read it. They are no administrators there: the CI
 * file is others', too, who see what comes of it, and would have a project read to them that neither they nor it has to do with.
 */
export class ReachOtherCode {
  constructor(private readonly parts: Parts) {}

  as(asking: Actor): ReachCode {
    const actor = asking.kind === 'user' ? { ...asking, admin: false } : asking;
    return async ({ project, ref, versioned }) => {
      const permitted = await this.#enter(actor, project);
      if (permitted === undefined) return { missing: 'project' };
      const found =
        versioned === true && ref !== null
          ? await this.#version(permitted, ref)
          : await this.parts.find(permitted, ref ?? undefined);
      return found ?? { missing: 'reference' };
    };
  }

  /** For somebody who isn't asking, with the rights of this moment. */
  asUser(userId: UserId): ReachCode {
    return async (code) => {
      const actor = await this.parts.actorOf(userId);
      return actor === undefined ? { missing: 'project' } : this.as(actor)(code);
    };
  }

  /**
   * What may say which versions are meant is the highest of them, also where a branch is called so: whoever may make no tags puts nothing in
   * their place. Else a tag, a branch or a commit; of a tag and a branch of one name the tag.
   */
  async #version(permitted: PermittedProject<'read_code'>, version: string): Promise<CommitPlace | undefined> {
    const tag = await this.#highest(permitted, version);
    if (tag !== undefined) return this.parts.find(permitted, tagRef(tag));
    return version === LATEST ? undefined : this.#exactly(permitted, version);
  }

  async #exactly(permitted: PermittedProject<'read_code'>, name: string): Promise<CommitPlace | undefined> {
    const tagged = isObjectId(name) ? undefined : await this.parts.find(permitted, tagRef(name));
    return tagged ?? (await this.parts.find(permitted, name));
  }

  /** Of releases, if one is of such a version; else of tags. Without a semantic version `~latest` is the newest release. */
  async #highest(permitted: PermittedProject<'read_code'>, version: string): Promise<string | undefined> {
    if (version !== LATEST && !isPartialVersion(version)) return undefined;
    const beginning = version === LATEST ? '' : version;
    const released = await this.parts.releasedTags(permitted);
    const found = highestVersion(released, beginning) ?? (version === LATEST ? released[0] : undefined);
    return found ?? highestVersion(await this.#tagsOf(permitted, beginning), beginning);
  }

  async #tagsOf({ project }: PermittedProject<'read_code'>, beginning: string): Promise<readonly string[]> {
    const { refs } = this.parts;
    const repository = await refs.findRepository(project.id);
    if (repository === undefined) return [];
    const prefixes = beginning === '' ? [tagRef('')] : [tagRef(`${beginning}.`), tagRef(`v${beginning}.`)];
    const tags: string[] = [];
    for await (const batch of refs.advertised(repository.id, prefixes)) {
      tags.push(...batch.map(({ name }) => name.slice(tagRef('').length)));
      if (tags.length >= MOST_VERSIONS) break;
    }
    return tags;
  }

  /** Undefined where there is none for them. A number is no path. */
  async #enter(actor: Actor, project: string): Promise<PermittedProject<'read_code'> | undefined> {
    if (!project.includes('/')) return undefined;
    try {
      return await this.parts.enter(actor, project);
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }
}
