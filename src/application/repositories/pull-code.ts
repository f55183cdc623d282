import type { ObjectId } from '../../domain/repositories/object-id.js';
import { matchesPattern, type RefChanger } from '../../domain/repositories/protected-ref.js';
import {
  decidePush,
  REFUSAL_TEXTS,
  type ExaminedChange,
  type PushRefusal,
  type RefChange,
} from '../../domain/repositories/push-decision.js';
import { refPartsOf } from '../../domain/repositories/ref-name.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { RemoteAddress } from '../../domain/shared/remote-url.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { examineAll } from './examine-changes.js';
import type { LandChanges } from './land-changes.js';
import type { MoveRefs } from './move-refs.js';
import type { MovedRefs } from './operations/move-refs-within.js';
import type { OpenRepository } from './open-repository.js';
import {
  ObjectsRefused,
  type ByteStream,
  type ObjectIntake,
  type ObjectReader,
  type Staged,
} from './ports/object-stores.js';
import type { RefChangers } from './ports/ref-changers.js';
import type { RefReader } from './ports/ref-reader.js';
import { REMOTE_WORDS, RemoteProblem, type RemoteSource } from './ports/remotes.js';
import type { ProtectedRefRepository, Repository } from './ports/repository-repositories.js';
import { fitting } from './refs-from-elsewhere.js';

export interface PullCodeParts {
  readonly unitOfWork: UnitOfWork<{ readonly refChangers: RefChangers }>;
  readonly openRepository: OpenRepository;
  readonly source: RemoteSource;
  readonly intake: ObjectIntake;
  readonly objects: Pick<ObjectReader, 'info'>;
  readonly refReader: Pick<RefReader, 'findRefs'>;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  readonly landChanges: LandChanges;
  readonly moveRefs: MoveRefs;
  readonly clock: Clock;
}

/** What a project is to have of a repository elsewhere. */
export interface Pull {
  readonly projectId: ProjectId;
  /** In whose name. */
  readonly userId: UserId;
  readonly onlyProtectedBranches: boolean;
  /** Whether what has moved on here gives way. */
  readonly overwritesDiverged: boolean;
  /** Whether it is told, and pipelines begin, as after a push. */
  readonly triggersBuilds: boolean;
  /** Asked right before refs move, for until then it takes as long as its server likes: somebody may have said otherwise meanwhile. */
  readonly isStillMeant: () => Promise<boolean>;
}

export interface PulledCode {
  /** Refs that stayed as they are here, in full. */
  readonly diverged: readonly string[];
  /** Those that could not be moved, with the reason in git's words. */
  readonly failures: ReadonlyMap<string, string>;
}

interface Brought {
  readonly repository: Repository;
  readonly staged: Staged;
  /** The branch, in full, that HEAD names there. */
  readonly head: string | null;
}

const MAY_NOT = 'Whoever set this up may no longer do so in this project.';
/** Refused of all there is, and left to where refs move. */
const OF_ALL: readonly PushRefusal[] = ['archived', 'may_not_push'];
const NO_LONGER = 'Somebody has changed or ended this meanwhile.';
const NOTHING: PulledCode = { diverged: [], failures: new Map() };
/** One of them is enough where nothing was rewritten elsewhere. */
const MOST_HAD = 256;

const isBranch = (ref: string): boolean => refPartsOf(ref)?.kind === 'branch';

/**
 * Brings what a repository elsewhere has by now: what is new of it into a quarantine, by the rules of a push, and then its branches and
 * tags. What is gone there stays here.
 */
export class PullCode {
  constructor(private readonly parts: PullCodeParts) {}

  /** @throws RemoteProblem; NotFound "Project"; Overloaded while its first code is on its way; Unavailable. */
  async execute(pull: Pull, remote: RemoteAddress, signal: AbortSignal): Promise<PulledCode> {
    if ((await this.#rightsOf(pull)).level < ACCESS_LEVEL.maintainer) throw new RemoteProblem(MAY_NOT, false);
    const { refs, head } = fitting(await this.parts.source.refsOf(remote, signal));
    const repository = await this.parts.openRepository.execute(pull.projectId);
    const here = await this.#refsHere(repository, [...refs.keys()]);
    const moved = await this.#changesOf(pull, refs, here);
    const [changes, diverged] = [
      moved.filter((each) => !isLeft(pull, each)),
      moved.filter((each) => isLeft(pull, each)),
    ];
    const left = diverged.map(({ ref }) => ref);
    if (changes.length === 0) return { ...NOTHING, diverged: left };
    const wanted = await this.#missing(repository, [...new Set(changes.flatMap(({ to }) => to ?? []))]);
    const had = [...new Set(here.values())].slice(0, MOST_HAD);
    const pack = wanted.length === 0 ? undefined : this.parts.source.pack(remote, { wanted, had }, signal);
    const staged = await this.#receive(repository, pack);
    try {
      const landed = await this.#land(pull, { repository, staged, head }, changes);
      return { ...landed, diverged: [...left, ...landed.diverged] };
    } finally {
      await staged.settle();
    }
  }

  #rightsOf({ userId, projectId }: Pull): Promise<RefChanger> {
    const today = this.parts.clock.now().toISOString().slice(0, 10);
    return this.parts.unitOfWork.execute(({ refChangers }) => refChangers.find(userId, projectId, today));
  }

  async #refsHere({ id }: Repository, names: readonly string[]): Promise<ReadonlyMap<string, ObjectId>> {
    const refs = await this.parts.refReader.findRefs(id, names);
    return new Map(refs.map(({ name, target }) => [name, target]));
  }

