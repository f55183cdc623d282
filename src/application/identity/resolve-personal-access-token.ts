import { tokenState } from '../../domain/identity/personal-access-token.js';
import type { TokenUses } from '../shared/token-uses.js';
import type { PersonalAccessTokenReader } from './ports/identity-readers.js';
import type { ResolvedToken, TokenDigest, TokenResolver } from './ports/token-resolver.js';

/** Personal access tokens, which may be sent in any way. */
export class ResolvePersonalAccessToken implements TokenResolver {
  constructor(
    private readonly reader: PersonalAccessTokenReader,
    private readonly uses: TokenUses,
  ) {}

  async resolve({ digest }: TokenDigest, now: Date): Promise<ResolvedToken | undefined> {
    const found = await this.reader.findByDigest(digest);
    if (found === undefined) return undefined;
    const { token, owner } = found;
    return {
      owner,
      credential: { kind: 'personal_access_token', id: token.id, scopes: token.scopes },
      state: tokenState(token, now),
      noteUse: () => this.uses.record(token.id, token.lastUsedAt, now),
    };
  }
}
