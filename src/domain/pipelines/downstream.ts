import type { CiProjectTrigger } from './ci-file/ci-config.js';
import type { PlannedJob } from './ci-file/plan.js';
import type { CheckStatus } from './commit-status.js';
import { MAX_GIVEN_VALUE, MOST_GIVEN_VARIABLES } from './given-variable.js';
import type { PipelineStatus } from './pipeline.js';
import { valuesByKey, type CiValue } from './predefined-variables.js';
import { filledIn, itself, nothing } from './variables-in-text.js';

const LONGEST_PATH = 1_024;
const LONGEST_REF = 255;
/** One more than a value may have, so that what is too long is refused and not cut. */
const MOST_OF_VALUE = MAX_GIVEN_VALUE + 1;

/** Pipelines start each other no further than so many below the first: they don't go on without end. */
export const MOST_LEVELS = 5;

/** Of pipelines of the same commit, which are children of each other. */
export const MOST_CHILD_LEVELS = 2;

/**
 * A job that starts the pipeline that is meant under these values, and with what they say. Those who see that pipeline see all of it.
 * @param shown what people keep that isn't masked, and what whoever asks for the pipeline gives.
 */
export const withDownstream = (job: PlannedJob, known: readonly CiValue[], shown: readonly CiValue[]): PlannedJob => {
  const { trigger, variables } = job;
  if (trigger === undefined) return job;
  const ofJob = [
    { key: 'CI_JOB_NAME', value: job.name },
    { key: 'CI_JOB_STAGE', value: job.stage },
  ];
  const values = valuesByKey([...known, ...ofJob, ...variables, ...shown]);
  return {
    ...job,
    trigger: 'include' in trigger ? trigger : withPlace(trigger, values),
    // What is known only once the job is there is filled in then.
    variables: variables.map((each) =>
      each.raw === true
        ? each
        : { ...each, value: filledIn(each.value, values, { most: MOST_OF_VALUE, unknown: itself }) },
    ),
  };
};

const withPlace = (trigger: CiProjectTrigger, values: ReadonlyMap<string, string>): CiProjectTrigger => {
  const branch = trigger.branch && filledIn(trigger.branch, values, { most: LONGEST_REF, unknown: nothing });
  const project = filledIn(trigger.project, values, { most: LONGEST_PATH, unknown: nothing });
  return { ...trigger, project: project.replace(/^\/+/, ''), branch };
};

/** The run of a job that starts a pipeline. */
export interface BridgeFacts {
  readonly jobId: number;
  readonly pipeline: { readonly id: number; readonly iid: number; readonly createdAt: Date };
  /** What its own pipeline was given. */
  readonly asked: readonly CiValue[];
  /** What whoever began it by hand gave it. */
  readonly played: readonly CiValue[];
}

/**
 * The variables that it gives the pipeline that it starts: there nothing more is put into them. Later ones win.
 * @returns undefined where the job has more of them, or longer ones, than anybody may give.
 */
export const givenDownstream = (
  { trigger, variables }: Pick<PlannedJob, 'trigger' | 'variables'>,
  { jobId, pipeline, asked, played }: BridgeFacts,
): readonly CiValue[] | undefined => {
  const ofRun = valuesByKey([
    { key: 'CI_PIPELINE_ID', value: String(pipeline.id) },
    { key: 'CI_PIPELINE_IID', value: String(pipeline.iid) },
    { key: 'CI_PIPELINE_CREATED_AT', value: pipeline.createdAt.toISOString() },
    { key: 'CI_JOB_ID', value: String(jobId) },
  ]);
  const own = variables.map(({ key, value, raw }) => ({
    key,
    value: raw === true ? value : filledIn(value, ofRun, { most: MOST_OF_VALUE, unknown: nothing }),
    raw: true,
  }));
  const told = trigger?.forwards.yamlVariables === false ? [] : own;
  if (told.length > MOST_GIVEN_VARIABLES || told.some(({ value }) => value.length > MAX_GIVEN_VALUE)) return undefined;
  const all = [...told, ...(trigger?.forwards.pipelineVariables === true ? asked : []), ...played];
  return [...new Map(all.map((each) => [each.key, each])).values()];
};

type BridgeEnd = 'success' | 'failed' | 'canceled';

/** One that was left out did nothing wrong. */
const ENDS: ReadonlyMap<PipelineStatus, BridgeEnd> = new Map([
  ['success', 'success'],
  ['skipped', 'success'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
]);

/** How a job ends that waits for the pipeline that it started; undefined while that goes on. @param downstream undefined once it is gone. */
export const endWith = (downstream: PipelineStatus | undefined): BridgeEnd | undefined =>
  downstream === undefined ? 'canceled' : ENDS.get(downstream);

/**
 * How such a job stands otherwise, once that pipeline stands otherwise; undefined for as it did. One that has ended follows as long as it
 * stands as that pipeline did: what somebody canceled stays so.
 * @param before how the pipeline stood; undefined where nobody knows.
 */
export const nextOfBridge = (
  bridge: CheckStatus,
  downstream: PipelineStatus | undefined,
  before: PipelineStatus | undefined,
): BridgeEnd | 'running' | undefined => {
  const end = endWith(downstream);
  if (bridge === 'running') return end;
  if (before === undefined || downstream === undefined || bridge !== ENDS.get(before)) return undefined;
  const next = end ?? 'running';
  return next === bridge ? undefined : next;
};
