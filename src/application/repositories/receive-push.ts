import {
  REFUSAL_TEXTS,
  unfitRef,
  type ChangedBy,
  type PushRefusal,
  type RefChange,
} from '../../domain/repositories/push-decision.js';
import type { RefChanger } from '../../domain/repositories/protected-ref.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import { examineAll } from './examine-changes.js';
import type { RepositoryCounters } from './ports/repository-counters.js';
import type { LandChanges } from './land-changes.js';
import type { MoveRefs } from './move-refs.js';
import type { MovedRefs } from './operations/move-refs-within.js';
import type { OpenRepository } from './open-repository.js';
import {
  ObjectsRefused,
  type ByteStream,
  type ObjectIntake,
  type PushedOnto,
  type Staged,
} from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { Repository } from './ports/repository-repositories.js';

export interface Push {
  readonly changes: readonly RefChange[];
  /** All or nothing. */
  readonly atomic: boolean;
  /** Absent where nothing is sent. */
  readonly pack: ByteStream | undefined;
  /** As given by `git push -o`. */
  readonly options?: readonly string[];
}

export interface Pusher {
  readonly id: UserId;
  /** It is a machine with a key of theirs. */
  readonly byMachine?: true;
  /** What they may by now: asked when the objects are there, for that takes as long as their sender likes. */
  readonly rightsNow: () => Promise<RefChanger>;
}

/** What becomes of one ref; `failure` is in the words that git prints. */
export interface RefReport {
  readonly ref: string;
  readonly failure?: string;
}

export interface PushReport {
  /** Why no object was taken. */
  readonly unpackFailure?: string;
  readonly refs: readonly RefReport[];
  /** Lines for the person who pushes. */
  readonly messages: readonly string[];
}

/** Scripts search for these words, though no hook runs. */
const DECLINED = 'pre-receive hook declined';
const NOT_UNPACKED = 'unpacker error';
const INCOMPLETE = 'missing necessary objects';

interface Parts {
  readonly openRepository: OpenRepository;
  readonly intake: ObjectIntake;
  readonly refReader: RefReader;
  readonly moveRefs: MoveRefs;
  readonly landChanges: LandChanges;
  readonly counters: RepositoryCounters;
}

/**
 * Takes a push: its objects into a quarantine, its rules, then one unit of work that moves the refs and tells what happened. What was
 * answered `ok` is on disk and in the database.
 */
export class ReceivePush {
  constructor(private readonly parts: Parts) {}

  /** @throws NotFound when the project is gone; Unavailable, Overloaded. */
  async execute(
    { project }: Permitted<'push_code'>,
    pusher: Pusher,
    push: Push,
    by: ChangedBy = 'git',
  ): Promise<PushReport> {
    const { openRepository, intake, counters } = this.parts;
    const repository = await openRepository.execute(project.id);
    let staged: Staged;
    try {
      staged = await intake.receive(repository.store, push.pack, this.#onto(repository, push));
    } catch (error) {
      if (!(error instanceof ObjectsRefused)) throw error;
      counters.count('pushes_total', { outcome: 'unpack_failed' });
      return { ...failAll(push, NOT_UNPACKED), unpackFailure: error.message };
    }
    try {
      return await this.#decide(pusher, push, { repository, staged, by });
    } finally {
      await staged.settle();
    }
  }

  #onto({ id }: Repository, { changes }: Push): PushedOnto {
    const { refReader } = this.parts;
    return {
      tips: [...new Set(changes.flatMap(({ to }) => to ?? []))],
      ledTo: async (commits) => {
        const refs = await refReader.pointingAt(id, commits);
        return new Set(refs.flatMap(({ target, peeled }) => [target, ...(peeled === null ? [] : [peeled])]));
      },
    };
  }

  async #decide(
    pusher: Pusher,
    push: Push,
    { repository, staged, by }: { readonly repository: Repository; readonly staged: Staged; readonly by: ChangedBy },
  ): Promise<PushReport> {
    const { moveRefs, landChanges } = this.parts;
    const fit = push.changes.filter(({ ref }) => unfitRef(ref) === undefined);
    const unfit = push.changes.filter(({ ref }) => unfitRef(ref) !== undefined);
    if (push.atomic && unfit.length > 0) return failAll(push, 'atomic push failure');
    const changes = await examineAll(staged, fit, (tips) => landChanges.connected(repository, staged, tips));
    if (changes === undefined) return failAll(push, INCOMPLETE);
    const { atomic, options = [] } = push;
    const { rightsNow: changer, id: userId, byMachine } = pusher;
    const landing = { changer, by, userId, byMachine, atomic, options };
    const moved = await landChanges.execute(repository, staged, landing, {
      examined: changes,
      count: (rules) => moveRefs.countCommits(staged, repository, rules, changes),
    });
    if (moved.refused !== undefined) return decline(push, moved.refused);
    return { refs: push.changes.map(({ ref }) => reportOf(ref, moved)), messages: [] };
  }
}

const decline = (push: Push, reasons: readonly PushRefusal[]): PushReport => ({
  ...failAll(push, DECLINED),
  messages: [...new Set(reasons)].map((reason) => REFUSAL_TEXTS[reason]),
});

const failAll = ({ changes }: Push, failure: string): PushReport => ({
  refs: changes.map(({ ref }) => ({ ref, failure })),
  messages: [],
});

const reportOf = (ref: string, { failures }: MovedRefs): RefReport => {
  const failure = unfitRef(ref) ?? failures.get(ref);
  return failure === undefined ? { ref } : { ref, failure };
};
