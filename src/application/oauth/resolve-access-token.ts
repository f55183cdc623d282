import { accessTokenState } from '../../domain/oauth/access-token.js';
import type { ResolvedToken, TokenDigest, TokenResolver } from '../identity/ports/token-resolver.js';
import type { TokenUses } from '../shared/token-uses.js';
import type { AccessTokenReader } from './ports/oauth-readers.js';

/** The access tokens of applications, which are bearers. */
export class ResolveAccessToken implements TokenResolver {
  constructor(
    private readonly reader: AccessTokenReader,
    private readonly uses: TokenUses,
  ) {}

  async resolve({ digest, kind }: TokenDigest, now: Date): Promise<ResolvedToken | undefined> {
    const found = kind === 'bearer' ? await this.reader.findActing(digest) : undefined;
    if (found === undefined) return undefined;
    const { token, owner, grantLastUsedAt } = found;
    return {
      owner,
      credential: { kind: 'oauth', id: token.id, scopes: token.scopes },
      state: accessTokenState(token, now),
      noteUse: () => this.uses.record(token.grantId, grantLastUsedAt, now),
    };
  }
}
