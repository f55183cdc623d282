import type { PullMirror, PullStatus } from '../../../domain/mirrors/pull-mirror.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { SealedRemote } from '../../repositories/ports/remotes.js';
import type { Lease } from '../../shared/leased-works.js';

export type PullSettings = Pick<
  PullMirror,
  'enabled' | 'onlyProtectedBranches' | 'overwritesDiverged' | 'triggersBuilds'
>;

/** What is said of one: in the name of whoever says it. */
export interface PutPullMirror extends PullSettings {
  readonly projectId: ProjectId;
  readonly userId: UserId;
  /** Absent where it stays. */
  readonly remote?: SealedRemote;
}

/** One whose turn has come. */
export interface DuePull extends PullMirror {
  readonly sealedCredentials: string | null;
}

export interface PullLease extends Lease {
  /** Those who have enough on their way. */
  readonly exceptUsers: readonly UserId[];
}

/** What an update came to. */
export interface PullOutcome {
  readonly status: Extract<PullStatus, 'scheduled' | 'finished' | 'failed'>;
  readonly error: string | null;
  readonly failures: number;
  /** Null where it is tried no more. */
  readonly dueAt: Date | null;
  readonly at: Date;
}

/** One of a project at most. */
export interface PullMirrorRepository {
  /** Until the transaction ends nobody else says anything of the one of the project. */
  take(projectId: ProjectId): Promise<PullMirror | undefined>;
  /**
   * A new one, which needs a `remote`, or what is said of the one that is there: it is due then, and whoever updates it as it was before holds
   * it no more. One that is disabled waits for nothing.
   */
  put(mirror: PutPullMirror, dueAt: Date, at: Date): Promise<void>;
  remove(projectId: ProjectId): Promise<void>;
  /** It is to be updated now, whatever it waited for, and however often it failed. What is due already keeps its turn. */
  hurry(projectId: ProjectId, at: Date): Promise<void>;
  /** The one that is due first, of a project that is neither archived nor about to be removed. Nobody else gets it before `until`. */
  lease(lease: PullLease): Promise<DuePull | undefined>;
  /** False when it is gone, disabled or another node’s, or its project is archived or about to be removed. */
  renew(projectId: ProjectId, holder: string, until: Date): Promise<boolean>;
  /** Whether it could be renewed. */
  isHeld(projectId: ProjectId, holder: string): Promise<boolean>;
  /** Notes what an update came to. False when it is gone, or another node's. */
  end(projectId: ProjectId, holder: string, outcome: PullOutcome): Promise<boolean>;
}

export interface PullMirrorReader {
  find(projectId: ProjectId): Promise<PullMirror | undefined>;
}
