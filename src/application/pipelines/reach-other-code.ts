import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { CommitPlace, ReachCode } from './ci-files.js';

interface Parts {
  /** @param ref a branch, a tag or a commit; absent for the default branch. @throws Unavailable. */
  readonly find: (permitted: Permitted<'read_code'>, ref?: string) => Promise<CommitPlace | undefined>;
  /** @throws NotFound, Forbidden. */
  readonly enter: (actor: Actor, project: string) => Promise<Permitted<'read_code'>>;
  readonly actorOf: (userId: UserId) => Promise<UserActor | undefined>;
}

/** The code of other projects, for files that are included: as far as whoever asks may read it. */
export class ReachOtherCode {
  constructor(private readonly parts: Parts) {}

  as(actor: Actor): ReachCode {
    return async ({ project, ref }) => {
      const permitted = await this.#enter(actor, project);
      if (permitted === undefined) return { missing: 'project' };
      return (await this.parts.find(permitted, ref ?? undefined)) ?? { missing: 'reference' };
    };
  }

  /** For somebody who isn't asking, with the rights of this moment. */
  asUser(userId: UserId): ReachCode {
    return async (code) => {
      const actor = await this.parts.actorOf(userId);
      return actor === undefined ? { missing: 'project' } : this.as(actor)(code);
    };
  }

  /** Undefined where there is none for them. A number is no path. */
  async #enter(actor: Actor, project: string): Promise<Permitted<'read_code'> | undefined> {
    if (!project.includes('/')) return undefined;
    try {
      return await this.parts.enter(actor, project);
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }
}
