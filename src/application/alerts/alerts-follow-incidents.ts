import { isOpen } from '../../domain/alerts/alert.js';
import type { DomainEvents, IssueEvent, SetFollower } from '../shared/domain-events.js';
import type { AlertRepository } from './ports/alert-repositories.js';

/** An incident that is closed resolves its alert. Whoever locks both locks the alert first. */
export const alertsFollowIncidents: SetFollower<{
  readonly alerts: AlertRepository;
  readonly events: DomainEvents;
}> = {
  follow: async (published, { alerts, events }) => {
    const of = published.filter(
      (event) => 'issue' in event && event.issue.kind === 'incident',
    ) as readonly IssueEvent[];
    const ends = of.filter(({ kind }) => kind === 'issue_closed' || kind === 'issue_ending');
    if (ends.length === 0) return;
    const taken = await alerts.takeOfIssues(ends.map(({ issue }) => issue.id));
    const ended = ends.flatMap(({ kind, issue, by, at }) => {
      const alert = kind === 'issue_closed' ? taken.find(({ issueId }) => issueId === issue.id) : undefined;
      return alert !== undefined && isOpen(alert) ? { alert, by, at } : [];
    });
    if (ended.length === 0) return;
    await alerts.resolve(ended.map(({ alert: { id }, at }) => ({ id, endedAt: at, at })));
    await events.publish(...ended.map((end) => ({ kind: 'alert_resolved', ...end }) as const));
  },
};
