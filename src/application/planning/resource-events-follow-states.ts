import type { DomainEvent, SetFollower } from '../shared/domain-events.js';
import type { ResourceEventActions } from '../../domain/planning/resource-event.js';
import type { NotedResourceEvent, ResourceEventRepository } from './ports/resource-event-ports.js';

const STATES: Readonly<Partial<Record<DomainEvent['kind'], ResourceEventActions['state']>>> = {
  issue_closed: 'closed',
  issue_reopened: 'reopened',
  merge_request_closed: 'closed',
  merge_request_reopened: 'reopened',
  merge_request_merged: 'merged',
};

/** Notes each change of the state of a subject. */
export const resourceEventsFollowStates: SetFollower<{ readonly resourceEvents: ResourceEventRepository }> = {
  follow: async (events, { resourceEvents }) => {
    const noted = events.flatMap((event) => changeOfState(event) ?? []);
    if (noted.length > 0) await resourceEvents.addAll(noted);
  },
};

const changeOfState = (event: DomainEvent): NotedResourceEvent | undefined => {
  const action = STATES[event.kind];
  if (action === undefined || !('issue' in event || 'mergeRequest' in event)) return undefined;
  const { id: subjectId } = 'issue' in event ? event.issue : event.mergeRequest;
  const cause = event.kind === 'issue_closed' ? event.cause : undefined;
  return { subjectId, event: { kind: 'state', action, ...(cause && { cause }) }, by: event.by, at: event.at };
};
