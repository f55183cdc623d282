import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CodeWork, CodeWorkRepository } from './ports/repository-repositories.js';
import { reasonOf } from './reason-of.js';

/** One that a crash left is taken again then. */
const HELD_MS = 3 * 60_000;
/** So long what comes after one of its kind and project waits for it: longer it would wait for somebody who is gone. */
const IN_ORDER_MS = 10_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

type Needs = { readonly codeWorks: CodeWorkRepository };

/** What is left to do of a work: in the transaction that takes it off the queue, so that it is done once. */
export type Conclusion<Repositories> = (repositories: Repositories) => Promise<void>;

/** Does the part of a work that takes git. */
export type DoCodeWork<Repositories> = (work: CodeWork) => Promise<Conclusion<Repositories> | undefined>;

interface Parts<Repositories> {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly handlers: Readonly<Record<CodeWork['kind'], DoCodeWork<Repositories>>>;
  readonly secrets: SecretSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Does what follows changes of code, one work after another, each until it succeeds. */
export class DoCodeWorks<Repositories extends Needs> {
  constructor(private readonly parts: Parts<Repositories>) {}

  /** Answers how many were done. */
  async runDue(): Promise<number> {
    for (let done = 0; ;) {
      const holder = this.parts.secrets.token();
      const now = this.parts.clock.now();
      const until = new Date(now.getTime() + HELD_MS);
      const begunUntil = new Date(until.getTime() - IN_ORDER_MS);
      const work = await this.parts.unitOfWork.execute(
        ({ codeWorks }) => codeWorks.take({ holder, now, until, begunUntil }),
        'repeatable',
      );
      if (work === undefined) return done;
      if (await this.#do(work, holder)) done += 1;
    }
  }

  async #do(work: CodeWork, holder: string): Promise<boolean> {
    const { handlers, unitOfWork, logger, clock } = this.parts;
    try {
      const conclude = await handlers[work.kind](work);
      // What concludes it and what takes it off the queue last together; where nothing does, it may as well be looked at again.
      await unitOfWork.execute(
        async (repositories) => {
          if (await repositories.codeWorks.finish(work.id, holder)) await conclude?.(repositories);
        },
        conclude === undefined ? 'repeatable' : 'step by step',
      );
      return true;
    } catch (error) {
      // A project that is gone, or rights that are, leave nothing to do.
      const gone = error instanceof NotFound || error instanceof Forbidden;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** work.attempts, LONGEST_PAUSE_MS);
      if (!gone) logger.error('code work failed', { kind: work.kind, id: work.id, error: reasonOf(error) });
      const runAt = new Date(clock.now().getTime() + pause);
      await unitOfWork.execute(async ({ codeWorks }) => {
        if (gone) await codeWorks.finish(work.id, holder);
        else await codeWorks.postpone(work.id, runAt);
      });
      return false;
    }
  }
}
