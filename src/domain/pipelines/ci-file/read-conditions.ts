import {
  ON_JOB_FAILURE,
  REPLACES,
  WHENS,
  type AutoCancel,
  type CiPolicy,
  type CiRefPattern,
  type CiRule,
} from './ci-config.js';
import { isList, isMap } from './ci-value.js';
import { secondsOf } from './duration.js';
import type { Entry } from './entry.js';
import { readCondition, regexIn, type CompileRegex, type ReadCondition } from './expression.js';
import { needsOf } from './read-needs.js';
import { exitCodesOf } from './read-parts.js';
import { variablesOf } from './read-variables.js';

const MOST_RULES = 100;
const MOST_PATTERNS = 50;
const LONGEST_PATTERN = 1024;
const RULE: ReadonlySet<string> = new Set([
  ...['if', 'changes', 'exists', 'when', 'allow_failure', 'variables', 'needs', 'interruptible', 'start_in'],
  'auto_cancel',
]);
const RULE_WHENS = [...WHENS, 'never'] as const;
const WEEK_SECONDS = 604_800;
const AUTO_CANCEL: ReadonlySet<string> = new Set(['on_new_commit', 'on_job_failure']);

/** Of a job, which ends no pipelines. */
export const rulesOf = (entry: Entry | undefined, compile: CompileRegex): readonly CiRule[] | undefined =>
  eachRuleOf(entry, (each) => {
    each.ignores(['auto_cancel']);
    return ruleOf(each, compile);
  });

export const workflowRulesOf = (entry: Entry | undefined, compile: CompileRegex): readonly CiRule[] | undefined =>
  eachRuleOf(entry, (each) => {
    const [rule, autoCancel] = [ruleOf(each, compile), autoCancelOf(each.at('auto_cancel'))];
    return rule && { ...rule, autoCancel };
  });

/** What `auto_cancel` says. */
export const autoCancelOf = (entry: Entry | undefined): Partial<AutoCancel> => {
  entry?.map();
  entry?.knows(AUTO_CANCEL);
  const onNewCommit = entry?.read('on_new_commit', (said) => said.oneOf(REPLACES), undefined);
  const onJobFailure = entry?.read('on_job_failure', (said) => said.oneOf(ON_JOB_FAILURE), undefined);
  return { ...(onNewCommit && { onNewCommit }), ...(onJobFailure && { onJobFailure }) };
};

const eachRuleOf = (
  entry: Entry | undefined,
  read: (rule: Entry) => CiRule | undefined,
): readonly CiRule[] | undefined => {
  if (entry === undefined) return undefined;
  if (!isList(entry.value)) return entry.error('config should be an array of hashes');
  return entry
    .entries(MOST_RULES, 'an array of hashes')
    ?.flatMap((each) => read(each.named(`${entry.name}:rule`)) ?? []);
};

const ruleOf = (entry: Entry, compile: CompileRegex): CiRule | undefined => {
  if (entry.map() === undefined) return undefined;
  entry.knows(RULE);
  const failure = failureOf(entry.at('allow_failure'));
  const compareTo = entry.at('changes')?.read('compare_to', compareToOf, undefined);
  return {
    condition: entry.read('if', (said) => conditionOf(said, compile), null),
    changes: entry.read('changes', (said) => patternsOf(said, CHANGES), null),
    ...(compareTo !== undefined && { compareTo }),
    exists: entry.read('exists', (said) => patternsOf(said), null),
    when: entry.read('when', (said) => said.oneOf(RULE_WHENS), null),
    startInSeconds: startInOf(entry) ?? null,
    allowFailure: failure?.allowFailure ?? null,
    allowedExitCodes: failure?.allowedExitCodes ?? [],
    variables: entry.read('variables', variablesOf, new Map()),
    needs: entry.read('needs', needsOf, null),
    interruptible: entry.read('interruptible', (said) => said.boolean(), null),
  };
};

const conditionOf = (entry: Entry, compile: CompileRegex): ReadCondition | undefined => {
  const { value } = entry;
  const condition = typeof value === 'string' ? readCondition(value, compile) : undefined;
  return condition ?? entry.named(entry.name.replace(/:if$/, '')).error('if invalid expression syntax');
};

