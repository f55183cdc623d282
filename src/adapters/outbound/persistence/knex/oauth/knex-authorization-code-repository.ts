import type { Knex } from 'knex';
import type { AuthorizationCodeReader, PresentedCode } from '../../../../../application/oauth/ports/oauth-readers.js';
import type {
  AuthorizationCodeRepository,
  CodeHolder,
  NewAuthorizationCode,
} from '../../../../../application/oauth/ports/oauth-repositories.js';
import type { AuthorizationCode } from '../../../../../domain/oauth/authorization-code.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import type { FindFirst, Session } from '../session.js';
import type { RowOf } from '../tables.js';
import {
  CLAIMED_PERSON,
  JOIN_ADDRESS,
  SELECT_CLAIMED_PERSON,
  toClaimedPerson,
  type ClaimedPersonRow,
} from './claimed-person-row.js';

type AuthorizationCodeRow = Omit<RowOf<'oauth_authorization_codes'>, 'digest'>;
type HolderRow = ClaimedPersonRow & { readonly state: UserState; readonly application_name: string };

const TABLE = 'oauth_authorization_codes';

type PresentedRow = AuthorizationCodeRow & HolderRow;

const COLUMNS = [
  'id',
  'user_id',
  'application_id',
  'grant_id',
  'redirect_uri',
  'scopes',
  'code_challenge',
  'nonce',
  'authenticated_at',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof AuthorizationCodeRow)[];
const FIND = `select ${COLUMNS.join(', ')} from ${TABLE} where digest = ?`;
const FIND_HOLDER = `select ${SELECT_CLAIMED_PERSON}, person.state, application.name as application_name from ${TABLE} code
  join users person on person.id = code.user_id join oauth_applications application on application.id = code.application_id
  ${JOIN_ADDRESS} where code.digest = ?`;

const toHolder = (row: HolderRow, dialect: Dialect): CodeHolder => ({
  ...toClaimedPerson(row, dialect),
  state: row.state,
  applicationName: row.application_name,
});

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
    const { dialect } = this.session;
    const [row] = await this.session.run<AuthorizationCodeRow>(`${FIND} ${dialect.rowLock}`, [digest]);
    return row && toAuthorizationCode(row, dialect);
  }

  async holderOf(digest: string): Promise<CodeHolder | undefined> {
    const [row] = await this.session.run<HolderRow>(FIND_HOLDER, [digest]);
    return row && toHolder(row, this.session.dialect);
  }

  async removeUnredeemedOf(userId: UserId, applicationId?: number): Promise<void> {
    const whose = { user_id: userId, ...(applicationId === undefined ? {} : { application_id: applicationId }) };
    await this.session.query(TABLE).where(whose).whereNull('grant_id').delete();
  }
}

const findPresented = (query: Knex, digest: Knex.Value) =>
  query({ code: TABLE })
    .join({ person: 'users' }, 'person.id', 'code.user_id')
    .join({ application: 'oauth_applications' }, 'application.id', 'code.application_id')
    .joinRaw(JOIN_ADDRESS)
    .where('code.digest', digest)
    .select(...COLUMNS.map((column) => `code.${column}` as const), {
      ...CLAIMED_PERSON,
      state: 'person.state',
      application_name: 'application.name',
    });

export class KnexAuthorizationCodeReader implements AuthorizationCodeReader {
  readonly #find: FindFirst<PresentedRow>;

  constructor(private readonly session: Session) {
    this.#find = session.prepare('text', findPresented);
  }

  async findPresented(digest: string): Promise<PresentedCode | undefined> {
    const row = await this.#find(digest);
    const { dialect } = this.session;
    return row && { code: toAuthorizationCode(row, dialect), holder: toHolder(row, dialect) };
  }
}
