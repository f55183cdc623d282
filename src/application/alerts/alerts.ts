import { isOpen, type AlertStatus } from '../../domain/alerts/alert.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { AlertBot } from './alert-bot.js';
import type { AlertIncidentRepositories, Incidents } from './incidents.js';
import type { AlertSettings, AlertsRepositories } from './ports/alert-repositories.js';

type Needs = AlertsRepositories & AlertIncidentRepositories;

/** What people do to alerts. */
export class Alerts {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly incidents: Incidents,
    private readonly bot: AlertBot,
    private readonly clock: Clock,
  ) {}

  /** Any status follows any other. @throws NotFound; Conflict when it would be open beside another of its fingerprint. */
  async changeStatus(
    { project }: Permitted<'manage_alerts'>,
    id: number,
    status: AlertStatus,
    by: UserId,
  ): Promise<void> {
    const bot = await this.bot.id();
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const { alerts, alertSettings, events } = repositories;
      const alert = await alerts.take(id);
      if (alert?.projectId !== project.id) throw new NotFound('Alert');
      if (alert.status === status) return;
      await alerts.changeStatus(id, status, status === 'resolved' ? at : null, at);
      if (isOpen(alert) === isOpen({ status })) return;
      const { autoCloseIncident } = await alertSettings.find(alert.projectId);
      const to = status === 'resolved' ? 'resolved' : 'reopened';
      const told = await this.incidents.follow(repositories, [{ alert, at }], to, { autoCloseIncident, bot });
      if (status === 'resolved') await events.publish({ kind: 'alert_resolved', alert, by, at }, ...told);
      else await events.publish(...told);
    });
  }

  async saveSettings(
    { project }: Permitted<'manage_alert_integrations'>,
    changes: Partial<AlertSettings>,
  ): Promise<AlertSettings> {
    return this.unitOfWork.execute(async ({ alertSettings }) => {
      const { takesIncidents: _, ...before } = await alertSettings.find(project.id);
      const settings = { ...before, ...changes };
      await alertSettings.save(project.id, settings);
      return settings;
    });
  }
}
