import { isOpen } from '../../domain/alerts/alert.js';
import type { DomainEvents, Subscriber } from '../shared/domain-events.js';
import type { AlertRepository } from './ports/alert-repositories.js';

/** An incident that is closed resolves its alert. */
export const alertsFollowIncidents: Subscriber<{
  readonly alerts: AlertRepository;
  readonly events: DomainEvents;
}> = async (event, { alerts, events }) => {
  if (event.kind !== 'issue_closed' || event.issue.kind !== 'incident') return;
  const alert = await alerts.takeOfIssue(event.issue.id);
  if (alert === undefined || !isOpen(alert)) return;
  await alerts.changeStatus(alert.id, 'resolved', event.at, event.at);
  await events.publish({ kind: 'alert_resolved', alert, by: event.by, at: event.at });
};
