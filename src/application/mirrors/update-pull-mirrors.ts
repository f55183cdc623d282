import { MOST_PULL_FAILURES, pauseAfterPull } from '../../domain/mirrors/pull-mirror.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { RemoteAddress } from '../../domain/shared/remote-url.js';
import { openRemote } from '../repositories/operations/open-remote.js';
import { RemoteProblem } from '../repositories/ports/remotes.js';
import { LeasedWorks } from '../shared/leased-works.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretBox, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Pause } from '../shared/while-held.js';
import type { MirrorCounters } from './ports/mirror-counters.js';
import type { DuePull, PullOutcome } from './ports/pull-mirror-ports.js';
import type { PullMirrorsNeed } from './pull-mirrors.js';
import { told } from './told-lines.js';

/** What was not brought of an update that went through otherwise. */
interface LeftAsItIs {
  readonly diverged: readonly string[];
  readonly failures: ReadonlyMap<string, string>;
}

interface AskedPull {
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly onlyProtectedBranches: boolean;
  readonly overwritesDiverged: boolean;
  readonly triggersBuilds: boolean;
  readonly isStillMeant: () => Promise<boolean>;
}

export interface UpdatePullMirrorsParts {
  readonly unitOfWork: UnitOfWork<PullMirrorsNeed>;
  /** Brings what is there by now. */
  readonly pullCode: { execute(pull: AskedPull, remote: RemoteAddress, signal: AbortSignal): Promise<LeftAsItIs> };
  readonly secrecy: { readonly secrets: SecretSource; readonly secretBox: SecretBox };
  readonly everyMs: number;
  readonly pause: Pause;
  readonly clock: Clock;
  readonly counters: MirrorCounters;
  readonly logger: Logger;
}

const AT_ONCE = 4;
/** So that somebody whose servers take their time leaves room for others. */
const OF_USER = 2;

const UNKNOWN = 'The update failed. The log of the service says why.';
const NOBODY = 'Whoever set this up is gone. Somebody else has to set it up anew.';
const NO_MORE = `It failed ${MOST_PULL_FAILURES} times in a row, and is not tried again by itself.`;

/** Brings into projects what the repositories elsewhere that they follow have by now. */
export class UpdatePullMirrors {
  readonly #works: LeasedWorks<DuePull, UserId | null>;

  constructor(private readonly parts: UpdatePullMirrorsParts) {
    const { unitOfWork, secrecy, clock, pause } = parts;
    this.#works = new LeasedWorks<DuePull, UserId | null>(
      { secrets: secrecy.secrets, clock, pause },
      {
        atOnce: AT_ONCE,
        atOnceOfOne: OF_USER,
        whose: ({ userId }) => userId,
        lease: (lease, users) => {
          const exceptUsers = users.filter((user) => user !== null);
          return unitOfWork.execute(({ pullMirrors }) => pullMirrors.lease({ ...lease, exceptUsers }), 'repeatable');
        },
        renew: ({ projectId }, { holder, until }) =>
          unitOfWork.execute(({ pullMirrors }) => pullMirrors.renew(projectId, holder, until), 'repeatable'),
        attempt: (mirror, holder, signal) => this.#attempt(mirror, holder, signal),
        note: (mirror, holder, failure) => this.#note(mirror, holder, failure),
      },
    );
  }

  /** Begins no further update, and leaves those that run to the next start. */
  stop(): void {
    this.#works.stop();
  }

  /** Answers how many were tried. */
  runDue(): Promise<number> {
    return this.#works.runDue();
  }

  async #attempt(mirror: DuePull, holder: string, signal: AbortSignal): Promise<void> {
    const { userId, projectId } = mirror;
    if (userId === null) throw new RemoteProblem(NOBODY, false);
    const remote = openRemote(this.parts.secrecy.secretBox, mirror);
    const isStillMeant = () =>
      this.parts.unitOfWork.execute(({ pullMirrors }) => pullMirrors.isHeld(projectId, holder), 'repeatable');
    const left = await this.parts.pullCode.execute({ ...mirror, userId, isStillMeant }, remote, signal);
    const text = textOf(left);
    if (text !== null) throw new SomeLeft(text);
  }

  async #note({ projectId, failures }: DuePull, holder: string, failure: Error | undefined): Promise<void> {
    const { unitOfWork, counters, logger } = this.parts;
    const outcome = this.#outcomeOf(failures, failure);
    const ended = await unitOfWork.execute(
      ({ pullMirrors }) => pullMirrors.end(projectId, holder, outcome),
      'repeatable',
    );
    // What somebody has changed or ended meanwhile has another outcome, or none.
    if (!ended || outcome.status === 'scheduled') return;
    counters.count('mirror_pulls_total', { outcome: outcome.status });
    if (outcome.status === 'failed')
      logger.info('project not updated from elsewhere', { projectId, failures, error: String(failure) });
  }

  #outcomeOf(before: number, failure: Error | undefined): PullOutcome {
    const at = this.parts.clock.now();
    const after = (ms: number): Date => new Date(at.getTime() + ms);
    const { everyMs } = this.parts;
    if (failure === undefined || failure instanceof SomeLeft) {
      const error = failure?.message ?? null;
      return { status: 'finished', error, failures: 0, dueAt: after(everyMs), at };
    }
    if (this.#works.isStopping) return { status: 'scheduled', error: null, failures: before, dueAt: at, at };
    const failures = before + 1;
    const message = failure instanceof RemoteProblem ? failure.message : UNKNOWN;
    const pause = pauseAfterPull(failures, everyMs);
    if (pause === undefined) return { status: 'failed', error: `${message}\n${NO_MORE}`, failures, dueAt: null, at };
    return { status: 'failed', error: message, failures, dueAt: after(pause), at };
  }
}

/** An update that went through, but for some refs: nobody needs to try it again sooner for those. */
class SomeLeft extends Error {}

const textOf = ({ diverged, failures }: LeftAsItIs): string | null => {
  const texts = [
    ...(diverged.length > 0 ? [`These have diverged, and stay as they are here:\n${told(diverged)}`] : []),
    ...(failures.size > 0
      ? [`These could not be moved:\n${told([...failures].map(([ref, reason]) => `${ref} (${reason})`))}`]
      : []),
  ];
  return texts.length === 0 ? null : texts.join('\n');
};
