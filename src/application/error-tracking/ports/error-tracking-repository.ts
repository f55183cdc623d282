import type { ErrorTrackingSettings } from '../../../domain/error-tracking/error-tracking-settings.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

export interface ErrorTrackingRepository {
  /**
   * Undefined when the project has none; of works that change one project's settings, each waits for the one before.
   * @throws NotFound "Project" when that has gone meanwhile.
   */
  take(projectId: ProjectId): Promise<ErrorTrackingSettings | undefined>;
  /** @param sealedToken what to keep from now on, null for none; when absent, the one that is kept stays. */
  save(settings: ErrorTrackingSettings, sealedToken: string | null | undefined, at: Date): Promise<void>;
}

export interface ErrorTrackingRepositories {
  readonly errorTracking: ErrorTrackingRepository;
}

export interface ErrorTrackingReader {
  find(projectId: ProjectId): Promise<ErrorTrackingSettings | undefined>;
}
