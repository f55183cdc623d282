import type { CiMap, Json } from './ci-value.js';
import type { ReadCondition } from './expression.js';
import type { OfferedVariable } from './offered-variables.js';

export type When = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed';
export const WHENS: readonly When[] = ['on_success', 'on_failure', 'always', 'manual', 'delayed'];

export interface CiImage {
  readonly name: string;
  readonly entrypoint: readonly string[] | null;
  readonly pullPolicy: readonly string[];
}

export interface CiService extends CiImage {
  readonly alias: string | null;
  readonly command: readonly string[] | null;
  readonly variables: readonly CiVariable[];
}

export interface CiVariable {
  readonly key: string;
  readonly value: string;
  /** What looks like another variable in it is left as it is. */
  readonly raw?: true;
}

export interface CiArtifacts {
  readonly name: string | null;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly untracked: boolean;
  readonly when: 'on_success' | 'on_failure' | 'always';
  /** As it was written, such as `1 week` or `never`. */
  readonly expireIn: string | null;
  /** As they were written: kinds, with their paths. */
  readonly reports: Json;
  /** Who may fetch them beside later jobs: nobody, or who has that level at least. Absent for whoever may read the code. */
  readonly access?: 'developer' | 'maintainer' | 'none';
}

export interface CiCache {
  readonly key: string | { readonly files: readonly string[]; readonly prefix: string | null };
  readonly paths: readonly string[];
  readonly untracked: boolean;
  readonly policy: string;
  readonly when: 'on_success' | 'on_failure' | 'always';
  readonly fallbackKeys: readonly string[];
}

export interface CiEnvironment {
  readonly name: string;
  readonly url: string | null;
  /** Of a job that was made, variables of its file that the address names: its reports may say otherwise. */
  readonly variables?: readonly CiVariable[];
  readonly action: 'start' | 'prepare' | 'stop' | 'verify' | 'access';
  readonly onStop: string | null;
  readonly autoStopIn: string | null;
  readonly tier: string | null;
}

/** A variable that holds what this installation has signed of the job. */
export interface CiIdToken {
  readonly key: string;
  /** As it was written: it may name variables. */
  readonly audience: string | readonly string[];
}

export interface CiReleaseLink {
  readonly name: string;
  readonly url: string;
  readonly filepath: string | null;
  readonly linkType: string | null;
}

/** What a job tells people of a tag once it has succeeded, as it was written: its texts may name variables. */
export interface CiRelease {
  readonly tagName: string;
  /** In Markdown, or the path of a file that has it. */
  readonly description: string;
  readonly name: string | null;
  /** Where the tag is made, if it is not there yet. */
  readonly ref: string | null;
  readonly tagMessage: string | null;
  readonly releasedAt: string | null;
  readonly links: readonly CiReleaseLink[];
  /** Titles. Files that were read by an older release name none. */
  readonly milestones?: readonly string[];
}

interface CiStart {
  /** Whether the job ends as that pipeline does, and not once it is made. */
  readonly depends: boolean;
  /** What that pipeline is given: the variables of the job, and those that its own pipeline was given. */
  readonly forwards: { readonly yamlVariables: boolean; readonly pipelineVariables: boolean };
}

/** A pipeline of another project, as it was written: its texts may name variables. */
export interface CiProjectTrigger extends CiStart {
  /** The full path of the project. */
  readonly project: string;
  /** A branch or tag there; null for its default branch. */
  readonly branch: string | null;
  /** What its CI file is given, as it was written. */
  readonly inputs?: Json;
}

/** A pipeline of the same commit, which does what other files say. */
export interface CiChildTrigger extends CiStart {
  /** The files, as an `include` names them. */
  readonly include: Json;
}

/** The pipeline that a job starts. */
export type CiTrigger = CiProjectTrigger | CiChildTrigger;

export interface CiNeed {
  readonly name: string;
  readonly artifacts: boolean;
  readonly optional: boolean;
}

/** What a job left in the newest pipeline of a branch or tag that succeeded, as it was written: its texts may name variables. */
export interface CiNeedOfProject {
  /** The full path of its project. */
  readonly project: string;
  readonly job: string;
  readonly ref: string;
}

/** What a job left in a pipeline that this one is part of, or that is part of the same one; as it was written. */
export interface CiNeedOfPipeline {
  /** Its id. */
  readonly pipeline: string;
  readonly job: string;
}

/** What a job left in another pipeline. */
export type CiNeedElsewhere = CiNeedOfProject | CiNeedOfPipeline;

export interface CiRetry {
  readonly max: number;
  /** Reasons of failures. */
  readonly when: readonly string[];
  /** With which it is run again, too, whatever the reason. */
  readonly exitCodes?: readonly number[];
}

/** Values of variables: a job for each way to choose one of each. */
export type CiMatrix = readonly ReadonlyMap<string, readonly string[]>[];

