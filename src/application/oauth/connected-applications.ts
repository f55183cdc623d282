import type { RevocationReason } from '../../domain/oauth/grant.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ConnectedApplication, EndedAccess, GrantReader } from './ports/oauth-readers.js';
import type { OAuthRepositories } from './ports/oauth-repositories.js';

export interface Connections {
  readonly connected: readonly ConnectedApplication[];
  readonly ended: readonly EndedAccess[];
}

const SHOWN_ENDS = 20;
/** What people did not do themselves. */
const WORTH_TELLING: readonly RevocationReason[] = ['code_reused', 'refresh_token_reused'];

/** What people see and take back of what they allowed. */
export class ConnectedApplications {
  constructor(
    private readonly unitOfWork: UnitOfWork<Pick<OAuthRepositories, 'authorizationCodes' | 'grants'>>,
    private readonly reader: GrantReader,
    private readonly clock: Clock,
  ) {}

  async of(userId: UserId): Promise<Connections> {
    const [connected, ended] = await Promise.all([
      this.reader.connectionsOf(userId, this.clock.now()),
      this.reader.endedOf(userId, WORTH_TELLING, SHOWN_ENDS),
    ]);
    return { connected, ended };
  }

  /** @param applicationId null for access given by password without a client. */
  async revoke(userId: UserId, applicationId: number | null): Promise<void> {
    await this.unitOfWork.execute(async ({ authorizationCodes, grants }) => {
      // The codes first: a redemption that is under way has then made its grant, or never will.
      if (applicationId !== null) await authorizationCodes.removeUnredeemedOf(userId, applicationId);
      await grants.revokeAllOf(userId, 'revoked_by_user', this.clock.now(), applicationId);
    });
  }
}
