import { hasNobody } from '../../domain/identity/service-account.js';
import { emailKey, recoveryAddresses } from '../../domain/identity/user.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OneTimeLinkRepositories, OneTimeLinks } from './one-time-links.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';

/** So that whoever asks in the name of others neither floods their mailbox nor replaces their link again and again. */
const NEXT_LINK_AFTER_MS = 5 * 60_000;

type LinkNeeds = OneTimeLinkRepositories & { readonly users: UserRepository; readonly emails: EmailRepository };

/** A link by mail for whoever forgot the password. */
export class ForgottenPassword {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly jobs: JobRequests<{ readonly send_password_link: string }> }>,
    private readonly links: OneTimeLinks,
    private readonly clock: Clock,
  ) {}

  /** Does the same for every address, so that neither the answer nor its time tells whether anybody has it. */
  async ask(address: string): Promise<void> {
    await this.unitOfWork.execute(({ jobs }) => jobs.enqueue('send_password_link', address, this.clock.now()));
  }

  /** The job: mails a link where the address is one for recovery. */
  async send(repositories: LinkNeeds, address: string): Promise<void> {
    const now = this.clock.now();
    const link = this.links.make('reset_password', now);
    const found = await repositories.users.findByEmail(address);
    // Held, so that a new password ends this link or comes before it.
    const user = found && (await repositories.users.take(found.id));
    if (user === undefined || user.state === 'blocked' || hasNobody(user)) return;
    const recovery = recoveryAddresses(await repositories.emails.ofUser(user.id));
    const email = recovery.find((each) => emailKey(each.address) === emailKey(address));
    if (email === undefined) return;
    const rest = new Date(now.getTime() - NEXT_LINK_AFTER_MS);
    if (!(await repositories.oneTimeTokens.hasSince(user.id, 'reset_password', rest)))
      await link.send(repositories, user, email);
  }
}
