import type { ProjectId, UserId } from '../shared/identifiers.js';

/** How the updates of a project that mirrors stand, by the words of the API. */
export const PULL_STATUSES = ['none', 'scheduled', 'started', 'finished', 'failed'] as const;
export type PullStatus = (typeof PULL_STATUSES)[number];

/** A repository elsewhere that a project follows. */
export interface PullMirror {
  readonly projectId: ProjectId;
  /** Without user name and password. */
  readonly url: string;
  /** Whether it has a user name or password; those are sealed. */
  readonly hasCredentials: boolean;
  /** In whose name; null where they are gone. */
  readonly userId: UserId | null;
  readonly enabled: boolean;
  readonly onlyProtectedBranches: boolean;
  /** Whether what has moved on here gives way. */
  readonly overwritesDiverged: boolean;
  /** Whether it is told, and pipelines begin, as after a push. */
  readonly triggersBuilds: boolean;
  readonly status: PullStatus;
  /** Also what an update left as it is here. */
  readonly lastError: string | null;
  /** How many updates failed in a row. */
  readonly failures: number;
  readonly lastUpdateStartedAt: Date | null;
  readonly lastUpdateAt: Date | null;
  readonly lastSuccessfulUpdateAt: Date | null;
}

/** After so many in a row nobody tries it again before somebody says so. */
export const MOST_PULL_FAILURES = 14;

const LONGEST_PAUSE_MS = 86_400_000;

/** How long to wait after so many failures in a row, as often as it is updated otherwise; undefined after the last. */
export const pauseAfterPull = (failures: number, everyMs: number): number | undefined => {
  if (failures >= MOST_PULL_FAILURES) return undefined;
  return failures === 0 ? everyMs : Math.max(everyMs, Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** (failures - 1)));
};
