import type { Applications } from '../../application/oauth/applications.js';
import type { ApplicationReader } from '../../application/oauth/ports/application-repository.js';

/** The applications that may ask people for access. */
export interface OAuthUseCases {
  readonly applications: Applications;
  readonly applicationReader: ApplicationReader;
}
