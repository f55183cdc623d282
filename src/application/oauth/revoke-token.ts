import type { Application } from '../../domain/oauth/application.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { AccessTokenReader, RefreshTokenReader } from './ports/oauth-readers.js';
import type { GrantRepository } from './ports/oauth-repositories.js';

export type RevocationResult = 'revoked' | 'unknown' | 'of_another_client';

/** Revokes on behalf of a client (RFC 7009). The whole grant goes: what is left of a pair is of no use to an honest client. */
export class RevokeToken {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly grants: GrantRepository }>,
    private readonly accessTokens: AccessTokenReader,
    private readonly refreshTokens: RefreshTokenReader,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /** @param client absent for a caller that names none: only a token without a client is theirs to revoke. */
  async execute(client: Application | undefined, presented: string): Promise<RevocationResult> {
    const found = await this.#find(this.digester.digest(presented));
    if (found === undefined) return 'unknown';
    if (found.applicationId !== (client?.id ?? null)) return 'of_another_client';
    await this.unitOfWork.execute(({ grants }) => grants.revoke(found.grantId, 'revoked_by_client', this.clock.now()));
    return 'revoked';
  }

  async #find(digest: string): Promise<{ grantId: number; applicationId: number | null } | undefined> {
    const access = await this.accessTokens.findByDigest(digest);
    if (access !== undefined) return { grantId: access.token.grantId, applicationId: access.application?.id ?? null };
    const refresh = await this.refreshTokens.findByDigest(digest);
    return refresh && { grantId: refresh.grant.id, applicationId: refresh.grant.applicationId };
  }
}