export const whenOf = (entry: Entry) => entry.oneOf(WHENS);

/** How long a job that is `delayed` waits; undefined for another. @param entry a job, or a rule. */
export const startInOf = (entry: Entry): number | undefined => {
  const said = entry.at('start_in');
  if (entry.at('when')?.value !== 'delayed')
    return said === undefined ? undefined : entry.error('start in must be blank');
  const text = said?.text(LONGEST_PATTERN);
  const seconds = text === undefined ? undefined : secondsOf(text);
  if (seconds === undefined || seconds <= 0) return entry.error('start in should be a duration');
  return seconds > WEEK_SECONDS ? entry.error('start in should not exceed a week') : seconds;
};

const PATHS: ReadonlySet<string> = new Set(['paths']);
/** What `changes` may say. */
export const CHANGES: ReadonlySet<string> = new Set(['paths', 'compare_to']);
const LONGEST_REF = 255;

/** What `compare_to` of `changes` names. */
export const compareToOf = (entry: Entry): string | undefined => {
  const ref = entry.text(LONGEST_REF);
  return ref === '' ? entry.error("config can't be blank") : ref;
};

/** Paths, and patterns of paths. */
export const patternsOf = (entry: Entry | undefined, known = PATHS): readonly string[] | undefined => {
  if (entry === undefined) return undefined;
  if (isMap(entry.value)) {
    entry.knows(known);
    return patternsOf(entry.at('paths')) ?? entry.error('config should have a list of `paths`');
  }
  const patterns = entry.texts({ most: MOST_PATTERNS });
  return patterns?.some((each) => each.length > LONGEST_PATTERN)
    ? entry.error('config has a path that is too long')
    : patterns;
};

/** Whether failing is no matter, or with which exit codes it isn't. */
export const failureOf = (
  entry: Entry | undefined,
): { readonly allowFailure: boolean; readonly allowedExitCodes: readonly number[] } | undefined => {
  if (entry === undefined) return undefined;
  const { value } = entry;
  if (typeof value === 'boolean') return { allowFailure: value, allowedExitCodes: [] };
  if (!isMap(value)) return entry.error('config should be a hash or a boolean value');
  entry.knows(new Set(['exit_codes']));
  const allowedExitCodes = entry.read('exit_codes', exitCodesOf, undefined);
  return allowedExitCodes === undefined ? undefined : { allowFailure: false, allowedExitCodes };
};

const POLICY: ReadonlySet<string> = new Set(['refs', 'variables', 'changes', 'kubernetes']);
const MOST_REFS = 100;

/** `only` or `except`. */
export const policyOf = (entry: Entry | undefined, compile: CompileRegex): CiPolicy | undefined => {
  if (entry === undefined) return undefined;
  const nothing = { refs: null, variables: null, changes: null, kubernetes: false };
  if (!isMap(entry.value)) return { ...nothing, refs: refsOf(entry, compile) ?? null };
  entry.knows(POLICY);
  entry.ignores(['kubernetes']);
  const conditions = entry.at('variables')?.entries(MOST_PATTERNS, 'an array of strings');
  const refs = entry.at('refs');
  return {
    refs: refs === undefined ? null : (refsOf(refs, compile) ?? null),
    variables: conditions?.flatMap((each) => conditionOf(each, compile) ?? []) ?? null,
    changes: entry.read('changes', (said) => patternsOf(said), null),
    kubernetes: entry.at('kubernetes') !== undefined,
  };
};

const refsOf = (entry: Entry, compile: CompileRegex): readonly CiRefPattern[] | undefined =>
  entry.texts({ most: MOST_REFS, alone: true })?.flatMap((text) => refPatternOf(entry, text, compile) ?? []);

const PROJECT = /^(.+)@([^@/]+\/[^@]+)$/;

const refPatternOf = (entry: Entry, text: string, compile: CompileRegex): CiRefPattern | undefined => {
  const [, before, project = null] = PROJECT.exec(text) ?? [];
  const word = before ?? text;
  if (!word.startsWith('/')) return { word, matches: null, project };
  const regex = regexIn(word);
  const matches = regex === undefined ? undefined : compile(regex.pattern, regex.flags);
  if (matches === undefined) return entry.error('config should be an array of strings or regular expressions');
  return { word, matches, project };
};
