import type { Clock } from '../shared/ports/clock.js';
import type { LabelsOf } from '../shared/ports/counters.js';
import type { REPOSITORY_COUNTERS, RepositoryCounters } from './ports/repository-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { HousekeepingRepository, KeptStore, StoreMaintenance } from './ports/housekeeping.js';
import type { ProjectRefs } from './project-refs.js';
import { reasonOf } from './reason-of.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What a push brought and nothing leads to any more stays as long as what a ref lost. */
const UNREACHABLE_KEPT_MS = 14 * DAY_MS;
const REPACKED_EVERY_MS = 7 * DAY_MS;
/** Longer than any fetch or push takes: none that began with the replaced files still runs. */
const REPLACED_KEPT_MS = 2 * HOUR_MS;
/** A store that fails is looked at again then: the others come first. */
const PAUSE_MS = 6 * HOUR_MS;
const AT_ONCE = 20;

type Work = LabelsOf<typeof REPOSITORY_COUNTERS, 'housekeeping_total'>['work'];

interface Needs {
  readonly housekeeping: HousekeepingRepository;
}

export interface HousekeepingParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly due: Pick<HousekeepingRepository, 'toGather' | 'toRepack' | 'toClear'>;
  readonly maintenance: StoreMaintenance;
  readonly projectRefs: ProjectRefs;
  readonly counters: RepositoryCounters;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keeps stores small and quick to read: packs together what pushes bring one by one, once a week lets go of what nothing has led to for two,
 * and removes what was replaced when nobody can be reading it any more. Every step may be repeated, so one that a crash ended is begun anew.
 */
export class Housekeeping {
  constructor(private readonly parts: HousekeepingParts) {}

  /** One store after another; ends early when it is told to stop. */
  async execute(stopping: AbortSignal): Promise<void> {
    const { due, clock } = this.parts;
    const now = clock.now();
    const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
    await this.#each(await due.toClear(now, before(REPLACED_KEPT_MS), AT_ONCE), 'removed', stopping);
    await this.#each(await due.toGather(now, AT_ONCE), 'gathered', stopping);
    await this.#each(await due.toRepack(now, before(REPACKED_EVERY_MS), AT_ONCE), 'repacked', stopping);
  }

  async #each(stores: readonly KeptStore[], work: Work, stopping: AbortSignal): Promise<void> {
    for (const store of stores) {
      if (stopping.aborted) return;
      await this.#attempt(store, work);
    }
  }

  async #attempt(store: KeptStore, work: Work): Promise<void> {
    const { counters, logger, unitOfWork, clock } = this.parts;
    try {
      await this.#do(store, work);
      counters.count('housekeeping_total', { work, outcome: 'done' });
    } catch (error) {
      const { kind, id } = store;
      logger.warn('the files of a repository were not packed', { kind, id, work, error: reasonOf(error) });
      counters.count('housekeeping_total', { work, outcome: 'failed' });
      const until = new Date(clock.now().getTime() + PAUSE_MS);
      await unitOfWork.execute(({ housekeeping }) => housekeeping.postpone(store, until));
    }
  }

  async #do(kept: KeptStore, work: Work): Promise<void> {
    const { maintenance, projectRefs, unitOfWork, clock } = this.parts;
    const { store } = kept;
    const at = clock.now();
    if (work === 'gathered') {
      // The graph of commits is made of what refs in the files lead to.
      if (kept.kind === 'repository') await projectRefs.catchUp(kept);
      const size = await maintenance.gather(store, at);
      return unitOfWork.execute(({ housekeeping }) => housekeeping.gathered(kept, size, at));
    }
    if (work === 'removed') {
      const size = await maintenance.removeReplaced(store, new Date(at.getTime() - REPLACED_KEPT_MS));
      return unitOfWork.execute(({ housekeeping }) => housekeeping.cleared(kept, size));
    }
    const unreachableSince = new Date(at.getTime() - UNREACHABLE_KEPT_MS);
    const project = () => projectRefs.pack(kept);
    const size = await maintenance.repack(store, { at, unreachableSince, project });
    return unitOfWork.execute(({ housekeeping }) => housekeeping.repacked(kept, size, at));
  }
}
