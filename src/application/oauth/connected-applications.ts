import type { Application } from '../../domain/oauth/application.js';
import type { RevocationReason } from '../../domain/oauth/grant.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { GrantReader, GrantToApplication } from './ports/oauth-readers.js';
import type { GrantRepository } from './ports/oauth-repositories.js';

/** Everything that one person allowed one application. */
export interface ConnectedApplication {
  /** Absent for access given by password without a client. */
  readonly application: Application | null;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly lastUsedAt: Date | null;
}

/** Access that ended for a reason that its owner should hear of. */
export interface EndedAccess {
  readonly application: Application | null;
  readonly reason: RevocationReason;
  readonly at: Date;
}

export interface Connections {
  readonly connected: readonly ConnectedApplication[];
  readonly ended: readonly EndedAccess[];
}

const SHOWN_GRANTS = 1_000;
/** What people did not do themselves. */
const WORTH_TELLING: ReadonlySet<RevocationReason> = new Set(['code_reused', 'refresh_token_reused']);

const latest = (left: Date | null, right: Date | null): Date | null =>
  left === null || (right !== null && right > left) ? right : left;

const byApplication = (grants: readonly GrantToApplication[]): readonly GrantToApplication[][] => {
  const groups = new Map<number | null, GrantToApplication[]>();
  for (const each of grants) {
    const id = each.application?.id ?? null;
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  return [...groups.values()];
};

const connect = (grants: readonly GrantToApplication[]): ConnectedApplication => ({
  application: grants[0]?.application ?? null,
  scopes: [...new Set(grants.flatMap(({ grant }) => grant.scopes))],
  since: new Date(Math.min(...grants.map(({ grant }) => grant.createdAt.getTime()))),
  lastUsedAt: grants.map(({ grant }) => grant.lastUsedAt).reduce(latest, null),
});

/** What people see and take back of what they allowed. */
export class ConnectedApplications {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly grants: GrantRepository }>,
    private readonly reader: GrantReader,
    private readonly clock: Clock,
  ) {}

  async of(userId: UserId): Promise<Connections> {
    const grants = await this.reader.listOf(userId, SHOWN_GRANTS);
    const living = byApplication(grants.filter(({ grant }) => grant.revokedAt === null));
    const ended = grants.flatMap(({ grant: { revokedAt, revocationReason }, application }) =>
      revokedAt !== null && revocationReason !== null && WORTH_TELLING.has(revocationReason)
        ? [{ application, reason: revocationReason, at: revokedAt }]
        : [],
    );
    return { connected: living.map(connect), ended };
  }

  /** @param applicationId null for access given by password without a client. */
  async revoke(userId: UserId, applicationId: number | null): Promise<void> {
    await this.unitOfWork.execute(({ grants }) =>
      grants.revokeAllOf(userId, 'revoked_by_user', this.clock.now(), applicationId),
    );
  }
}
