import type { AutoCancel, CiJobOptions, CiNeedElsewhere, CiRetry, CiTrigger, CiVariable, When } from './ci-config.js';

/** What is known when a pipeline is to be made. */
export interface Circumstances {
  /** The short name of a branch or tag. */
  readonly ref: string;
  readonly tag: boolean;
  readonly defaultBranch: string;
  readonly source:
    'push' | 'web' | 'api' | 'trigger' | 'pipeline' | 'schedule' | 'merge_request_event' | 'parent_pipeline';
  /** All that is known before the file: they win over what it says. */
  readonly variables: ReadonlyMap<string, string>;
  /** Undefined: everything counts as changed. */
  readonly changedPaths: readonly string[] | undefined;
  /** The same since what rules compare to, as they name it. */
  readonly changedSince?: ReadonlyMap<string, readonly string[] | undefined>;
  /** Of the tree of the commit. */
  readonly paths: readonly string[];
}

export interface PlannedJob {
  readonly name: string;
  /** The job of the file; `parallel` makes several of one. */
  readonly madeOf: string;
  readonly stage: string;
  readonly stageIndex: number;
  readonly when: When;
  /** How long after those before it one begins that is `delayed`. */
  readonly startInSeconds?: number;
  readonly allowFailure: boolean;
  readonly allowedExitCodes: readonly number[];
  /** Null where it waits for the stages before. */
  readonly needs: readonly { readonly name: string; readonly artifacts: boolean }[] | null;
  /** Whose files it is given beside those of its own pipeline. */
  readonly neededElsewhere?: readonly CiNeedElsewhere[];
  readonly dependencies: readonly string[] | null;
  readonly tags: readonly string[];
  readonly timeoutSeconds: number | null;
  readonly retry: CiRetry;
  readonly interruptible: boolean;
  /** What of the project it shares with others: one of them runs at a time. */
  readonly resourceGroup?: string;
  /** The regular expression, with its slashes. */
  readonly coverage: string | null;
  readonly variables: readonly CiVariable[];
  readonly options: CiJobOptions;
  /** The pipeline that it starts: such a job is no runner's. */
  readonly trigger?: CiTrigger;
}

export interface Plan {
  /** Those that have jobs, in order. */
  readonly stages: readonly string[];
  readonly jobs: readonly PlannedJob[];
  /** What the pipeline is called, as it was written. */
  readonly name: string | null;
  readonly autoCancel: AutoCancel;
  /** Of all jobs. */
  readonly variables: readonly CiVariable[];
}

export type Planning =
  | { readonly kind: 'planned'; readonly plan: Plan }
  /** There is nothing to do, and why. */
  | { readonly kind: 'nothing'; readonly because: 'filtered' | 'empty'; readonly message: string }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };
