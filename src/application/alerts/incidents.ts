import type { Alert } from '../../domain/alerts/alert.js';
import { INCIDENT_LABEL, INCIDENT_LABEL_COLOR, incidentDescription } from '../../domain/alerts/incident-text.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { changeIncident, openIncident, type IncidentRepositories } from '../planning/operations/incidents.js';
import type { AlertRepository, AlertSettings } from './ports/alert-repositories.js';

export type AlertIncidentRepositories = IncidentRepositories & { readonly alerts: AlertRepository };

const LABEL = { name: INCIDENT_LABEL, color: INCIDENT_LABEL_COLOR };

/** What happens to the incident of an alert, within the work that changes the alert. */
export class Incidents {
  constructor(private readonly alertUrl: (projectPath: string, iid: number) => string) {}

  /** @returns the id of the issue. */
  async open(
    repositories: AlertIncidentRepositories,
    alert: Alert,
    projectPath: string,
    bot: UserId,
    at: Date,
  ): Promise<number> {
    const { projectId, title, severity } = alert;
    const description = incidentDescription(alert, this.alertUrl(projectPath, alert.iid));
    const incident = { projectId, title, description, severity, authorId: bot, createdAt: at, label: LABEL };
    const issueId = await openIncident(repositories, incident);
    await repositories.alerts.linkIssue(alert.id, issueId);
    return issueId;
  }

  /** Follows the alert where the project wants it to. */
  async follow(
    repositories: IncidentRepositories,
    { issueId, iid }: Pick<Alert, 'issueId' | 'iid'>,
    change: 'resolved' | 'reopened',
    { autoCloseIncident }: Pick<AlertSettings, 'autoCloseIncident'>,
    bot: UserId,
    at: Date,
  ): Promise<void> {
    if (issueId === null || (change === 'resolved' && !autoCloseIncident)) return;
    const to =
      change === 'resolved'
        ? ({ state: 'closed', note: `closed: alert ^alert#${iid} was resolved` } as const)
        : ({ state: 'opened', note: `reopened: alert ^alert#${iid} was reopened` } as const);
    await changeIncident(repositories, issueId, { ...to, by: bot, at });
  }
}
