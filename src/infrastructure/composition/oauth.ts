import type { Applications } from '../../application/oauth/applications.js';
import type { SigningKeys } from '../../application/oauth/signing-keys.js';
import type { ApplicationReader } from '../../application/oauth/ports/application-repository.js';

/** The applications that may ask people for access, and the keys that sign what they get. */
export interface OAuthUseCases {
  readonly applications: Applications;
  readonly applicationReader: ApplicationReader;
  readonly signingKeys: SigningKeys;
}
