import type { UserActor } from '../../../../application/shared/actor.js';
import { Forbidden } from '../../../../domain/shared/domain-error.js';

/**
 * A session that calls the API has proved no password for this call, as the pages ask for it.
 * @throws Forbidden for the session of a browser.
 */
export const refuseSession = ({ credential }: UserActor, doing: string): void => {
  if (credential.kind !== 'session') return;
  throw new Forbidden(`A browser's session can't ${doing} by the API: use the pages, or a personal access token`);
};
