import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { KeyReader } from '../../../../application/keys/ports/key-ports.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import { isExpired } from '../../../../domain/keys/ssh-key.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { isStorable } from '../validation/storable-text.js';
import type { WebUrls } from '../web-urls.js';
import type { Pages } from './page.js';

interface Parts {
  readonly users: Pick<UserReader, 'findByUsername'>;
  readonly keyReader: Pick<KeyReader, 'listOfUser'>;
  readonly clock: Clock;
  readonly urls: WebUrls;
}

const MOST_KEYS = 1_000;

/**
 * The SSH keys of a person as `authorized_keys` has them, for programs that let them in elsewhere: those alone that open something here.
 * The comment is their username, whose characters end no line.
 */
export const addPublicKeysFile = (pages: Pages, { users, keyReader, clock, urls }: Parts): void => {
  pages.get(/^\/(?<username>[^/]+)\.keys$/, 'anyone', async ({ request, response }) => {
    const username = String(request.params['username']);
    const person = isStorable(username) ? await users.findByUsername(username) : undefined;
    if (person === undefined) throw new NotFound('User');
    const { items } = await keyReader.listOfUser(person.id, { page: 1, perPage: MOST_KEYS });
    const now = clock.now();
    const good = person.state === 'active' ? items.filter((key) => !isExpired(key, now)) : [];
    const comment = `${person.username} (${urls.hostname()})`;
    response.set({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
    response.send(good.map(({ publicKey }) => `${publicKey} ${comment}\n`).join(''));
  });
};
