import type { AccessTokens } from '../../application/keys/access-tokens.js';
import type { DeployKeys } from '../../application/keys/deploy-keys.js';
import type { DeployTokens } from '../../application/keys/deploy-tokens.js';
import type { HostKeys } from '../../application/keys/host-keys.js';
import type { Machines } from '../../application/keys/machines.js';
import type { AccessTokenReader } from '../../application/keys/ports/access-token-reader.js';
import type { DeployTokenReader } from '../../application/keys/ports/deploy-token-ports.js';
import type { KeyReader } from '../../application/keys/ports/key-ports.js';
import type { UserKeys } from '../../application/keys/user-keys.js';
import type { TokenUses } from '../../application/shared/token-uses.js';
import { token } from './token.js';

/** What opens repositories beside the tokens of people: SSH keys, deploy keys, deploy tokens. */
export interface KeyUseCases {
  readonly keyReader: KeyReader;
  readonly deployTokenReader: DeployTokenReader;
  readonly accessTokenReader: AccessTokenReader;
  readonly accessTokens: AccessTokens;
  readonly userKeys: UserKeys;
  readonly deployKeys: DeployKeys;
  readonly deployTokens: DeployTokens;
  readonly hostKeys: HostKeys;
  readonly machines: Machines;
  readonly keyUses: TokenUses;
  readonly deployTokenUses: TokenUses;
}

export const KEY_TOKENS = {
  keys: token<KeyUseCases>('KeyUseCases'),
} as const;
