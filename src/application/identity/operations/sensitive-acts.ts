import { hasNobody } from '../../../domain/identity/service-account.js';
import type { SensitiveAct } from '../../../domain/identity/sensitive-act.js';
import { Forbidden, NotFound } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import { ProvedPerson } from '../prove-identity.js';
import { isPrivileged, type Requester } from '../requester.js';
import { redeemProof, type RecordedAct, type SecurityLog, type SecurityLogRepositories } from '../security-log.js';

/** By whom an act may be done: a request, or somebody who has just proved who they are. */
export type ActRequester = Requester | ProvedPerson;

/** @throws Forbidden for who was no administrator when the request came: they are held once more when it is stored. */
export const refuseUnlessPrivileged = (by: ActRequester): void => {
  if (!(by instanceof ProvedPerson) && !isPrivileged(by)) throw new Forbidden();
};

/** What recording an act needs of the transaction that it is done in. */
export type ActRepositories = SecurityLogRepositories;

export interface AccountAct {
  readonly act: SensitiveAct;
  readonly subject: string;
  readonly at: Date;
  readonly clientAddress: string | null;
}

/** Acts of other contexts that decide who gets into an account. */
export class SensitiveActs {
  constructor(private readonly securityLog: SecurityLog) {}

  /** @throws Forbidden for the account of somebody else, unless an administrator asks. */
  refuseForeign(requester: ActRequester, userId: UserId): void {
    if (requester instanceof ProvedPerson) {
      if (requester.userId === userId) return;
    } else if (isPrivileged(requester) || (requester.kind === 'user' && requester.id === userId)) return;
    throw new Forbidden();
  }

  /**
   * Records an act in the transaction that does it, and mails its owner.
   * @throws NotFound "User"; Forbidden for an account of the service; Unauthenticated when the session has ended.
   */
  async record(
    repositories: ActRepositories,
    requester: ActRequester,
    userId: UserId,
    { act, subject, at, clientAddress }: AccountAct,
  ): Promise<void> {
    const user = await repositories.users.find(userId);
    if (user === undefined) throw new NotFound('User');
    if (hasNobody(user))
      throw new Forbidden('This account belongs to the service, or to an access token: nobody gets into it');
    const source =
      requester instanceof ProvedPerson
        ? await redeemProof(repositories, requester)
        : await this.securityLog.sourceOf(repositories, requester, userId, clientAddress);
    await this.securityLog.record(repositories, { user, act, subject, source, at });
  }

  /** The same of the bot of an access token, whom nobody mails. */
  async recordOfBot(
    repositories: ActRepositories,
    requester: Requester,
    bot: RecordedAct['user'],
    { act, subject, at, clientAddress }: AccountAct,
  ): Promise<void> {
    const source = await this.securityLog.sourceOf(repositories, requester, bot.id, clientAddress);
    await this.securityLog.record(repositories, { user: bot, act, subject, source, at });
  }
}
