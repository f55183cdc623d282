import type { AuditKind } from '../../../domain/audit/audit-kind.js';
import type { NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Visibility } from '../../../domain/shared/visibility.js';

/** By what somebody acted; `service` is what nobody asked for, `nobody` a stranger. */
export type AuditMeans = 'browser' | 'personal_access_token' | 'application' | 'operator' | 'service' | 'nobody';

export interface AuditAuthor {
  readonly id: UserId;
  readonly username: string;
}

/** What was done, to what. Names, not ids: what is named may be gone when somebody reads it. Never a secret. */
export interface AuditedAct {
  readonly kind: AuditKind;
  /** The username of whom it was done to. */
  readonly account?: string;
  /** The full path of the project or group. */
  readonly place?: string;
  /** The name of the token, key, application… */
  readonly subject?: string;
  /** What changed, as in "private → public". */
  readonly detail?: string;
  /** Who did it, where that is known only by what was done: whoever signs in. */
  readonly author?: AuditAuthor;
}

export interface AuditEntry {
  readonly id: number;
  readonly kind: AuditKind;
  /** Null for strangers, the operator, and the service itself. */
  readonly authorName: string | null;
  readonly means: AuditMeans;
  /** In whose name an administrator acted. */
  readonly actedAs: string | null;
  readonly clientAddress: string | null;
  readonly account: string | null;
  readonly place: string | null;
  readonly subject: string | null;
  readonly detail: string | null;
  /** How often, within an hour. */
  readonly times: number;
  readonly createdAt: Date;
  /** The last of those times. */
  readonly lastAt: Date;
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'times' | 'lastAt'> & {
  readonly authorId: UserId | null;
  readonly expiresAt: Date;
};

/** What entries name, as it is at that moment of the transaction. */
export interface AuditFacts {
  user(
    id: UserId,
  ): Promise<
    { readonly id: UserId; readonly username: string; readonly admin: boolean; readonly blocked: boolean } | undefined
  >;
  project(
    id: ProjectId,
  ): Promise<{ readonly path: string; readonly visibility: Visibility; readonly archived: boolean } | undefined>;
  /** A group, or a person's own. */
  namespace(id: NamespaceId): Promise<{ readonly path: string; readonly visibility: Visibility } | undefined>;
  /** The full path of what has members. */
  pathOf(kind: 'project' | 'group', id: number): Promise<string | undefined>;
  /** The name of a row, and the owner, project or group that it belongs to. */
  named(what: NamedThing, id: number): Promise<AuditedThing | undefined>;
}

export type NamedThing =
  | 'personal_access_token'
  | 'application'
  | 'grant'
  | 'ssh_key'
  | 'deploy_token'
  | 'webhook'
  | 'remote_mirror'
  | 'alert_integration'
  | 'ci_variable'
  | 'ci_runner'
  | 'pipeline_trigger'
  | 'pipeline_schedule';

export interface AuditedThing {
  readonly subject?: string;
  readonly account?: string;
  readonly place?: string;
}

export interface AuditRepository extends AuditFacts {
  add(entry: NewAuditEntry): Promise<void>;
  /** Counts it as one more of the same since an instant, or adds it where there is none. */
  count(entry: NewAuditEntry, since: Date): Promise<void>;
}

export interface AuditQuery {
  /** A username; case does not count. */
  readonly author?: string;
  /** Full path of a project or group, or the username of whom it was done to. */
  readonly about?: string;
  readonly kinds?: readonly AuditKind[];
  readonly clientAddress?: string;
  readonly from?: Date;
  /** Before this instant. */
  readonly until?: Date;
}

export interface AuditReader {
  /** The newest first, of those before an id. */
  list(query: AuditQuery, limit: number, before?: number): Promise<readonly AuditEntry[]>;
}
