import { Unprocessable } from '../shared/domain-error.js';
import type { ProjectId } from '../shared/identifiers.js';

/** How the updates of a mirror stand, by the words of the API. */
export const MIRROR_STATUSES = ['none', 'scheduled', 'to_retry', 'started', 'finished', 'failed'] as const;
export type MirrorStatus = (typeof MIRROR_STATUSES)[number];

/** A repository elsewhere that gets what is pushed to a project. */
export interface RemoteMirror {
  readonly id: number;
  readonly projectId: ProjectId;
  /** Without user name and password. */
  readonly url: string;
  /** Whether it has a user name or password; those are sealed. */
  readonly hasCredentials: boolean;
  readonly enabled: boolean;
  readonly onlyProtectedBranches: boolean;
  /** Whether what the mirror alone has stays there. */
  readonly keepDivergentRefs: boolean;
  readonly status: MirrorStatus;
  readonly lastError: string | null;
  readonly lastUpdateStartedAt: Date | null;
  readonly lastUpdateAt: Date | null;
  readonly lastSuccessfulUpdateAt: Date | null;
}

/** Each push of the project is a push to each of them. */
const MOST_MIRRORS = 10;

/** @throws Unprocessable. */
export const requireRoomForMirror = (mirrors: number): void => {
  if (mirrors >= MOST_MIRRORS) throw new Unprocessable(`A project has at most ${MOST_MIRRORS} mirrors`);
};

const PAUSES_MS = [30_000, 120_000, 600_000, 3_600_000] as const;

/** How long to wait after an update that failed; undefined after the last. */
export const pauseAfterUpdate = (attempts: number): number | undefined => PAUSES_MS[attempts - 1];
