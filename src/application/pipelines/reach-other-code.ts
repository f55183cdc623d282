import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { isObjectId } from '../../domain/repositories/object-id.js';
import { tagRef } from '../../domain/repositories/ref-name.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { CommitPlace, ReachCode } from './ci-files.js';

const LATEST = '~latest';

interface Parts {
  /** @param ref a branch, a tag or a commit; absent for the default branch. @throws Unavailable. */
  readonly find: (permitted: PermittedProject<'read_code'>, ref?: string) => Promise<CommitPlace | undefined>;
  /** @throws NotFound, Forbidden. */
  readonly enter: (actor: Actor, project: string) => Promise<PermittedProject<'read_code'>>;
  /** The tag of the newest release, where whoever may read the code may know it. */
  readonly latestRelease: (permitted: PermittedProject<'read_code'>) => Promise<string | undefined>;
  readonly actorOf: (userId: UserId) => Promise<UserActor | undefined>;
}

/** The code of other projects, for files that are included: as far as whoever asks may read it. */
export class ReachOtherCode {
  constructor(private readonly parts: Parts) {}

  as(actor: Actor): ReachCode {
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

  /** Of a tag and a branch of one name the tag; `~latest` is the newest release. */
  async #version(permitted: PermittedProject<'read_code'>, version: string): Promise<CommitPlace | undefined> {
    const tag = version === LATEST ? await this.parts.latestRelease(permitted) : version;
    if (tag === undefined) return undefined;
    const found = isObjectId(tag) ? undefined : await this.parts.find(permitted, tagRef(tag));
    return found ?? (await this.parts.find(permitted, tag));
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
