import { filledOnce, nothing, VARIABLE } from '../variables-in-text.js';
import type { CiJob, CiPolicy, CiRefPattern, CiRule } from './ci-config.js';
import type { Variables } from './expression.js';
import { MOST_PATTERN, pathSet, pathWork, type PathSet } from './path-patterns.js';
import type { Circumstances } from './plan.js';

/** What of the file holds under given circumstances. */
export interface Conditions {
  /** The first rule whose conditions all hold. */
  first(rules: readonly CiRule[], variables: Variables): CiRule | undefined;
  /** Whether `only` and `except` let a job be. */
  isWanted(job: CiJob, variables: Variables): boolean;
}

/** Where rules of the workflow decide, nothing is said by default for a job that says nothing. */
export const conditionsOf = (circumstances: Circumstances, workflowDecides: boolean): Conditions => {
  const work = pathWork();
  const paths = pathSet(circumstances.paths, work);
  const { changedPaths } = circumstances;
  const changed = changedPaths === undefined ? undefined : pathSet(changedPaths, work);
  const known = (variables: Variables) => new Map([...variables, ...circumstances.variables]);
  const since = [...(circumstances.changedSince ?? [])].map(
    ([name, all]) => [name, all && pathSet(all, work)] as const,
  );
  const those: Those = { circumstances, paths, changed, since: new Map(since) };
  return {
    first: (rules, variables) => {
      const all = known(variables);
      return rules.find((rule) => areHolding(rule, all, those));
    },
    isWanted: (job, variables) => {
      const all = known(variables);
      const { ref, source } = circumstances;
      if (job.except !== null && holdingIn(job.except, all, those).some(Boolean)) return false;
      if (job.only !== null) {
        const asked = holdingIn({ ...job.only, refs: job.only.refs ?? DEFAULT_REFS }, all, those);
        return asked.every(Boolean);
      }
      return workflowDecides || (ref !== '' && source !== 'merge_request_event');
    },
  };
};

const DEFAULT_REFS: readonly CiRefPattern[] = ['branches', 'tags'].map((word) => ({
  word,
  matches: null,
  project: null,
}));

/** What rules ask about paths. */
export interface PathsAsked {
  /** All that there are; undefined where everything counts as found. */
  readonly paths: PathSet | undefined;
  /** Undefined where everything counts as changed. */
  readonly changed: PathSet | undefined;
  /** The same since what rules name. */
  readonly since?: ReadonlyMap<string, PathSet | undefined>;
}

interface Those extends PathsAsked {
  readonly circumstances: Circumstances;
}

/** Whether all holds that a rule asks. */
export const areHolding = (
  { condition, changes, compareTo, exists }: Pick<CiRule, 'condition' | 'changes' | 'compareTo' | 'exists'>,
  variables: Variables,
  { paths, changed, since }: PathsAsked,
): boolean => {
  if (condition !== null && !condition(variables)) return false;
  const meant = compareTo === undefined ? changed : since?.get(compareTo);
  if (changes !== null && meant?.hasAny(written(changes, variables)) === false) return false;
  return exists === null || paths?.hasAny(written(exists, variables)) !== false;
};

/** The variables that `rules`, `only` and `except` of a job name. */
export const namesAsked = ({ rules, only, except }: Pick<CiJob, 'rules' | 'only' | 'except'>): ReadonlySet<string> => {
  const policies = [only, except].filter((policy) => policy !== null);
  const conditions = [
    ...(rules ?? []).map(({ condition }) => condition),
    ...policies.flatMap((each) => each.variables ?? []),
  ];
  const patterns = [...(rules ?? []), ...policies].flatMap((each) => [
    ...(each.changes ?? []),
    ...('exists' in each ? (each.exists ?? []) : []),
  ]);
  return new Set([
    ...conditions.flatMap((condition) => [...(condition?.names ?? [])]),
    ...patterns.flatMap((pattern) => [...pattern.matchAll(VARIABLE)].map(([, bare, braced]) => bare ?? braced ?? '')),
  ]);
};

/** With what variables in paths stand for, as far as that is looked at. */
const written = (patterns: readonly string[], variables: Variables): readonly string[] =>
  patterns.map((pattern) => filledOnce(pattern, variables, { most: MOST_PATTERN + 1, unknown: nothing }));

/** Whether each thing that is asked holds. */
const holdingIn = (policy: CiPolicy, variables: Variables, { circumstances, changed }: Those): readonly boolean[] => {
  const asked: boolean[] = [];
  if (policy.refs !== null) asked.push(policy.refs.some((pattern) => isOfRef(pattern, circumstances)));
  if (policy.variables !== null) asked.push(policy.variables.some((condition) => condition(variables)));
  if (policy.changes !== null) asked.push(changed?.hasAny(written(policy.changes, variables)) ?? true);
  // There are no clusters here.
  if (policy.kubernetes) asked.push(false);
  return asked;
};

const SOURCES: Readonly<Record<Circumstances['source'], readonly string[]>> = {
  push: ['push', 'pushes'],
  web: ['web'],
  api: ['api'],
  trigger: ['trigger', 'triggers'],
  pipeline: ['pipeline', 'pipelines'],
  schedule: ['schedule', 'schedules'],
  parent_pipeline: ['parent_pipeline', 'parent_pipelines'],
  merge_request_event: ['merge_request', 'merge_requests'],
};

const isOfRef = ({ word, matches, project }: CiRefPattern, { ref, tag, source, variables }: Circumstances): boolean => {
  if (project !== null && project !== variables.get('CI_PROJECT_PATH')) return false;
  if (SOURCES[source].includes(word)) return true;
  // Names of branches say nothing about merge requests.
  if (source === 'merge_request_event') return false;
  if (word === (tag ? 'tags' : 'branches')) return true;
  return matches === null ? word === ref : matches(ref);
};
