import type { MirrorStatus, RemoteMirror } from '../../../domain/mirrors/remote-mirror.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Lease } from '../../shared/leased-works.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export type MirrorSettings = Pick<RemoteMirror, 'enabled' | 'onlyProtectedBranches' | 'keepDivergentRefs'>;

export interface NewMirror extends MirrorSettings {
  readonly projectId: ProjectId;
  readonly url: string;
  readonly sealedCredentials: string | null;
}

/** A mirror whose turn has come. */
export interface DueMirror extends RemoteMirror {
  readonly sealedCredentials: string | null;
  /** How often it was tried, this time too. */
  readonly attempts: number;
}

/** Which of the mirrors that are due, and for whom. */
export interface MirrorLease extends Lease {
  readonly exceptProjects: readonly ProjectId[];
}

/** What an update came to. */
export interface MirrorOutcome {
  readonly status: Extract<MirrorStatus, 'scheduled' | 'to_retry' | 'finished' | 'failed'>;
  readonly error: string | null;
  /** When it is tried again; null where only what was pushed meanwhile brings it back. */
  readonly dueAt: Date | null;
  readonly at: Date;
}

export interface RemoteMirrorRepository {
  /** Until the transaction ends nobody else adds one to the project. */
  hold(projectId: ProjectId): Promise<void>;
  count(projectId: ProjectId): Promise<number>;
  add(mirror: NewMirror, at: Date): Promise<number>;
  /** Locks it until the transaction ends. */
  take(id: number): Promise<RemoteMirror | undefined>;
  /** One that is disabled waits for nothing any more. */
  update(id: number, settings: MirrorSettings, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
  /** Those of the project that are enabled are to be updated; one that waits already, or is tried again later, stays where it is. */
  schedule(projectIds: readonly ProjectId[], at: Date): Promise<void>;
  /** It is to be updated now, whatever it waited for. */
  hurry(id: number, at: Date): Promise<void>;
  /** The one that is due first, of a project that is neither archived nor about to be removed. Nobody else gets it before `until`. */
  lease(lease: MirrorLease): Promise<DueMirror | undefined>;
  /** False when it is gone or another node’s, or its project is archived or about to be removed. */
  renew(id: number, holder: string, until: Date): Promise<boolean>;
  /** Notes what an update came to. False when it is gone, or another node's. */
  end(id: number, holder: string, outcome: MirrorOutcome): Promise<boolean>;
}

export interface RemoteMirrorReader {
  list(projectId: ProjectId, page: PageRequest): Promise<Page<RemoteMirror>>;
  find(projectId: ProjectId, id: number): Promise<RemoteMirror | undefined>;
}
