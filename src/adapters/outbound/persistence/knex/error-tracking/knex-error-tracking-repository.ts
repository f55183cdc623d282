import type {
  ErrorTrackingReader,
  ErrorTrackingRepository,
} from '../../../../../application/error-tracking/ports/error-tracking-repository.js';
import type { ErrorTrackingSettings } from '../../../../../domain/error-tracking/error-tracking-settings.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

const TABLE = 'error_tracking_settings';

type ErrorTrackingRow = RowOf<'error_tracking_settings'>;

const toSettings = (row: ErrorTrackingRow): ErrorTrackingSettings => ({
  projectId: row.project_id,
  active: Boolean(row.active),
  apiUrl: row.api_url,
  projectName: row.project_name,
  trackerExternalUrl: row.tracker_external_url,
  tokenStored: row.sealed_token !== null,
});

const find = async ({ query }: Session, projectId: ProjectId): Promise<ErrorTrackingSettings | undefined> => {
  const row = await query(TABLE).where({ project_id: projectId }).first();
  return row && toSettings(row);
};

export class KnexErrorTrackingRepository implements ErrorTrackingRepository {
  constructor(private readonly session: Session) {}

  async take(projectId: ProjectId): Promise<ErrorTrackingSettings | undefined> {
    const { query, dialect } = this.session;
    // The project stands for its settings, which may not be there yet.
    const held = await dialect.lockRows(query('projects').where({ id: projectId }).select('id'));
    if (held.length === 0) throw new NotFound('Project');
    return find(this.session, projectId);
  }

  async save(settings: ErrorTrackingSettings, sealedToken: string | null | undefined, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const updatedAt = dialect.writeInstant(at);
    const columns = {
      active: settings.active,
      api_url: settings.apiUrl,
      project_name: settings.projectName,
      tracker_external_url: settings.trackerExternalUrl,
      ...(sealedToken === undefined ? {} : { sealed_token: sealedToken }),
      updated_at: updatedAt,
    };
    await query(TABLE)
      .insert({ project_id: settings.projectId, ...columns, created_at: updatedAt })
      .onConflict('project_id')
      .merge(columns);
  }
}

export class KnexErrorTrackingReader implements ErrorTrackingReader {
  constructor(private readonly session: Session) {}

  find(projectId: ProjectId): Promise<ErrorTrackingSettings | undefined> {
    return find(this.session, projectId);
  }
}
