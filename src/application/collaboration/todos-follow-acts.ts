import type { UserId } from '../../domain/shared/identifiers.js';
import type { DomainEvent, SetFollower } from '../shared/domain-events.js';
import { together } from '../shared/together.js';
import type { TodoRepositories } from './operations/todos.js';

const ACTS_ON_MERGE_REQUESTS: ReadonlySet<DomainEvent['kind']> = new Set([
  'merge_request_closed',
  'merge_request_reopened',
  'merge_request_merged',
  'merge_request_approved',
  'merge_request_pushed',
]);

/** Whoever acts on a subject has done what they were asked for, and who is no longer assigned need not do it. */
export const todosFollowActs: SetFollower<TodoRepositories> = {
  follow: async (events, { todos }) => {
    const acts = actsOf(events).map(({ by, at, subjectIds }) => todos.finish([by], subjectIds, at));
    await together([...acts, ...events.map((event) => finishRemoved(event, { todos }))]);
  },
};

const finishRemoved = async (event: DomainEvent, { todos }: TodoRepositories): Promise<void> => {
  if (event.kind === 'issue_reassigned') await todos.finish(event.removed, [event.issue.id], event.at, ['assigned']);
  if (event.kind === 'merge_request_reassigned' || event.kind === 'merge_request_reviewers_chosen')
    await todos.finish(event.removed, [event.mergeRequest.id], event.at, ['assigned', 'review_requested']);
};

interface Acts {
  readonly by: UserId;
  readonly at: Date;
  readonly subjectIds: number[];
}

/** Who acted on which subjects, those of one moment together. */
const actsOf = (events: readonly DomainEvent[]): readonly Acts[] => {
  const acts = new Map<string, Acts>();
  for (const event of events) {
    const subjectId = subjectOf(event);
    if (subjectId === undefined || !('by' in event) || event.by === null) continue;
    const { by, at } = event;
    const key = `${by} ${at.getTime()}`;
    const known = acts.get(key);
    if (known === undefined) acts.set(key, { by, at, subjectIds: [subjectId] });
    else known.subjectIds.push(subjectId);
  }
  return [...acts.values()];
};

/** The subject that was acted on. */
const subjectOf = (event: DomainEvent): number | undefined => {
  if (event.kind === 'note_added' || event.kind === 'award_given') return event.subject.id;
  if (event.kind === 'issue_closed' || event.kind === 'issue_reopened') return event.issue.id;
  return 'mergeRequest' in event && ACTS_ON_MERGE_REQUESTS.has(event.kind) ? event.mergeRequest.id : undefined;
};
