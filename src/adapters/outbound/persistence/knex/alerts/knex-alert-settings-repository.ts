import {
  DEFAULT_ALERT_SETTINGS,
  type AlertSettings,
  type AlertSettingsRepository,
} from '../../../../../application/alerts/ports/alert-repositories.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type AlertSettingsRow = Omit<RowOf<'alert_settings'>, 'project_id'>;

export class KnexAlertSettingsRepository implements AlertSettingsRepository {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId): Promise<AlertSettings> {
    const sql = 'select create_incident, auto_close_incident, send_email from alert_settings where project_id = ?';
    const [row] = await this.session.run<AlertSettingsRow>(sql, [projectId]);
    return row === undefined
      ? DEFAULT_ALERT_SETTINGS
      : {
          createIncident: Boolean(row.create_incident),
          autoCloseIncident: Boolean(row.auto_close_incident),
          sendEmail: Boolean(row.send_email),
        };
  }

  async save(projectId: ProjectId, settings: AlertSettings): Promise<void> {
    await this.session
      .query('alert_settings')
      .insert({
        project_id: projectId,
        create_incident: settings.createIncident,
        auto_close_incident: settings.autoCloseIncident,
        send_email: settings.sendEmail,
      })
      .onConflict('project_id')
      .merge();
  }
}