export interface CiRule {
  readonly condition: ReadCondition | null;
  readonly changes: readonly string[] | null;
  /** What has changed is counted from this branch, tag or commit, as it was written, in place of the push. */
  readonly compareTo?: string;
  readonly exists: readonly string[] | null;
  readonly when: When | 'never' | null;
  /** Null unless it is `delayed`. */
  readonly startInSeconds: number | null;
  readonly allowFailure: boolean | null;
  readonly allowedExitCodes: readonly number[];
  readonly variables: ReadonlyMap<string, string>;
  readonly needs: readonly CiNeed[] | null;
  readonly interruptible: boolean | null;
  /** Of the workflow: what its pipeline ends, where the rule says so. */
  readonly autoCancel?: Partial<AutoCancel>;
}

/** `only` or `except`; null for what isn't asked. */
export interface CiPolicy {
  readonly refs: readonly CiRefPattern[] | null;
  readonly variables: readonly ReadCondition[] | null;
  readonly changes: readonly string[] | null;
  readonly kubernetes: boolean;
}

/** A word such as `branches`, a name, or a regular expression; of one project where it says so. */
export interface CiRefPattern {
  readonly word: string;
  readonly matches: ((ref: string) => boolean) | null;
  readonly project: string | null;
}

export interface CiJob {
  readonly name: string;
  readonly stage: string;
  readonly when: When;
  /** Null unless it is `delayed`. */
  readonly startInSeconds: number | null;
  /** Null where the job doesn't say. */
  readonly allowFailure: boolean | null;
  readonly allowedExitCodes: readonly number[];
  readonly rules: readonly CiRule[] | null;
  readonly only: CiPolicy | null;
  readonly except: CiPolicy | null;
  readonly needs: readonly CiNeed[] | null;
  /** Whose files it is given beside those of its own pipeline. */
  readonly neededElsewhere: readonly CiNeedElsewhere[];
  readonly dependencies: readonly string[] | null;
  readonly tags: readonly string[];
  readonly timeoutSeconds: number | null;
  readonly retry: CiRetry;
  readonly interruptible: boolean;
  /** What of the project it shares with others, one at a time, as it was written. */
  readonly resourceGroup: string | null;
  readonly coverage: string | null;
  readonly variables: ReadonlyMap<string, string>;
  /** Those of them that are left as they are. */
  readonly rawVariables: ReadonlySet<string>;
  /** Which of the variables of all jobs it takes. */
  readonly inheritedVariables: boolean | readonly string[];
  readonly parallel: number | CiMatrix | null;
  /** How many of the commands are of `before_script`. */
  readonly before: number;
  readonly options: CiJobOptions;
  /** What it starts in place of running anything itself. */
  readonly trigger?: CiTrigger;
}

/** Where the job itself, and not a rule, waits for somebody, the others needn't wait for it. */
export const mayFail = ({ allowFailure, when }: Pick<CiJob, 'allowFailure' | 'when'>): boolean =>
  allowFailure ?? when === 'manual';

/** What a runner is told. */
export interface CiJobOptions {
  /** Of `before_script` and `script`. */
  readonly script: readonly string[];
  readonly afterScript: readonly string[];
  readonly image: CiImage | null;
  readonly services: readonly CiService[];
  readonly artifacts: CiArtifacts | null;
  readonly cache: readonly CiCache[];
  readonly environment: CiEnvironment | null;
  readonly release?: CiRelease;
  readonly idTokens?: readonly CiIdToken[];
  /** Commands before the code is fetched. */
  readonly beforeSources?: readonly string[];
}

export interface CiConfig {
  /** With `.pre` and `.post`. */
  readonly stages: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** Those of them that are left as they are. */
  readonly rawVariables: ReadonlySet<string>;
  /** Those that people are told of who start a pipeline. */
  readonly offered: readonly OfferedVariable[];
  readonly workflow: readonly CiRule[] | null;
  /** What its pipelines are called, as it was written: it may name variables. */
  readonly name: string | null;
  readonly autoCancel: AutoCancel;
  readonly jobs: readonly CiJob[];
  /** The whole file, once includes, `extends` and references are in it. */
  readonly merged: CiMap;
}

/** A checked file, or all that is wrong with it. */
export type CiReading =
  | { readonly kind: 'read'; readonly config: CiConfig; readonly warnings: readonly string[] }
  | {
      readonly kind: 'refused';
      readonly problems: readonly string[];
      readonly warnings: readonly string[];
      readonly merged: CiMap | null;
    };

/**
 * What a newer commit of a branch ends of older pipelines: those where nothing has begun that must not be interrupted, all jobs that
 * may be interrupted, or nothing.
 */
export const REPLACES = ['conservative', 'interruptible', 'none'] as const;
export type Replaces = (typeof REPLACES)[number];

/** What a job that failed, and may not, ends of its pipeline: all other jobs, or nothing. */
export const ON_JOB_FAILURE = ['all', 'none'] as const;

/** What a pipeline ends by itself. */
export interface AutoCancel {
  readonly onNewCommit: Replaces;
  readonly onJobFailure: (typeof ON_JOB_FAILURE)[number];
}
