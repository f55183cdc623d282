import type { DomainEvent, Subscriber } from '../shared/domain-events.js';
import type { ResourceEventActions } from '../../domain/planning/resource-event.js';
import type { ResourceEventRepository } from './ports/resource-event-ports.js';

const STATES: Readonly<Partial<Record<DomainEvent['kind'], ResourceEventActions['state']>>> = {
  issue_closed: 'closed',
  issue_reopened: 'reopened',
  merge_request_closed: 'closed',
  merge_request_reopened: 'reopened',
  merge_request_merged: 'merged',
};

/** Notes each change of the state of a subject. */
export const resourceEventsFollowStates: Subscriber<{ readonly resourceEvents: ResourceEventRepository }> = async (
  event,
  { resourceEvents },
) => {
  const action = STATES[event.kind];
  if (action === undefined || !('issue' in event || 'mergeRequest' in event)) return;
  const { id } = 'issue' in event ? event.issue : event.mergeRequest;
  await resourceEvents.add(id, [{ kind: 'state', action }], event.by, event.at);
};
