import type { CiEnvironment } from './ci-file/ci-config.js';
import type { PlannedJob } from './ci-file/plan.js';
import type { CiValue } from './predefined-variables.js';
import { filledIn, isVariable, itself, nothing, VARIABLE } from './variables-in-text.js';

/** An environment as its jobs know it. */
export interface KnownEnvironment {
  readonly name: string;
  readonly slug: string;
  readonly tier: string;
  readonly externalUrl: string | null;
}

/** One more than a name may have, so that what is too long is refused and not cut. */
const MOST_OF_NAME = 256;
const MOST_OF_URL = 1_025;
const MOST_OF_TIME = 100;

type Values = ReadonlyMap<string, string>;

/** An address with what is known; the rest of its variables stand in it as they are. */
const addressWith = (text: string, values: Values): string =>
  filledIn(text, values, { most: MOST_OF_URL, unknown: itself });

/** Variables of a job that an address names, and those that they name in turn, each filled in as far as is certain. */
const variablesIn = (url: string, job: PlannedJob, certain: Values): readonly CiValue[] => {
  const own = new Map(job.variables.map(({ key, value }) => [key, value]));
  const found = new Map<string, string>();
  const look = [url];
  for (let text = look.pop(); text !== undefined; text = look.pop())
    for (const [, plain, braced] of text.matchAll(VARIABLE)) {
      const key = plain ?? braced ?? '';
      const said = own.get(key);
      if (said === undefined || found.has(key)) continue;
      const value = addressWith(said, certain);
      found.set(key, value);
      look.push(value);
    }
  return [...found].map(([key, value]) => ({ key, value }));
};

/** The address of an environment with what is certain when its job is made: what the file says of variables gives way to reports. */
const addressOf = (url: string, job: PlannedJob, known: readonly CiValue[], given: readonly CiValue[]) => {
  const own = new Set(job.variables.map(({ key }) => key));
  const certain = new Map(
    [...known.filter(({ key }) => !own.has(key)), ...given].map(({ key, value }) => [key, value]),
  );
  const address = addressWith(url, certain);
  return { url: address, variables: variablesIn(address, job, certain) };
};

/** A job whose environment is called as it is under these values; of its address what they don't say is filled in later. */
export const withEnvironment = (job: PlannedJob, known: readonly CiValue[], given: readonly CiValue[]): PlannedJob => {
  const { environment } = job.options;
  if (environment === null) return job;
  const values = new Map([...known, ...job.variables, ...given].map(({ key, value }) => [key, value]));
  const name = filledIn(environment.name, values, { most: MOST_OF_NAME, unknown: nothing });
  const address = environment.url === null ? {} : addressOf(environment.url, job, known, given);
  const { autoStopIn } = environment;
  const stops = autoStopIn && { autoStopIn: filledIn(autoStopIn, values, { most: MOST_OF_TIME, unknown: nothing }) };
  return { ...job, options: { ...job.options, environment: { ...environment, name, ...address, ...stops } } };
};

export interface EnvironmentFacts {
  readonly said: CiEnvironment;
  readonly environment: KnownEnvironment;
  readonly jobId: number;
  readonly pipeline: { readonly id: number; readonly iid: number };
  /** What reports of the job, and of those before it, say. */
  readonly told?: readonly CiValue[];
}

/** Where a job says that its environment is; variables that aren't known here stand in it as they are. */
const environmentUrl = ({ said, environment, jobId, pipeline, told = [] }: EnvironmentFacts): string | null => {
  if (said.url === null) return null;
  const values = new Map([
    ...[...(said.variables ?? []), ...told].map(({ key, value }) => [key, value] as const),
    ['CI_ENVIRONMENT_NAME', environment.name],
    ['CI_ENVIRONMENT_SLUG', environment.slug],
    ['CI_JOB_ID', String(jobId)],
    ['CI_PIPELINE_ID', String(pipeline.id)],
    ['CI_PIPELINE_IID', String(pipeline.iid)],
  ]);
  return addressWith(said.url, values);
};

/** The same as an address that can be shown; null where something in it isn't known. */
export const knownEnvironmentUrl = (facts: EnvironmentFacts): string | null => {
  const url = environmentUrl(facts);
  return url === null || isVariable(url) ? null : url;
};

/** What is told to a job of its environment. */
export const environmentVariables = (facts: EnvironmentFacts): readonly CiValue[] => {
  const { said, environment } = facts;
  const url = environmentUrl(facts);
  const address = url === null ? keptUrl(environment) : { value: url };
  return [
    { key: 'CI_ENVIRONMENT_NAME', value: environment.name },
    { key: 'CI_ENVIRONMENT_SLUG', value: environment.slug },
    { key: 'CI_ENVIRONMENT_ACTION', value: said.action },
    { key: 'CI_ENVIRONMENT_TIER', value: said.tier ?? environment.tier },
    ...(address === undefined ? [] : [{ key: 'CI_ENVIRONMENT_URL', ...address }]),
  ];
};

/** Others than those who may have this job run may have set it: what it seems to name isn't put into it. */
const keptUrl = ({ externalUrl }: KnownEnvironment): Pick<CiValue, 'value' | 'raw'> | undefined =>
  externalUrl === null ? undefined : { value: externalUrl, raw: true };
