import { Forbidden, NotFound, Unauthenticated } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { UserActor } from '../../shared/actor.js';
import type { CredentialRepository } from '../ports/credential-repository.js';
import { ProvedPerson } from '../prove-identity.js';
import { isPrivileged, type Requester } from '../requester.js';
import { holdSession, type HeldSessionNeeds } from './hold-session.js';
import type { ActRequester } from './sensitive-acts.js';

/** What holding an administrator needs of a transaction. */
export interface HeldAdministratorNeeds extends HeldSessionNeeds {
  readonly credentials: CredentialRepository;
}

/**
 * The one place that keeps this rule: what administrators alone do is stored by whoever is one still, and by a session or token that is
 * good still. They may have lost either while a password was hashed. Every such work calls this first; the lock is the rows of all active
 * administrators and of the account that it is about, and the session or the token.
 *
 * @returns who asks, as they are now.
 * @throws Forbidden for who is not an administrator any more or has been blocked, with sudo the one behind it too, and for a session at the
 * API, which has proved nothing; NotFound instead for somebody on the pages, where those of administrators don't exist for others;
 * Unauthenticated when the session or the token has ended.
 */
export const holdAdministrator = async (
  repositories: HeldAdministratorNeeds,
  by: ActRequester,
  { now, about }: { readonly now: Date; readonly about?: UserId },
): Promise<Requester> => {
  if (by instanceof ProvedPerson) return holdProved(repositories, by, about);
  if (!isPrivileged(by)) throw new Forbidden();
  if (by.kind !== 'user') return by;
  return holdByToken(repositories, by, now, about);
};

const holdProved = async (
  repositories: HeldAdministratorNeeds,
  person: ProvedPerson,
  about: UserId = person.userId,
): Promise<UserActor> => {
  const id = person.userId;
  const now = await administratorsNow(repositories, about);
  await holdSession(repositories, person);
  const username = now.get(id);
  if (username === undefined) throw new NotFound();
  return { kind: 'user', id, username, admin: true, credential: { kind: 'session' } };
};

const holdByToken = async (
  repositories: HeldAdministratorNeeds,
  actor: UserActor,
  at: Date,
  about: UserId = actor.id,
): Promise<UserActor> => {
  const { id, impersonator = id, credential } = actor;
  if (credential.kind === 'session') throw new Forbidden();
  const now = await administratorsNow(repositories, about);
  if (!now.has(id) || !now.has(impersonator)) throw new Forbidden();
  if (!(await repositories.credentials.hold(credential, at))) throw new Unauthenticated();
  return actor;
};

/** Locked before sessions and tokens, as by a new password. */
const administratorsNow = async (
  { users }: HeldAdministratorNeeds,
  about: UserId,
): Promise<ReadonlyMap<UserId, string>> => {
  const taken = await users.takeWithAdministrators(about);
  const active = taken.filter(({ admin, state }) => admin && state === 'active');
  return new Map(active.map(({ id, username }) => [id, username]));
};
