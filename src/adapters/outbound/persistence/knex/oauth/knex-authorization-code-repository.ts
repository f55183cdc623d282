import type {
  AuthorizationCodeRepository,
  NewAuthorizationCode,
} from '../../../../../application/oauth/ports/oauth-repositories.js';
import type { AuthorizationCode } from '../../../../../domain/oauth/authorization-code.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type AuthorizationCodeRow = RowOf<'oauth_authorization_codes'>;

const TABLE = 'oauth_authorization_codes';

const toAuthorizationCode = (row: AuthorizationCodeRow, dialect: Dialect): AuthorizationCode => ({
  id: row.id,
  userId: row.user_id,
  applicationId: row.application_id,
  grantId: row.grant_id,
  redirectUri: row.redirect_uri,
  scopes: row.scopes.split(' ') as Scope[],
  codeChallenge: row.code_challenge,
  nonce: row.nonce,
  authenticatedAt: dialect.readInstant(row.authenticated_at),
  createdAt: dialect.readInstant(row.created_at),
  expiresAt: dialect.readInstant(row.expires_at),
});

export class KnexAuthorizationCodeRepository implements AuthorizationCodeRepository {
  constructor(private readonly session: Session) {}

  async add(code: NewAuthorizationCode): Promise<void> {
    const { query, dialect } = this.session;
    await query(TABLE).insert({
      digest: code.digest,
      user_id: code.userId,
      application_id: code.applicationId,
      redirect_uri: code.redirectUri,
      scopes: code.scopes.join(' '),
      code_challenge: code.codeChallenge,
      nonce: code.nonce,
      authenticated_at: dialect.writeInstant(code.authenticatedAt),
      created_at: dialect.writeInstant(code.createdAt),
      expires_at: dialect.writeInstant(code.expiresAt),
    });
  }

  async take(digest: string): Promise<AuthorizationCode | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query(TABLE).where({ digest }));
    return row && toAuthorizationCode(row, dialect);
  }

  async markRedeemed(id: number, grantId: number): Promise<void> {
    await this.session.query(TABLE).where({ id }).update({ grant_id: grantId });
  }

  async removeUnredeemedOf(userId: UserId, applicationId?: number): Promise<void> {
    const whose = { user_id: userId, ...(applicationId === undefined ? {} : { application_id: applicationId }) };
    await this.session.query(TABLE).where(whose).whereNull('grant_id').delete();
  }
}
