import type { PersonalAccessToken } from '../../domain/identity/personal-access-token.js';
import { hasNobody } from '../../domain/identity/service-account.js';
import { BadRequest, Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { IdentityCounters } from './ports/identity-counters.js';
import type { PersonalAccessTokenReader } from './ports/identity-readers.js';
import type { ActSource } from './ports/security-event-repository.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Secrecy } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import {
  checkToken,
  endSuccessor,
  endToken,
  lastDayOfRotated,
  refuseApplication,
  refuseMoreThanOwn,
  refuseSudoOf,
  replaceToken,
  type CreatedToken,
  type RotationNeeds,
  type TakenOwner,
  type TokenFields,
} from './operations/token-works.js';
import { ProvedPerson } from './prove-identity.js';
import { isPrivileged, type Requester } from './requester.js';
import { redeemProof, type SecurityLog } from './security-log.js';

export interface CreateTokenCommand extends TokenFields {
  readonly userId: UserId;
}

export interface RotateTokenCommand {
  readonly tokenId: number;
  /** UTC day on which the new one stops working; a week from now where it is not said. */
  readonly expiresAt?: string;
  readonly clientAddress: string | null;
}

/** A token that was used after another one had taken its place. */
interface UsedToken {
  readonly old: PersonalAccessToken;
  readonly owner: TakenOwner;
  readonly source: ActSource;
  readonly at: Date;
}

const USED_AGAIN =
  'A personal access token that had been rotated was to be rotated again, so the one in its place was revoked';

/** Making and revoking personal access tokens. */
export class PersonalAccessTokens {
  constructor(
    private readonly unitOfWork: UnitOfWork<RotationNeeds>,
    private readonly securityLog: SecurityLog,
    private readonly secrecy: Secrecy,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
    private readonly reader: Pick<PersonalAccessTokenReader, 'findByDigest'>,
  ) {}

  /**
   * @param clientAddress where the requester is, for the owner to know.
   * @throws Forbidden when the requester may not make tokens for that user, behind whom there may be no person, or asks for more than their
   * own token can do; Invalid naming every problem; NotFound when there is no such user.
   */
  async create(
    requester: Requester | ProvedPerson,
    command: CreateTokenCommand,
    clientAddress: string | null = null,
  ): Promise<CreatedToken> {
    refuseForeign(requester, command.userId);
    if (!(requester instanceof ProvedPerson)) refuseMoreThanOwn(requester, command.scopes);
    const now = this.clock.now();
    checkToken(command, now);
    const secret = this.secrecy.secrets.token();
    const digest = this.secrecy.digester.digest(secret);
    const token = await this.unitOfWork.execute(async (repositories) => {
      const owner = await repositories.users.find(command.userId);
      if (owner === undefined) throw new NotFound('User');
      if (hasNobody(owner))
        throw new Forbidden('This account belongs to the service, or to an access token, and has no further tokens');
      refuseSudoOf(owner, command.scopes);
      const source = await this.#sourceOf(repositories, requester, owner.id, clientAddress);
      const act = { user: owner, act: 'make_token', subject: command.name, source, at: now } as const;
      await this.securityLog.record(repositories, act);
      return repositories.personalAccessTokens.add({ ...command, digest, createdAt: now });
    });
    this.counters.count('tokens_issued_total', { grant: 'personal_access_token' });
    return { ...token, secret };
  }

