import type { KnownEnvironment } from '../../../domain/pipelines/job-environment.js';

export interface JobEnvironments {
  /** Undefined where none could be made of what the CI file says. */
  ofJob(jobId: number): Promise<KnownEnvironment | undefined>;
}
