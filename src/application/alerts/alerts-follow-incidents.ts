import { isOpen } from '../../domain/alerts/alert.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { AlertRepository } from './ports/alert-repositories.js';

/** An incident that is closed resolves its alert. */
export const alertsFollowIncidents: Subscriber<{ readonly alerts: AlertRepository }> = async (event, { alerts }) => {
  if (event.kind !== 'issue_closed' || event.issue.kind !== 'incident') return;
  const alert = await alerts.takeOfIssue(event.issue.id);
  if (alert !== undefined && isOpen(alert)) await alerts.changeStatus(alert.id, 'resolved', event.at, event.at);
};