  /**
   * Makes a token of the same name and scopes in the place of one, which ends with it. One that was revoked already is refused, and takes
   * with it what has come of it: of the two that know it one has stolen it.
   *
   * @throws NotFound when there is no such token, or it belongs to somebody else; Forbidden for an application, and for a token that can
   * do less; BadRequest for a token that has ended; Invalid for the day; Unauthenticated when the session of a person has ended.
   */
  async rotate(
    requester: Requester | ProvedPerson,
    { tokenId, expiresAt, clientAddress }: RotateTokenCommand,
  ): Promise<CreatedToken> {
    if (!(requester instanceof ProvedPerson)) refuseApplication(requester, 'rotate personal access tokens');
    const now = this.clock.now();
    const lastsUntil = lastDayOfRotated(expiresAt, now);
    const secret = this.secrecy.secrets.token();
    const digest = this.secrecy.digester.digest(secret);
    const token = await this.unitOfWork.execute(async (repositories) => {
      const { personalAccessTokens, users } = repositories;
      const old = await personalAccessTokens.find(tokenId);
      if (old === undefined || !mayManage(requester, old)) throw new NotFound();
      if (!(requester instanceof ProvedPerson)) refuseMoreThanOwn(requester, old.scopes);
      // Whoever sets a new password meanwhile ends the new token, too.
      const owner = await users.take(old.userId);
      if (owner === undefined) throw new NotFound();
      const record = async () => {
        const source = await this.#sourceOf(repositories, requester, owner.id, clientAddress);
        const act = { user: owner, act: 'rotate_token', subject: old.name, source, at: now } as const;
        await this.securityLog.record(repositories, act);
      };
      const made = await replaceToken(repositories, { old, owner, digest, lastsUntil, record, at: now });
      if (made === 'successor_ended') {
        const source = await this.#sourceOf(repositories, requester, owner.id, clientAddress);
        await this.#tellOfUse(repositories, { old, owner, source, at: now });
      }
      return made;
    });
    if (typeof token === 'string') throw new BadRequest('Token already revoked');
    this.counters.count('tokens_issued_total', { grant: 'personal_access_token' });
    return { ...token, secret };
  }

  #sourceOf(
    repositories: RotationNeeds,
    requester: Requester | ProvedPerson,
    ownerId: UserId,
    clientAddress: string | null,
  ): Promise<ActSource> {
    return requester instanceof ProvedPerson
      ? redeemProof(repositories, requester)
      : this.securityLog.sourceOf(repositories, requester, ownerId, clientAddress);
  }

  /** A token that was refused asked to be rotated by itself: where another one has taken its place, that one ends. */
  async endSuccessorOf(secret: string): Promise<void> {
    const found = await this.reader.findByDigest(this.secrecy.digester.digest(secret));
    // What was never a token waits for no turn to write.
    if (found === undefined || found.token.revokedAt === null) return;
    const { token } = found;
    await this.unitOfWork.execute(async (repositories) => {
      const owner = await repositories.users.take(token.userId);
      const at = this.clock.now();
      if (owner === undefined || (await endSuccessor(repositories, token, owner, at)) === 'nothing_ended') return;
      const source = { means: 'personal_access_token', name: token.name, clientAddress: null } as const;
      await this.#tellOfUse(repositories, { old: token, owner, source, at });
    });
  }

  /** Who has a token stolen finds it ended, and learns why. */
  async #tellOfUse(repositories: RotationNeeds, { old, owner, source, at }: UsedToken): Promise<void> {
    const told = `${USED_AGAIN}: ${old.name}`;
    await this.securityLog.tell(repositories, { user: owner, told, source, at });
  }

  /** @throws NotFound when there is no such token, or it belongs to somebody else. */
  async revoke(requester: Requester, tokenId: number): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const token = await repositories.personalAccessTokens.find(tokenId);
      if (token === undefined || !mayManage(requester, token)) throw new NotFound();
      const owner = await repositories.users.take(token.userId);
      if (owner !== undefined) await endToken(repositories, token, owner, now);
    });
  }
}

const mayManage = (requester: Requester | ProvedPerson, { userId }: PersonalAccessToken): boolean => {
  if (requester instanceof ProvedPerson) return requester.userId === userId;
  return isPrivileged(requester) || (requester.kind === 'user' && userId === requester.id);
};

const refuseForeign = (requester: Requester | ProvedPerson, userId: UserId): void => {
  if (requester instanceof ProvedPerson) {
    if (requester.userId === userId) return;
    throw new Forbidden();
  }
  if (isPrivileged(requester) || (requester.kind === 'user' && requester.id === userId)) return;
  throw new Forbidden();
};
