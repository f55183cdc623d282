import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { FetchDay, FetchDayReader, FetchDayRepository } from './ports/fetch-days.js';

const DAY_MS = 86_400_000;
const DAYS_TOLD = 30;
const AT_ONCE = 1_000;

type Needs = { readonly fetchDays: FetchDayRepository };

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Counts fetches by day. They are gathered and written outside of the fetches, which wait for no write. */
export class FetchCounts {
  #pending = new Map<string, FetchDay>();

  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: FetchDayReader,
    private readonly clock: Clock,
  ) {}

  note(projectId: ProjectId): void {
    this.#add({ projectId, day: dayOf(this.clock.now()), fetches: 1 });
  }

  /** Writes what was gathered; called by the scheduler and at the end of the process. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const days = [...this.#pending.values()];
    this.#pending = new Map();
    try {
      await this.unitOfWork.execute(({ fetchDays }) => fetchDays.add(days));
    } catch (error) {
      for (const day of days) this.#add(day);
      throw error;
    }
  }

  /** Of the last thirty days, those with any, the newest first. */
  async of({ project }: Permitted<'read_statistics'>): Promise<readonly FetchDay[]> {
    return this.reader.daysOf(project.id, this.#firstDay());
  }

  /** Lets go of days that nobody is told of any more. */
  async expire(stopping?: AbortSignal): Promise<void> {
    while (stopping?.aborted !== true)
      if ((await this.unitOfWork.execute(({ fetchDays }) => fetchDays.removeBefore(this.#firstDay(), AT_ONCE))) === 0)
        return;
  }

  #firstDay(): string {
    return dayOf(new Date(this.clock.now().getTime() - (DAYS_TOLD - 1) * DAY_MS));
  }

  #add({ projectId, day, fetches }: FetchDay): void {
    const key = `${projectId} ${day}`;
    const before = this.#pending.get(key)?.fetches ?? 0;
    this.#pending.set(key, { projectId, day, fetches: before + fetches });
  }
}
