import { isOpen } from '../../domain/alerts/alert.js';
import type { DomainEvents, Subscriber } from '../shared/domain-events.js';
import type { AlertRepository } from './ports/alert-repositories.js';

/** An incident that is closed resolves its alert. Whoever locks both locks the alert first. */
export const alertsFollowIncidents: Subscriber<{
  readonly alerts: AlertRepository;
  readonly events: DomainEvents;
}> = async (event, { alerts, events }) => {
  if (!('issue' in event) || event.issue.kind !== 'incident') return;
  if (event.kind === 'issue_ending') await alerts.takeOfIssue(event.issue.id);
  if (event.kind !== 'issue_closed') return;
  const alert = await alerts.takeOfIssue(event.issue.id);
  if (alert === undefined || !isOpen(alert)) return;
  await alerts.changeStatus(alert.id, 'resolved', event.at, event.at);
  await events.publish({ kind: 'alert_resolved', alert, by: event.by, at: event.at });
};
