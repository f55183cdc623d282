import type { ProjectId } from '../../../domain/shared/identifiers.js';

/** How often somebody fetched from a project on a day. */
export interface FetchDay {
  readonly projectId: ProjectId;
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly fetches: number;
}

export interface FetchDayRepository {
  /** Adds to what was counted before; of projects that are gone nothing is kept. */
  add(days: readonly FetchDay[]): Promise<void>;
  /** Answers how many rows of days before this one were removed, at most `limit`. */
  removeBefore(day: string, limit: number): Promise<number>;
}

export interface FetchDayReader {
  /** The newest day first. */
  daysOf(projectId: ProjectId, from: string): Promise<readonly FetchDay[]>;
}
