import type { Clock } from '../shared/ports/clock.js';
import type { SharedCounters } from '../shared/ports/shared-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { Mailer, MailRenderer, OutgoingMail, SendOutcome } from '../shared/ports/mailer.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { composeAccessMail, isAccessTemplate, type AccessLinks } from './compose-access-mail.js';
import { composeAccountMail } from './compose-account-mail.js';
import type { ComposeNotification } from './compose-notification.js';
import { mayRead } from './decide-mail.js';
import type { Audience, Person, Topic } from './ports/audience-ports.js';
import type { Cause, CauseRepository } from './ports/cause-ports.js';
import type { MailOutbox, WaitingMail } from './ports/mail-outbox.js';

export interface DeliverMailParts {
  readonly unitOfWork: UnitOfWork<{ readonly mailOutbox: MailOutbox }>;
  readonly audience: Audience;
  readonly causes: Pick<CauseRepository, 'findAll'>;
  readonly mailer: Mailer;
  readonly renderer: MailRenderer;
  readonly composeNotification: ComposeNotification;
  readonly links: AccessLinks;
  /** After the `@` of every `Message-ID`. */
  readonly domain: string;
  readonly clock: Clock;
  readonly counters: SharedCounters;
  readonly logger: Logger;
}

type Delivery = SendOutcome | { readonly outcome: 'withdrawn'; readonly problem: string };

/** What a notification is about, and whom it is for as they are now; without them where they are gone. */
interface Told {
  readonly cause: Cause;
  readonly topic: Topic;
  readonly person: Person | undefined;
}

type Notification = Extract<WaitingMail, { template: 'notification' }>;

/** Longer than any attempt can take: whoever dies in between leaves their mails to the others after that. */
const LEASE_MS = 300_000;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
const AT_ONCE = 10;

/**
 * Sends what waits, at least once each: a mail is leased, sent outside every transaction, and marked. Whoever may no longer read
 * what it tells gets none.
 */
export class DeliverMail {
  #stopping = false;

  constructor(private readonly parts: DeliverMailParts) {}

  /** Starts no further batch. */
  stop(): void {
    this.#stopping = true;
  }

  /** Answers how many were sent. */
  async runDue(): Promise<number> {
    for (let sent = 0; ;) {
      const batch = this.#stopping ? [] : await this.#lease();
      const told = this.#whatIsTold(batch);
      // Each looks again for itself.
      told.catch(() => undefined);
      const outcomes = await Promise.all(batch.map((mail) => this.#deliver(mail, told)));
      sent += outcomes.filter((outcome) => outcome === 'sent').length;
      // A server that takes nothing is asked again at the next round.
      if (batch.length === 0 || outcomes.every((outcome) => outcome === 'postponed')) return sent;
    }
  }

  #lease(): Promise<readonly WaitingMail[]> {
    const now = this.parts.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    return this.parts.unitOfWork.execute(({ mailOutbox }) => mailOutbox.lease(now, until, AT_ONCE), 'repeatable');
  }

  /** What the notifications of a batch tell, by their ids: those of one cause, and causes of one project, share what they have in common. */
  async #whatIsTold(batch: readonly WaitingMail[]): Promise<ReadonlyMap<number, Told>> {
    const { causes, audience, clock } = this.parts;
    const mails = batch.filter((mail) => mail.template === 'notification');
    const found = mails.length === 0 ? [] : await causes.findAll([...new Set(mails.map(({ causeId }) => causeId))]);
    const topics = await audience.topicsOf(found);
    const today = clock.now().toISOString().slice(0, 10);
    const told = new Map<number, Told>();
    for (const cause of found) {
      const topic = topics.get(cause.id);
      if (topic === undefined) continue;
      const ofCause = mails.filter(({ causeId }) => causeId === cause.id);
      const ids = ofCause.map(({ userId }) => userId).sort((one, other) => one - other);
      const people = new Map((await audience.people(cause, topic, ids, today)).map((person) => [person.id, person]));
      for (const { id, userId } of ofCause) told.set(id, { cause, topic, person: people.get(userId) });
    }
    return told;
  }

  /** Where what a batch tells can't be looked up together, one of it is to blame. */
  async #toldBy(mail: Notification, together: Promise<ReadonlyMap<number, Told>>): Promise<Told | undefined> {
    const told = await together.catch(() => this.#whatIsTold([mail]));
    return told.get(mail.id);
  }

  async #deliver(mail: WaitingMail, told: Promise<ReadonlyMap<number, Told>>): Promise<Delivery['outcome']> {
    const delivery = await this.#attempt(mail, told);
    await this.parts.unitOfWork.execute(({ mailOutbox }) => this.#mark(mailOutbox, mail, delivery), 'repeatable');
    this.parts.counters.count('mails_total', { outcome: delivery.outcome });
    this.#log(mail, delivery);
    return delivery.outcome;
  }

  async #attempt(mail: WaitingMail, told: Promise<ReadonlyMap<number, Told>>): Promise<Delivery> {
    try {
      const outgoing =
        mail.template === 'notification'
          ? await this.#notification(mail, await this.#toldBy(mail, told))
          : this.#account(mail);
      return 'outcome' in outgoing ? outgoing : await this.parts.mailer.send(outgoing);
    } catch (error) {
      return { outcome: 'postponed', problem: String(error) };
    }
  }

  #mark(mailOutbox: MailOutbox, { id, attempts }: WaitingMail, delivery: Delivery): Promise<void> {
    if (delivery.outcome !== 'postponed') {
      return mailOutbox.finish(id, delivery.outcome, 'problem' in delivery ? delivery.problem : null);
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
    return mailOutbox.postpone(id, new Date(this.parts.clock.now().getTime() + pause), delivery.problem);
  }

  async #notification(mail: Notification, told: Told | undefined): Promise<OutgoingMail | Delivery> {
    if (told === undefined) return { outcome: 'withdrawn', problem: 'subject_gone' };
    const { cause, topic, person } = told;
    if (person === undefined || !mayRead(person, cause, topic)) return { outcome: 'withdrawn', problem: 'no_access' };
    const addressed = mail.reason === 'mentioned' || (cause.details.added ?? []).includes(person.id);
    if (person.subscribed === false && !addressed) return { outcome: 'withdrawn', problem: 'unsubscribed' };
    const { address } = person;
    if (address === null) return { outcome: 'withdrawn', problem: 'no_address' };
    const { id: mailId, createdAt, reason } = mail;
    return this.parts.composeNotification.compose({
      mailId,
      createdAt,
      cause,
      topic,
      person: { ...person, address },
      reason,
    });
  }

  #account(mail: Exclude<WaitingMail, Notification>): OutgoingMail | Delivery {
    const { id: mailId, createdAt, template, recipient, content } = mail;
    if (content === undefined) return { outcome: 'refused', problem: 'sealed_under_another_key' };
    const { renderer, links, domain } = this.parts;
    const opened = { mailId, createdAt, recipient, content };
    return isAccessTemplate(template)
      ? composeAccessMail(renderer, links, domain, { ...opened, template })
      : composeAccountMail(renderer, domain, { ...opened, template });
  }

  #log({ id, template, attempts }: WaitingMail, delivery: Delivery): void {
    const fields = { mailId: id, template, attempts: attempts + 1 };
    const { logger } = this.parts;
    if (delivery.outcome === 'sent') logger.debug('mail sent', fields);
    else if (delivery.outcome === 'withdrawn') logger.info('mail withdrawn', { ...fields, reason: delivery.problem });
    else logger.warn('mail not sent', { ...fields, outcome: delivery.outcome, problem: delivery.problem });
  }
}
