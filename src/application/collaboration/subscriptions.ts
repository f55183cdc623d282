import { mentionedNames } from '../../domain/collaboration/mentions.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { SubjectDetails } from './ports/subject-ports.js';
import type { SubscriptionReader, SubscriptionRepository } from './ports/subscription-ports.js';

/** The subject, as far as it matters who takes part in it. */
export type SubjectWithPeople = Pick<SubjectDetails, 'id' | 'description' | 'authorId'> & {
  readonly assignees: readonly { readonly id: UserId }[];
};

export interface Subscriber {
  readonly id: UserId;
  readonly username: string;
}

const SEARCHED_TEXTS = 200;

/** Who is told about a subject: whoever takes part in it until they say otherwise, and whoever asks to be. */
export class Subscriptions {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly subscriptions: SubscriptionRepository }>,
    private readonly reader: SubscriptionReader,
    private readonly clock: Clock,
  ) {}

  async isSubscribed(user: Subscriber, subject: SubjectWithPeople): Promise<boolean> {
    return (await this.reader.find(subject.id, user.id)) ?? this.#takesPart(user, subject);
  }

  /** False when it is so already: of many who ask for one person at once, one is told that it was not. */
  async change(user: Subscriber, subject: SubjectWithPeople, subscribed: boolean): Promise<boolean> {
    if ((await this.isSubscribed(user, subject)) === subscribed) return false;
    const now = this.clock.now();
    const said = await this.unitOfWork.execute(({ subscriptions }) =>
      subscriptions.save(subject.id, user.id, subscribed, now),
    );
    return said !== 'same';
  }

  async #takesPart({ id, username }: Subscriber, subject: SubjectWithPeople): Promise<boolean> {
    if (subject.authorId === id || subject.assignees.some((assignee) => assignee.id === id)) return true;
    if (await this.reader.hasCommented(subject.id, id)) return true;
    const texts = [subject.description, ...(await this.reader.commentsNaming(subject.id, username, SEARCHED_TEXTS))];
    return texts.some((text) => mentionedNames(text).includes(username.toLowerCase()));
  }
}
