import {
  decidePush,
  type ExaminedChange,
  type PushRefusal,
  type RefRules,
} from '../../domain/repositories/push-decision.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { RefChanger } from '../../domain/repositories/protected-ref.js';
import type { RepositoryCounters } from './ports/repository-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { MoveRefs } from './move-refs.js';
import type { CountedChange, MovedRefs, RefMoves } from './operations/move-refs-within.js';
import type { Staged } from './ports/object-stores.js';
import type { Repository } from './ports/repository-repositories.js';
import type { ProjectRefs } from './project-refs.js';

export interface LandChangesParts {
  readonly moveRefs: MoveRefs;
  readonly projectRefs: Pick<ProjectRefs, 'soon' | 'catchUp'>;
  readonly counters: RepositoryCounters;
  readonly logger: Logger;
}

export type Landing = Omit<RefMoves, 'projectId' | 'addedBytes' | 'changes' | 'changer'> & {
  /** Or how to find out what they may by now, where the changes were long on their way. */
  readonly changer: RefChanger | (() => Promise<RefChanger>);
};

export interface LandingChanges {
  readonly examined: readonly ExaminedChange[];
  /** Not asked for what is refused: it may be a walk through history. */
  readonly count: (rules: RefRules) => Promise<readonly CountedChange[]>;
  /** The unit of work that moves them, where it does more than that. */
  readonly move?: (moves: RefMoves) => Promise<MovedRefs>;
}

/**
 * What every change of refs ends with, whoever brings it: the rules are asked, its objects stay, one unit of work moves the refs and tells
 * what happened, and the files follow. What was told to have moved is on disk and in the database.
 */
export class LandChanges {
  constructor(private readonly parts: LandChangesParts) {}

  /** @throws NotFound "Project" when it is gone; Unavailable. */
  async execute(
    repository: Repository,
    staged: Staged,
    landing: Landing,
    { examined, count, move = (moves) => this.parts.moveRefs.execute(moves) }: LandingChanges,
  ): Promise<MovedRefs> {
    const { moveRefs, projectRefs, counters } = this.parts;
    const { projectId } = repository;
    // Asked before anything is kept: what is refused leaves nothing behind.
    const [rules, changer] = await Promise.all([moveRefs.rulesOf(projectId), changerOf(landing)]);
    const refused = decidePush(examined, changer, rules, landing.by);
    if (refused.length > 0) return this.#decline(refused.map(({ reason }) => reason));
    const changes = await count(rules);
    await staged.keep();
    const moved = await move({ ...landing, changer, projectId, changes, addedBytes: staged.size });
    if (moved.refused !== undefined) return this.#decline(moved.refused);
    projectRefs.soon(repository);
    counters.count('pushes_total', { outcome: 'ok' });
    return moved;
  }

  /** Whether everything that these tips need is there. @throws Unavailable. */
  connected(repository: Repository, staged: Staged, tips: readonly ObjectId[]): Promise<boolean> {
    return staged.connected(tips, () => this.parts.projectRefs.catchUp(repository));
  }

  #decline(refused: readonly PushRefusal[]): MovedRefs {
    this.parts.counters.count('pushes_total', { outcome: 'declined' });
    this.parts.logger.info('push declined', { reasons: [...new Set(refused)].join(', ') });
    return { failures: new Map(), refused };
  }
}

const changerOf = async ({ changer }: Landing): Promise<RefChanger> =>
  typeof changer === 'function' ? changer() : changer;
