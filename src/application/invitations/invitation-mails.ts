import { INVITATION_LASTS_MS, type InvitedMembership } from '../../domain/invitations/invitation.js';
import type { SharedCounters } from '../shared/ports/shared-counters.js';
import type { MailQueue, QueuedMail, StrangerTemplate } from '../shared/ports/mail-queue.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { InvitationRepository } from './ports/invitation-ports.js';

interface Needs {
  readonly invitations: InvitationRepository;
  readonly mailQueue: MailQueue;
}

/** What the mail of an invitation says beside its link. */
export interface InvitationWords {
  readonly inviter: string;
  readonly place: string;
  readonly role: string;
}

/** An invitation that is not sent yet: its secret is made before the transaction, and stored and mailed inside it. */
export interface UnsentInvitation {
  send(
    repositories: Needs,
    address: string,
    membership: InvitedMembership | null,
    words?: InvitationWords,
  ): Promise<void>;
  /** Tells whoever reads the address that it belongs to an account. It counts as an invitation, and nobody gets its link. */
  tellOfAccount(repositories: Needs, address: string): Promise<void>;
}

/** Mails to addresses that need not belong to anybody yet. */
export class InvitationMails {
  constructor(
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly baseUrl: () => string,
    private readonly counters: SharedCounters,
  ) {}

  make(createdAt: Date): UnsentInvitation {
    const token = this.secrets.token();
    const digest = this.digester.digest(token);
    const store = async ({ invitations }: Needs, address: string, membership: InvitedMembership | null) => {
      const lasts = membership === null ? INVITATION_LASTS_MS.asked : INVITATION_LASTS_MS.invited;
      const expiresAt = new Date(createdAt.getTime() + lasts);
      await invitations.add({ address, membership, createdAt, expiresAt, digest });
      return { recipient: address, createdAt, expiresAt };
    };
    return {
      send: async (repositories, address, membership, words) => {
        const mail = await store(repositories, address, membership);
        const link = `${this.baseUrl()}/users/invitation?invitation_token=${token}`;
        const template = membership === null ? 'sign_up' : 'invitation';
        await this.#enqueue(repositories, { ...mail, template, content: { ...words, link } });
      },
      tellOfAccount: async (repositories, address) => {
        const mail = await store(repositories, address, null);
        const content = { link: `${this.baseUrl()}/users/sign_in` };
        await this.#enqueue(repositories, { ...mail, template: 'already_signed_up', content });
      },
    };
  }

  async #enqueue(
    { mailQueue }: Pick<Needs, 'mailQueue'>,
    mail: QueuedMail & { readonly template: StrangerTemplate },
  ): Promise<void> {
    await mailQueue.enqueue(mail);
    this.counters.count('mails_queued_total', { template: mail.template });
  }
}
