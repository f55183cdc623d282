import type { EmailAddress, User } from '../../domain/identity/user.js';
import type { SharedCounters } from '../shared/ports/shared-counters.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { OneTimePurpose, OneTimeTokenRepository } from './ports/one-time-token-repository.js';

const HOUR_MS = 3_600_000;
const LIFETIME_MS: Readonly<Record<OneTimePurpose, number>> = {
  confirm_email: 72 * HOUR_MS,
  reset_password: 6 * HOUR_MS,
};
const PATHS: Readonly<Record<OneTimePurpose, string>> = {
  confirm_email: '/users/confirmation?confirmation_token=',
  reset_password: '/users/password/edit?reset_password_token=',
};

export interface OneTimeLinkRepositories {
  readonly oneTimeTokens: OneTimeTokenRepository;
  readonly mailQueue: MailQueue;
}

/** A link that is not sent yet: its secret is made before the transaction, and stored and mailed inside it. */
export interface OneTimeLink {
  send(
    repositories: OneTimeLinkRepositories,
    user: Pick<User, 'id' | 'name' | 'username'>,
    email: Pick<EmailAddress, 'id' | 'address'>,
  ): Promise<void>;
}

/** Links that prove who reads an address. The newest of a purpose replaces those before it. */
export class OneTimeLinks {
  constructor(
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly baseUrl: () => string,
    private readonly counters: SharedCounters,
  ) {}

  make(purpose: OneTimePurpose, now: Date): OneTimeLink {
    const token = this.secrets.token();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose]);
    return {
      send: async ({ oneTimeTokens, mailQueue }, user, email) => {
        if (purpose === 'reset_password') await oneTimeTokens.removeAllOf(user.id, purpose);
        await oneTimeTokens.add({
          purpose,
          userId: user.id,
          emailId: email.id,
          digest: this.digester.digest(token),
          createdAt: now,
          expiresAt,
        });
        const content = { name: user.name, username: user.username, link: this.baseUrl() + PATHS[purpose] + token };
        await mailQueue.enqueue({ recipient: email.address, template: purpose, content, createdAt: now, expiresAt });
        this.counters.count('mails_queued_total', { template: purpose });
      },
    };
  }
}
