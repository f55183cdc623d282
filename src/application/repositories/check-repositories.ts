import { refDifferences } from '../../domain/repositories/ref-differences.js';
import { Overloaded } from '../../domain/shared/domain-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { StoreKeeper } from './ports/object-stores.js';
import type { CheckedRepository, RepositoryCheckRepository } from './ports/repository-checks.js';
import type { ProjectRefs } from './project-refs.js';
import { reasonOf } from './reason-of.js';

const AT_ONCE = 50;
/** Of one repository: more of them say no more. */
const MOST_FAULTS = 20;
/** One that is pushed to all the time is compared again. */
const MOST_LOOKS = 10;

export interface CheckScope {
  /** Leaves out what was found well since then; null is all. */
  readonly since: Date | null;
  /** Only the repository of this project. */
  readonly path?: string;
  /** Begins no further check from then on. */
  readonly until: Date | null;
}

export interface CheckResult {
  readonly checked: number;
  readonly faulty: number;
  /** It ended before all were checked. */
  readonly cut: boolean;
}

interface Needs {
  readonly repositoryChecks: RepositoryCheckRepository;
}

export interface CheckRepositoriesParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly checks: Pick<RepositoryCheckRepository, 'due' | 'refsOf'>;
  readonly keeper: StoreKeeper;
  readonly projectRefs: ProjectRefs;
  readonly clock: Clock;
}

/** Looks whether every repository is whole, and its files say what its rows say. What is well is noted, so that the next run goes on there. */
export class CheckRepositories {
  constructor(private readonly parts: CheckRepositoriesParts) {}

  /** @throws Unavailable "repositories" while git is missing. */
  async execute(
    { since, until, ...scope }: CheckScope,
    tell: (path: string, fault: string) => void,
  ): Promise<CheckResult> {
    const { checks, keeper, clock } = this.parts;
    await keeper.ready();
    const result = { checked: 0, faulty: 0 };
    for (let after = 0; ;) {
      const due = await checks.due({ ...scope, since, after }, AT_ONCE);
      for (const repository of due) {
        if (until !== null && clock.now() >= until) return { ...result, cut: true };
        const faults = await this.#check(repository);
        faults.forEach((fault) => tell(repository.path, fault));
        result.checked += 1;
        if (faults.length > 0) result.faulty += 1;
        after = repository.id;
      }
      if (due.length < AT_ONCE) return { ...result, cut: false };
    }
  }

  async #check(repository: CheckedRepository): Promise<readonly string[]> {
    const faults = await this.#faultsOf(repository);
    const at = this.parts.clock.now();
    if (faults.length === 0)
      await this.parts.unitOfWork.execute(({ repositoryChecks }) => repositoryChecks.foundWell(repository.id, at));
    const more = faults.length - MOST_FAULTS;
    return more > 0 ? [...faults.slice(0, MOST_FAULTS), `and ${more} more`] : faults;
  }

  async #faultsOf(repository: CheckedRepository): Promise<readonly string[]> {
    const { keeper, checks } = this.parts;
    try {
      if (!(await keeper.exists(repository.store))) {
        const { targets } = await checks.refsOf(repository.id);
        // The row comes before the folder, and the folder before the first ref.
        return targets.size === 0 ? [] : ['its folder is gone'];
      }
      return [...(await keeper.check(repository.store)), ...(await this.#compareRefs(repository))];
    } catch (error) {
      return [reasonOf(error)];
    }
  }

  /** Of what moved while it was compared nothing is believed. */
  async #compareRefs(repository: CheckedRepository): Promise<readonly string[]> {
    const { checks, keeper, projectRefs } = this.parts;
    let differences: readonly string[] = [];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      await projectRefs.execute(repository).catch((error: unknown) => {
        // Another node writes them just now, or was killed while it did.
        if (!(error instanceof Overloaded)) throw error;
      });
      await projectRefs.settle();
      const before = await checks.refsOf(repository.id);
      const files = await keeper.refsOf(repository.store);
      differences = refDifferences(before.targets, files);
      if (differences.length === 0) return differences;
      const isWritten = (await checks.refsOf(repository.id)).version === before.version && !before.stale;
      if (isWritten) return differences;
    }
    return differences;
  }
}
