import { awardName } from '../../../domain/collaboration/award.js';
import type { ActionName, QuickAction } from '../../../domain/collaboration/quick-action.js';
import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import { Invalid, NotFound } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { DomainEvents, SubjectFacts } from '../../shared/domain-events.js';
import type { ActionOutcome } from '../ports/action-ports.js';
import type { AwardRepository, IsEmoji } from '../ports/award-ports.js';
import type { SubscriptionRepository } from '../ports/subscription-ports.js';
import { askPeople, finishTodos, type TodoRepositories } from './todos.js';
import { estimate, resetSpent, spend, trackTime, type TimeChange, type TimeRepositories } from './track-time.js';

/** What the operations need of the caller's unit of work. */
export interface CommonActionRepositories extends TodoRepositories, TimeRepositories {
  readonly awards: AwardRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly events: DomainEvents;
}

/** What something is done to, and by whom. */
export interface Acting {
  readonly subject: SubjectFacts;
  /** The level of whoever acts, in its project. */
  readonly level: number;
  readonly by: UserId;
  readonly at: Date;
  readonly isEmoji: IsEmoji;
}

export const done = (message: string, changes: ActionOutcome['changes'] = {}): ActionOutcome => ({
  done: true,
  message,
  changes,
});

export const notDone = ({ name }: Pick<QuickAction, 'name'>, why: string): ActionOutcome => ({
  done: false,
  message: `Could not apply /${name}: ${why}`,
  hindrance: why,
  changes: {},
});

export const NOT_ALLOWED = 'you don’t have permission.';

type Apply = (repositories: CommonActionRepositories, acting: Acting, action: QuickAction) => Promise<ActionOutcome>;

/** Refused before anything is written. */
const orTold = async (action: QuickAction, work: () => Promise<ActionOutcome>): Promise<ActionOutcome> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Invalid) return notDone(action, Object.values(error.problems).flat().join(' '));
    if (error instanceof NotFound) return notDone(action, `${error.subject ?? 'it is not there'}.`);
    throw error;
  }
};

const time =
  (change: (argument: string) => TimeChange, tell: (argument: string) => ActionOutcome): Apply =>
  async (repositories, { subject, level, by, at }, action) => {
    if (level < ACCESS_LEVEL.reporter) return notDone(action, NOT_ALLOWED);
    return orTold(action, async () => {
      await trackTime(repositories, subject.id, change(action.argument), { by, at });
      return tell(action.argument);
    });
  };

const subscribe =
  (subscribed: boolean): Apply =>
  async ({ subscriptions }, { subject, by, at }, action) => {
    if ((await subscriptions.save(subject.id, by, subscribed, at)) === 'same')
      return notDone(action, subscribed ? 'you are subscribed already.' : 'you are not subscribed.');
    return subscribed
      ? done('Subscribed.', { subscription_event: 'subscribe' })
      : done('Unsubscribed.', { subscription_event: 'unsubscribe' });
  };

const markTodo: Apply = async (repositories, { subject, by, at }, action) => {
  const todo = { userId: by, subjectId: subject.id, noteId: null, authorId: by, action: 'marked' } as const;
  const [id] = await askPeople(repositories, [todo], at);
  if (id === undefined) return notDone(action, 'it is on your list of to-dos already.');
  return done('Added a to-do.', { todo_event: 'add' });
};

const finishTodo: Apply = async (repositories, { subject, by, at }) => {
  await finishTodos(repositories, by, subject.id, at);
  return done('Marked your to-dos as done.', { todo_event: 'done' });
};

const award: Apply = ({ awards, events }, { subject, by, at, isEmoji }, action) => {
  const name = awardName(action.argument);
  if (!isEmoji(name)) return Promise.resolve(notDone(action, 'there is no such emoji.'));
  return orTold(action, async () => {
    await awards.add({ subjectId: subject.id, noteId: null }, { name, userId: by, at });
    await events.publish({ kind: 'award_given', subject, by, at });
    return done(`Gave :${name}:.`, { emoji_award: name });
  });
};

const APPLY: Readonly<Partial<Record<ActionName, Apply>>> = {
  estimate: time(estimate, (argument) => done(`Set the time estimate to ${argument}.`, { time_estimate: argument })),
  spend: time(spend, (argument) => done(`Added ${argument} of time spent.`, { spend_time: { duration: argument } })),
  remove_estimate: time(
    () => estimate('0'),
    () => done('Removed the time estimate.', { time_estimate: 0 }),
  ),
  remove_time_spent: time(
    () => resetSpent,
    () => done('Removed the time spent.', { spend_time: { duration: 'reset' } }),
  ),
  subscribe: subscribe(true),
  unsubscribe: subscribe(false),
  todo: markTodo,
  done: finishTodo,
  award,
};

/** Does what a quick action asks for, where every kind of subject knows it; within the caller's unit of work. Undefined elsewhere. */
export const applyCommonAction = async (
  repositories: CommonActionRepositories,
  acting: Acting,
  action: QuickAction,
): Promise<ActionOutcome | undefined> => APPLY[action.name]?.(repositories, acting, action);