  async #changesOf(
    { projectId, onlyProtectedBranches }: Pull,
    there: ReadonlyMap<string, ObjectId>,
    here: ReadonlyMap<string, ObjectId>,
  ): Promise<readonly RefChange[]> {
    const rules = onlyProtectedBranches ? await this.parts.protections.branchesOf(projectId) : undefined;
    const isMeant = (ref: string): boolean => {
      const { kind, name = '' } = refPartsOf(ref) ?? {};
      return kind !== 'branch' || rules === undefined || rules.some((rule) => matchesPattern(name, rule.name));
    };
    return [...there]
      .filter(([ref, to]) => here.get(ref) !== to && isMeant(ref))
      .map(([ref, to]) => ({ ref, from: here.get(ref) ?? null, to }));
  }

  /** Those that aren't here: where a branch is ahead here, all of it is. */
  async #missing({ store }: Repository, ids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    const missing: ObjectId[] = [];
    for (const id of ids) if ((await this.parts.objects.info(store, id)) === undefined) missing.push(id);
    return missing;
  }

  async #receive({ store }: Repository, pack: ByteStream | undefined): Promise<Staged> {
    try {
      return await this.parts.intake.receive(store, pack);
    } catch (error) {
      throw error instanceof ObjectsRefused ? new RemoteProblem(error.message, false) : error;
    }
  }

  async #land(pull: Pull, { repository, staged, head }: Brought, changes: readonly RefChange[]): Promise<PulledCode> {
    const { landChanges, moveRefs } = this.parts;
    const { userId, overwritesDiverged, triggersBuilds, isStillMeant } = pull;
    const all = await examineAll(staged, changes, (tips) => landChanges.connected(repository, staged, tips));
    if (all === undefined) throw new RemoteProblem(REMOTE_WORDS.incomplete, false);
    const meant = overwritesDiverged ? all : all.filter(({ fastForward }) => fastForward);
    const diverged = await divergedOf(staged, overwritesDiverged ? [] : all.filter((each) => !each.fastForward));
    const { examined, unfit } = await this.#fitHere(pull, meant);
    if (examined.length === 0) return { failures: unfit, diverged };
    const landing = {
      changer: () => this.#rightsOf(pull),
      by: 'mirror',
      userId,
      // Whoever writes to the repository elsewhere writes these messages: they say nothing in other projects of this person.
      byMachine: true,
      atomic: false,
      head,
      quiet: !triggersBuilds,
    } as const;
    const moved = await landChanges.execute(repository, staged, landing, {
      examined,
      count: (rules) => moveRefs.countCommits(staged, repository, rules, examined),
      move: async (moves) => {
        if (!(await isStillMeant())) throw new RemoteProblem(NO_LONGER, false);
        return moveRefs.execute(moves);
      },
    });
    return { diverged, failures: new Map([...unfit, ...failuresOf(moved)]) };
  }

  /** What the rules refuse of some stays behind by itself: one odd tag elsewhere keeps nothing else away. */
  async #fitHere(pull: Pull, changes: readonly ExaminedChange[]) {
    const [rules, changer] = await Promise.all([this.parts.moveRefs.rulesOf(pull.projectId), this.#rightsOf(pull)]);
    const refused = new Map(decidePush(changes, changer, rules, 'mirror').map(({ ref, reason }) => [ref, reason]));
    if (OF_ALL.some((reason) => [...refused.values()].includes(reason)))
      return { examined: changes, unfit: NOTHING.failures };
    return {
      examined: changes.filter(({ ref }) => !refused.has(ref)),
      unfit: new Map([...refused].map(([ref, reason]) => [ref, REFUSAL_TEXTS[reason]])),
    };
  }
}

/** Nothing leads from one target of a tag to another. */
const isLeft = ({ overwritesDiverged }: Pull, { ref, from }: RefChange): boolean =>
  !overwritesDiverged && from !== null && !isBranch(ref);

/** Those that both sides have moved on: what is ahead here alone has all that is there. */
const divergedOf = async (staged: Staged, changes: readonly ExaminedChange[]): Promise<readonly string[]> => {
  const diverged: string[] = [];
  for (const { ref, from, to } of changes) {
    const { behind } = await staged.distance(from ?? '', to ?? '');
    if (behind > 0) diverged.push(ref);
  }
  return diverged;
};

/** @throws RemoteProblem where none may move. */
const failuresOf = ({ failures, refused }: MovedRefs): PulledCode['failures'] => {
  const [reason] = refused ?? [];
  if (reason !== undefined) throw new RemoteProblem(REFUSAL_TEXTS[reason], false);
  return failures;
};
