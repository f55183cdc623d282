import { emailKey } from '../../domain/identity/user.js';
import { INVITATIONS_TO_AN_ADDRESS_AN_HOUR, type SignUpPolicy } from '../../domain/invitations/invitation.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { EmailRepository, UserRepository } from '../identity/ports/user-repository.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import type { Clock } from '../shared/ports/clock.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { InvitationMails } from './invitation-mails.js';
import type { InvitationRepository } from './ports/invitation-ports.js';

interface JobNeeds {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly invitations: InvitationRepository;
  readonly mailQueue: MailQueue;
}

const HOUR_MS = 3_600_000;

/** Accounts for whoever asks, where the installation is open: the first step is a link to the address. */
export class SignUp {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly jobs: JobRequests<{ readonly send_sign_up_link: string }> }>,
    private readonly mails: InvitationMails,
    private readonly clock: Clock,
    private readonly policy: SignUpPolicy,
  ) {}

  get isOpen(): boolean {
    return this.policy === 'open';
  }

  /** Does the same for every address, so that neither the answer nor its time tells whether anybody has it. @throws NotFound. */
  async ask(address: string): Promise<void> {
    if (!this.isOpen) throw new NotFound();
    await this.unitOfWork.execute(({ jobs }) => jobs.enqueue('send_sign_up_link', address, this.clock.now()));
  }

  /** The job: mails a link to create an account, or says that there is one. */
  async send(repositories: JobNeeds, address: string): Promise<void> {
    const at = this.clock.now();
    const link = this.mails.make(at);
    const hourAgo = new Date(at.getTime() - HOUR_MS);
    if ((await repositories.invitations.countTo(address, hourAgo)) >= INVITATIONS_TO_AN_ADDRESS_AN_HOUR) return;
    const owner = await repositories.users.findByEmail(address);
    const own = owner === undefined ? [] : await repositories.emails.ofUser(owner.id);
    const confirmed = own.some((each) => each.confirmedAt !== null && emailKey(each.address) === emailKey(address));
    if (confirmed) await link.tellOfAccount(repositories, address);
    else await link.send(repositories, address, null);
  }
}
