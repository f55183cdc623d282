import { pauseAfterUpdate } from '../../domain/mirrors/remote-mirror.js';
import { matchesPattern } from '../../domain/repositories/protected-ref.js';
import { branchRef, refPartsOf } from '../../domain/repositories/ref-name.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { RemoteAddress } from '../../domain/shared/remote-url.js';
import { openRemote } from '../repositories/operations/open-remote.js';
import { RemoteProblem, type PushedToRemote, type RefsForRemote, type Remotes } from '../repositories/ports/remotes.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { ProtectedRefRepository, Repository } from '../repositories/ports/repository-repositories.js';
import { LeasedWorks } from '../shared/leased-works.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretBox, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { MirrorCounters } from './ports/mirror-counters.js';
import type { DueMirror, MirrorOutcome, RemoteMirrorRepository } from './ports/mirror-ports.js';
import { told } from './told-lines.js';
import type { Pause } from '../shared/while-held.js';

interface Needs {
  readonly remoteMirrors: RemoteMirrorRepository;
}

export interface UpdateMirrorsParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: Pick<RefReader, 'findRepository' | 'withBranches' | 'advertised'>;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  /** Writes the files that git reads refs from. */
  readonly projectRefs: { execute(repository: Repository): Promise<void> };
  readonly remotes: Remotes;
  readonly secrecy: { readonly secrets: SecretSource; readonly secretBox: SecretBox };
  readonly pause: Pause;
  readonly clock: Clock;
  readonly counters: MirrorCounters;
  readonly logger: Logger;
}

const AT_ONCE = 8;
/** So that mirrors of one project that take their time leave room for those of others. */
const OF_PROJECT = 2;
const MOST_BYTES = 10 * 1024 ** 3;
/** Each is named one by one. */
const MOST_PROTECTED = 1_000;
const UNKNOWN = 'The update failed. The log of the service says why.';

/** Pushes to mirrors what was pushed to their projects: a mirror is leased, pushed to outside every transaction, and noted. */
export class UpdateMirrors {
  readonly #works: LeasedWorks<DueMirror, ProjectId>;

  constructor(private readonly parts: UpdateMirrorsParts) {
    const { unitOfWork, secrecy, clock, pause } = parts;
    this.#works = new LeasedWorks<DueMirror, ProjectId>(
      { secrets: secrecy.secrets, clock, pause },
      {
        atOnce: AT_ONCE,
        atOnceOfOne: OF_PROJECT,
        whose: ({ projectId }) => projectId,
        lease: (lease, exceptProjects) =>
          unitOfWork.execute(({ remoteMirrors }) => remoteMirrors.lease({ ...lease, exceptProjects }), 'repeatable'),
        renew: ({ id }, { holder, until }) =>
          unitOfWork.execute(({ remoteMirrors }) => remoteMirrors.renew(id, holder, until), 'repeatable'),
        attempt: (mirror, _holder, signal) => this.#attempt(mirror, signal),
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

  async #attempt(mirror: DueMirror, signal: AbortSignal): Promise<void> {
    const problem = problemOf(await this.#push(mirror, signal));
    if (problem !== undefined) throw problem;
  }

  async #note(mirror: DueMirror, holder: string, failure: Error | undefined): Promise<void> {
    const { unitOfWork, counters, logger } = this.parts;
    const { id, projectId, attempts } = mirror;
    if (failure !== undefined)
      logger.info('mirror not updated', { mirrorId: id, projectId, attempts, error: String(failure) });
    const outcome = this.#outcomeOf(mirror, failure);
    await unitOfWork.execute(({ remoteMirrors }) => remoteMirrors.end(id, holder, outcome), 'repeatable');
    if (outcome.status !== 'scheduled')
      counters.count('mirror_updates_total', { outcome: outcome.error === null ? 'finished' : 'failed' });
  }

  async #push(mirror: DueMirror, signal: AbortSignal): Promise<PushedToRemote> {
    const { reader, projectRefs, remotes } = this.parts;
    const repository = await reader.findRepository(mirror.projectId);
    // What is empty is no reason to empty what is elsewhere.
    if (repository === undefined || !(await reader.withBranches([mirror.projectId])).has(mirror.projectId))
      return NOTHING;
    if (repository.sizeBytes > MOST_BYTES) throw new RemoteProblem(TOO_LARGE, false);
    const remote = openRemote(this.parts.secrecy.secretBox, mirror);
    await projectRefs.execute(repository);
    const branches = mirror.onlyProtectedBranches
      ? { branches: await this.#protectedBranches(repository, { mirror, remote }, signal) }
      : {};
    const refs: RefsForRemote = { ...branches, keepDivergent: mirror.keepDivergentRefs };
    return remotes.push(repository.store, remote, refs, signal);
  }

  async #protectedBranches(
    { id, projectId }: Repository,
    { mirror, remote }: { readonly mirror: DueMirror; readonly remote: RemoteAddress },
    signal: AbortSignal,
  ): Promise<NonNullable<RefsForRemote['branches']>> {
    const rules = await this.parts.protections.branchesOf(projectId);
    const isProtected = (branch: string): boolean => rules.some(({ name }) => matchesPattern(branch, name));
    const pushed: string[] = [];
    for await (const refs of this.parts.reader.advertised(id, [branchRef('')]))
      pushed.push(...refs.map(({ name }) => refPartsOf(name)?.name ?? '').filter(isProtected));
    const there = mirror.keepDivergentRefs ? [] : await this.parts.remotes.branchesOf(remote, signal);
    const here = new Set(pushed);
    const removed = there.filter((branch) => isProtected(branch) && !here.has(branch));
    if (pushed.length + removed.length > MOST_PROTECTED) throw new RemoteProblem(TOO_MANY, false);
    return { pushed, removed };
  }

  #outcomeOf({ attempts }: DueMirror, failure: Error | undefined): MirrorOutcome {
    const at = this.parts.clock.now();
    if (failure === undefined) return { status: 'finished', error: null, dueAt: null, at };
    if (this.#works.isStopping) return { status: 'scheduled', error: null, dueAt: at, at };
    const problem = failure instanceof RemoteProblem ? failure : new RemoteProblem(UNKNOWN, true);
    const pause = problem.passing ? pauseAfterUpdate(attempts) : undefined;
    const error = problem.message;
    if (pause === undefined) return { status: 'failed', error, dueAt: null, at };
    return { status: 'to_retry', error, dueAt: new Date(at.getTime() + pause), at };
  }
}

const NOTHING: PushedToRemote = { divergent: [], refused: [] };
const TOO_LARGE = 'The repository is larger than 10 GiB.';
const TOO_MANY = `More than ${MOST_PROTECTED} protected branches would have to be pushed or removed.`;

/** What was left undone of an update that went through otherwise: nothing of it changes by itself. */
const problemOf = ({ divergent, refused }: PushedToRemote): RemoteProblem | undefined => {
  if (divergent.length === 0 && refused.length === 0) return undefined;
  const texts = [
    ...(divergent.length > 0 ? [`These have diverged, and stay as they are in the mirror:\n${told(divergent)}`] : []),
    ...(refused.length > 0
      ? [`The server refused these:\n${told(refused.map(({ ref, reason }) => `${ref} (${reason})`))}`]
      : []),
  ];
  return new RemoteProblem(texts.join('\n'), false);
};
