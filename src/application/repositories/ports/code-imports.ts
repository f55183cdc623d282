import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Lease } from '../../shared/leased-works.js';
import type { SealedRemote } from './remotes.js';

/** Code that is to be fetched from elsewhere. */
export interface CodeImport {
  readonly projectId: ProjectId;
  /** Who asked for it; null where they are gone. */
  readonly userId: UserId | null;
  readonly remote: SealedRemote;
  /** How often it was tried, this time too. */
  readonly attempts: number;
}

export interface ImportLease extends Lease {
  /** Those who have enough on their way. */
  readonly exceptUsers: readonly UserId[];
}

export type AskedImport = Pick<CodeImport, 'projectId' | 'userId' | 'remote'>;

/** Why an import goes on no more: its project was archived, or whoever asked for it is blocked. */
export type ImportHindrance = 'archived' | 'blocked';

/** Keeps user names and passwords no longer than they are needed. */
export interface CodeImportRepository {
  /** For a new project: it is due. */
  ask(ask: AskedImport, at: Date): Promise<void>;
  /** In place of one that failed. False where none has, as when somebody else was faster. */
  askAgain(ask: AskedImport, at: Date): Promise<boolean>;
  /** One that is due, which nobody else gets before `until`. */
  lease(lease: ImportLease): Promise<CodeImport | undefined>;
  /** False when it is gone or another node's, is hindered, or its project is about to be removed. */
  renew(projectId: ProjectId, holder: string, until: Date): Promise<boolean>;
  hindranceOf(projectId: ProjectId): Promise<ImportHindrance | undefined>;
  postpone(projectId: ProjectId, holder: string, dueAt: Date): Promise<void>;
  /** Its code is there. False when it is gone, or another node's. */
  end(projectId: ProjectId, holder: string): Promise<boolean>;
  /** It is tried no more: its URL alone stays. False likewise. */
  giveUp(projectId: ProjectId, holder: string): Promise<boolean>;
}

export interface CodeImportReader {
  /** Where the code of a project was to come from; undefined where it came, or never was to. */
  urlOf(projectId: ProjectId): Promise<string | undefined>;
}
