import type { CredentialRepository } from '../../../../../application/identity/ports/credential-repository.js';
import type { Credential } from '../../../../../application/shared/actor.js';
import { tokenState } from '../../../../../domain/identity/personal-access-token.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import { toPersonalAccessToken, type PersonalAccessTokenRow } from './personal-access-token-row.js';

export class KnexCredentialRepository implements CredentialRepository {
  constructor(private readonly session: Session) {}

  hold({ kind, id }: Exclude<Credential, { kind: 'session' }>, now: Date): Promise<boolean> {
    return kind === 'oauth' ? this.#holdConsent(id, now) : this.#holdPersonal(id, now);
  }

  async #holdPersonal(id: number, now: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('personal_access_tokens').where({ id }))) as PersonalAccessTokenRow[];
    return row !== undefined && tokenState(toPersonalAccessToken(row, dialect), now) === 'active';
  }

  async #holdConsent(id: number, now: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const itsGrant = query('oauth_access_tokens').where({ id }).select('grant_id');
    const grants = query('oauth_grants').whereIn('id', itsGrant).whereNull('revoked_at').select('id');
    if ((await dialect.lockRows(grants)).length === 0) return false;
    const token = await query('oauth_access_tokens').where({ id }).whereNull('revoked_at').first('expires_at');
    if (token === undefined) return false;
    const expiresAt = readInstantOrNull(dialect, token.expires_at);
    return expiresAt === null || expiresAt > now;
  }
}
