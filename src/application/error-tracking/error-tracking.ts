import {
  checkErrorTracking,
  decideChange,
  type DecidedChange,
  type ErrorTrackingChange,
  type ErrorTrackingSettings,
} from '../../domain/error-tracking/error-tracking-settings.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { MayReach } from '../../domain/shared/outbound-url.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ErrorTrackingRepositories, ErrorTrackingRepository } from './ports/error-tracking-repository.js';

/** What the settings of a project that has none are refused as. */
export const ERROR_TRACKING_SETTING = 'Error Tracking Setting';

/** Where the errors of a project are tracked. */
export class ErrorTracking {
  constructor(
    private readonly unitOfWork: UnitOfWork<ErrorTrackingRepositories>,
    private readonly tokenBox: SecretBox,
    private readonly mayReach: MayReach,
    private readonly clock: Clock,
  ) {}

  /** Makes the settings of a project, or changes them. @throws Invalid naming every problem. */
  async configure(
    { project }: Permitted<'manage_error_tracking'>,
    change: ErrorTrackingChange,
  ): Promise<ErrorTrackingSettings> {
    return this.unitOfWork.execute(async ({ errorTracking }) => {
      const decided = decideChange(project.id, await errorTracking.take(project.id), change);
      this.#check(decided);
      return this.#save(errorTracking, decided);
    });
  }

  /**
   * Specification, "Error tracking settings": true enables what is configured already, false disables it.
   * @throws NotFound; Invalid when what is to be enabled leads where connections may no longer go.
   */
  async setActive({ project }: Permitted<'manage_error_tracking'>, active: boolean): Promise<ErrorTrackingSettings> {
    return this.unitOfWork.execute(async ({ errorTracking }) => {
      const before = await errorTracking.take(project.id);
      if (before === undefined) throw new NotFound(ERROR_TRACKING_SETTING);
      const decided = decideChange(project.id, before, { active });
      // Switching off is always possible.
      if (active) this.#check(decided);
      return this.#save(errorTracking, decided);
    });
  }

  #check(decided: DecidedChange): void {
    const problems = new ProblemCollector();
    checkErrorTracking(problems, decided, this.mayReach);
    problems.refuse();
  }

  async #save(repository: ErrorTrackingRepository, { settings, token }: DecidedChange): Promise<ErrorTrackingSettings> {
    const sealed = typeof token === 'string' ? this.tokenBox.seal(token) : token;
    await repository.save(settings, sealed, this.clock.now());
    return settings;
  }
}
