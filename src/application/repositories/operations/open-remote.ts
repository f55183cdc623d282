import type { RemoteAddress, RemoteCredentials } from '../../../domain/shared/remote-url.js';
import type { SecretBox } from '../../shared/ports/secrets.js';
import { RemoteProblem, type SealedRemote } from '../ports/remotes.js';

const UNREADABLE = 'Its user name and password can’t be read any more. Give them anew.';

/** @throws RemoteProblem where the user name and password were sealed under a key that is gone: that concerns nothing else. */
export const openRemote = (box: Pick<SecretBox, 'open'>, { url, sealedCredentials }: SealedRemote): RemoteAddress => {
  if (sealedCredentials === null) return { url, credentials: null };
  try {
    return { url, credentials: JSON.parse(box.open(sealedCredentials)) as RemoteCredentials };
  } catch {
    throw new RemoteProblem(UNREADABLE, false);
  }
};
