import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { StoreKeeper } from './ports/object-stores.js';
import type { RefReader, UnkeptStore } from './ports/ref-reader.js';
import type { RefRepository, RepositoryRepository } from './ports/repository-repositories.js';
import type { ProjectRefs } from './project-refs.js';
import { reasonOf } from './reason-of.js';

const AT_ONCE = 50;
const HOUR_MS = 3_600_000;
/** Longer than any push takes. */
const LEFT_BEHIND_MS = 2 * HOUR_MS;
/** What a ref lost can be given back for two weeks. */
const TIPS_KEPT_MS = 14 * 24 * HOUR_MS;

interface Needs {
  readonly repositories: RepositoryRepository;
  readonly refs: RefRepository;
}

/** Makes good what a crash left undone, and removes what nobody needs. Every step may be repeated. */
export class KeepStores {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: RefReader,
    private readonly keeper: StoreKeeper,
    private readonly projectRefs: ProjectRefs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Writes refs that the files lack, and removes the folders of projects that are gone. */
  async execute(stopping?: AbortSignal): Promise<void> {
    await this.#eachOnce(await this.reader.stale(AT_ONCE), stopping, async (repository) => {
      await this.keeper.sweep(repository.store, LEFT_BEHIND_MS);
      await this.projectRefs.execute(repository);
    });
    await this.#eachOnce(await this.reader.orphans(this.clock.now(), AT_ONCE), stopping, async ({ id, store }) => {
      await this.keeper.remove(store);
      await this.unitOfWork.execute(({ repositories }) => repositories.forget(id));
    });
  }

  /** Lets go of tips that were kept long enough. */
  async dropTips(stopping?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - TIPS_KEPT_MS);
    while (stopping?.aborted !== true)
      if ((await this.unitOfWork.execute(({ refs }) => refs.dropTips(before, AT_ONCE))) < AT_ONCE) return;
  }

  async #eachOnce(
    stores: readonly UnkeptStore[],
    stopping: AbortSignal | undefined,
    work: (store: UnkeptStore) => Promise<void>,
  ): Promise<void> {
    for (const store of stores) {
      if (stopping?.aborted === true) return;
      try {
        await work(store);
      } catch (error) {
        // One store that is out of reach doesn't keep the others waiting.
        this.logger.warn('a repository was not made good', { repositoryId: store.id, error: reasonOf(error) });
      }
    }
  }
}
