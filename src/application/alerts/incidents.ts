import type { Alert } from '../../domain/alerts/alert.js';
import {
  INCIDENT_LABEL,
  INCIDENT_LABEL_COLOR,
  incidentDescription,
  type AlertFacts,
} from '../../domain/alerts/incident-text.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import {
  changeIncidents,
  openIncidents,
  reserveIncidents,
  type IncidentRepositories,
  type ReservedIncidents,
} from '../planning/operations/incidents.js';
import type { IssueEvent } from '../shared/domain-events.js';
import type { AlertRepository, AlertSettings } from './ports/alert-repositories.js';

export type AlertIncidentRepositories = IncidentRepositories & { readonly alerts: AlertRepository };

const LABEL = { name: INCIDENT_LABEL, color: INCIDENT_LABEL_COLOR };

/** An alert that an incident is opened for. */
export type AlertWithIncident = AlertFacts &
  Pick<Alert, 'projectId' | 'iid' | 'title' | 'createdAt'> & { readonly projectPath: string };

/** That an alert ended, or was opened again. */
export interface AlertChange {
  readonly alert: Pick<Alert, 'issueId' | 'iid'>;
  readonly at: Date;
}

/** What happens to the incidents of alerts, within the work that changes the alerts, which also publishes what is returned. */
export class Incidents {
  constructor(private readonly alertUrl: (projectPath: string, iid: number) => string) {}

  reserve(
    repositories: IncidentRepositories,
    projectId: ProjectId,
    count: number,
    at: Date,
  ): Promise<ReservedIncidents> {
    return reserveIncidents(repositories, projectId, count, { ...LABEL, at });
  }

  open(
    repositories: IncidentRepositories,
    reserved: ReservedIncidents,
    alerts: readonly AlertWithIncident[],
    bot: UserId,
  ): Promise<readonly IssueEvent[]> {
    const incidents = alerts.map((alert) => {
      const { projectId, title, severity, createdAt } = alert;
      const description = incidentDescription(alert, this.alertUrl(alert.projectPath, alert.iid));
      return { projectId, title, description, severity, authorId: bot, createdAt };
    });
    return openIncidents(repositories, reserved, incidents);
  }

  /** Follows the alerts of a project where it wants that. */
  async follow(
    repositories: IncidentRepositories,
    changes: readonly AlertChange[],
    to: 'resolved' | 'reopened',
    { autoCloseIncident, bot }: Pick<AlertSettings, 'autoCloseIncident'> & { readonly bot: UserId },
  ): Promise<readonly IssueEvent[]> {
    if (to === 'resolved' && !autoCloseIncident) return [];
    const [state, word] = to === 'resolved' ? (['closed', 'closed'] as const) : (['opened', 'reopened'] as const);
    const followed = changes.flatMap(({ alert: { issueId, iid }, at }) =>
      issueId === null ? [] : { id: issueId, note: `${word}: alert ^alert#${iid} was ${to}`, by: bot, at },
    );
    return followed.length === 0 ? [] : changeIncidents(repositories, state, followed);
  }
}
