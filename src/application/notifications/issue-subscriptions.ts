import { mentionedNames } from '../../domain/notifications/mentions.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { SubscriptionReader, SubscriptionRepository } from './ports/subscription-ports.js';

/** The issue, as far as it matters who takes part in it. */
export interface IssueWithPeople {
  readonly id: number;
  readonly authorId: UserId | null;
  readonly assignees: readonly { readonly id: UserId }[];
}

export interface Subscriber {
  readonly id: UserId;
  readonly username: string;
}

const SEARCHED_TEXTS = 200;

/** Who is told about an issue: whoever takes part in it until he says otherwise, and whoever asks to be. */
export class IssueSubscriptions {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly subscriptions: SubscriptionRepository }>,
    private readonly reader: SubscriptionReader,
    private readonly clock: Clock,
  ) {}

  async isSubscribed(user: Subscriber, issue: IssueWithPeople): Promise<boolean> {
    return (await this.reader.find(issue.id, user.id)) ?? this.#takesPart(user, issue);
  }

  /** False when it is so already. */
  async change(user: Subscriber, issue: IssueWithPeople, subscribed: boolean): Promise<boolean> {
    if ((await this.isSubscribed(user, issue)) === subscribed) return false;
    await this.set(user.id, issue.id, subscribed);
    return true;
  }

  async set(userId: UserId, issueId: number, subscribed: boolean): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(({ subscriptions }) => subscriptions.save(issueId, userId, subscribed, now));
  }

  async #takesPart({ id, username }: Subscriber, issue: IssueWithPeople): Promise<boolean> {
    if (issue.authorId === id || issue.assignees.some((assignee) => assignee.id === id)) return true;
    if (await this.reader.hasCommented(issue.id, id)) return true;
    const texts = await this.reader.textsNaming(issue.id, username, SEARCHED_TEXTS);
    return texts.some((text) => mentionedNames(text).includes(username.toLowerCase()));
  }
}
