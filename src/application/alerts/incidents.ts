import type { Alert } from '../../domain/alerts/alert.js';
import { INCIDENT_LABEL, INCIDENT_LABEL_COLOR, incidentDescription } from '../../domain/alerts/incident-text.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { IssueRepository, NoteRepository } from '../planning/ports/planning-repositories.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { AlertRepository, AlertSettings } from './ports/alert-repositories.js';

export interface IncidentRepositories {
  readonly alerts: AlertRepository;
  readonly issues: IssueRepository;
  readonly notes: NoteRepository;
  readonly events: DomainEvents;
}

/** What happens to the incident of an alert, within the work that changes the alert. */
export class Incidents {
  constructor(private readonly alertUrl: (projectPath: string, iid: number) => string) {}

  /** @returns the id of the issue. */
  async open(
    { alerts, issues, events }: IncidentRepositories,
    alert: Alert,
    projectPath: string,
    bot: UserId,
    at: Date,
  ): Promise<number> {
    const issue = await issues.add({
      projectId: alert.projectId,
      kind: 'incident',
      title: alert.title,
      description: incidentDescription(alert, this.alertUrl(projectPath, alert.iid)),
      severity: alert.severity,
      confidential: false,
      dueDate: null,
      authorId: bot,
      createdAt: at,
    });
    await issues.setLabels(issue, [INCIDENT_LABEL], INCIDENT_LABEL_COLOR, at);
    await alerts.linkIssue(alert.id, issue.id);
    await events.publish({ kind: 'issue_opened', issue, by: bot, at });
    return issue.id;
  }

  /** Follows the alert where the project wants it to. */
  async follow(
    { issues, notes, events }: IncidentRepositories,
    { issueId, iid }: Pick<Alert, 'issueId' | 'iid'>,
    change: 'resolved' | 'reopened',
    { autoCloseIncident }: Pick<AlertSettings, 'autoCloseIncident'>,
    bot: UserId,
    at: Date,
  ): Promise<void> {
    if (issueId === null || (change === 'resolved' && !autoCloseIncident)) return;
    const state = change === 'resolved' ? 'closed' : 'opened';
    if (!(await issues.changeState(issueId, state, bot, at))) return;
    const body =
      change === 'resolved' ? `closed: alert ^alert#${iid} was resolved` : `reopened: alert ^alert#${iid} was reopened`;
    await notes.add({ issueId, authorId: bot, body, system: true, createdAt: at });
    const issue = await issues.find(issueId);
    if (issue === undefined) return;
    await events.publish({ kind: state === 'closed' ? 'issue_closed' : 'issue_reopened', issue, by: bot, at });
  }
}
