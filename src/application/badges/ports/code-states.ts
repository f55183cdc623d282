import type { PipelineStatus } from '../../../domain/pipelines/pipeline.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

/** Which branch or tag of a project, by its short name. */
export interface RefOfProject {
  readonly projectId: ProjectId;
  readonly ref: string;
}

/** How the code of a project stands, in as few words as badges say it: one statement each. */
export interface CodeStateReader {
  /** Of the newest pipeline of a ref; undefined where it has none. */
  pipelineStatus(of: RefOfProject, skipped: 'counted' | 'ignored'): Promise<PipelineStatus | undefined>;
  /**
   * Of its newest pipeline that has succeeded, in hundredths of a percent: the mean of its checks that tell one, or that of the checks of this
   * name; undefined where none does.
   */
  coverage(of: RefOfProject, job: string | undefined): Promise<number | undefined>;
}
