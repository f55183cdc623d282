import type { AutoCancel, CiVariable } from '../../../domain/pipelines/ci-file/ci-config.js';
import type { CiMap } from '../../../domain/pipelines/ci-file/ci-value.js';
import type { PlannedJob } from '../../../domain/pipelines/ci-file/plan.js';
import type { PipelineSource } from '../../../domain/pipelines/pipeline.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Commit, StoreName } from '../../repositories/ports/object-stores.js';

export interface PlanningRequest {
  readonly projectId: ProjectId;
  readonly store: StoreName;
  readonly commit: Commit;
  /** Where its project says that its CI file is. */
  readonly configPath: string | null;
  /** What the CI file says in place of the one of the project. */
  readonly text?: string;
  /** What may be included of what jobs left, where a job starts it. */
  readonly leftBy?: (job: string, path: string) => Promise<string | undefined>;
  /** Who may read the files of other projects that it includes. */
  readonly userId: UserId;
  readonly ref: string;
  readonly tag: boolean;
  readonly defaultBranch: string;
  readonly source: Exclude<PipelineSource, 'external'>;
  readonly variables: ReadonlyMap<string, string>;
  /** Those of them that the file may show, as they are not masked. */
  readonly shown: ReadonlyMap<string, string>;
  /** What whoever asks for it chose: of those that the file offers only what it allows. */
  readonly chosen?: readonly { readonly key: string; readonly value: string }[];
  /** What whoever asks for it gives the CI file. */
  readonly inputs?: CiMap;
  /** Where the branch led before the push; null where everything counts as changed. */
  readonly before: ObjectId | null;
}

/** What the CI file of a commit comes to. */
export type PipelinePlan =
  | {
      readonly outcome: 'planned';
      readonly jobs: readonly PlannedJob[];
      readonly autoCancel: AutoCancel;
      /** What the pipeline is called, as it was written, and the variables of the file that it may name. */
      readonly name: string | null;
      readonly variables: readonly CiVariable[];
    }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'broken'; readonly errors: readonly string[] }
  /** It asks for no job here; why, in words. */
  | { readonly outcome: 'nothing'; readonly reason: string };

export interface PipelinePlanner {
  plan(request: PlanningRequest): Promise<PipelinePlan>;
}
