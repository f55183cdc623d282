import {
  DEFAULT_ALERT_SETTINGS,
  type AlertSettings,
  type AlertSettingsInProject,
  type AlertSettingsRepository,
} from '../../../../../application/alerts/ports/alert-repositories.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

/** Of a project that nobody has set anything of there are no settings. */
type FoundRow = { readonly [Column in keyof Omit<RowOf<'alert_settings'>, 'project_id'>]: unknown } & Pick<
  RowOf<'projects'>,
  'issues_access_level'
>;

export class KnexAlertSettingsRepository implements AlertSettingsRepository {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId): Promise<AlertSettingsInProject> {
    const sql = `select create_incident, auto_close_incident, send_email, issues_access_level from projects
      left join alert_settings on alert_settings.project_id = projects.id where projects.id = ?`;
    const [row] = await this.session.run<FoundRow>(sql, [projectId]);
    const takesIncidents = row?.issues_access_level !== 'disabled';
    return row === undefined || row.create_incident === null
      ? { ...DEFAULT_ALERT_SETTINGS, takesIncidents }
      : {
          createIncident: Boolean(row.create_incident),
          autoCloseIncident: Boolean(row.auto_close_incident),
          sendEmail: Boolean(row.send_email),
          takesIncidents,
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
