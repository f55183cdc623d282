import { checkGraph } from './check-graph.js';
import type { AutoCancel, CiConfig, CiJob, CiReading } from './ci-config.js';
import { CiProblem, CiProblems } from './ci-problem.js';
import { isBounded, isMap, type CiMap, type CiValue } from './ci-value.js';
import { Entry } from './entry.js';
import type { CompileRegex } from './expression.js';
import { withIncludes, type CiFileAsking, type CiFileTools } from './includes.js';
import { MOST_OF_PIPELINE_NAME } from '../pipeline-name.js';
import { withBases, withReferences } from './inheritance.js';
import { autoCancelOf, workflowRulesOf } from './read-conditions.js';
import { offeredVariablesOf } from './offered-variables.js';
import { inheritedOf, jobOf } from './read-job.js';
import { DEFAULTS_OF_TRIGGERS } from './read-trigger.js';
import { rawVariablesOf, variablesOf } from './read-variables.js';

const DEFAULTS: ReadonlySet<string> = new Set([
  ...['before_script', 'after_script', 'cache', 'image', 'services', 'interruptible', 'timeout', 'retry', 'tags'],
  ...['artifacts', 'hooks', 'id_tokens', 'identity'],
]);
/** Said at the root, they are defaults as well. */
const OLD_DEFAULTS = ['image', 'services', 'before_script', 'after_script', 'cache'];
const ROOT: ReadonlySet<string> = new Set([
  ...['default', 'include', 'stages', 'types', 'variables', 'workflow', 'spec'],
  ...OLD_DEFAULTS,
]);
/** They mean something else only where they are no jobs. */
const ALSO_JOBS: ReadonlySet<string> = new Set(['types', 'spec']);
const MOST_JOBS = 500;
const MOST_ENTRIES = 2000;
const MOST_STAGES = 100;
const STAGES = ['build', 'test', 'deploy'];

/** Reads and checks a CI file. It asks for each file that is included, so that whoever can wait for it answers. */
export function* readCiFile(text: string, tools: CiFileTools): CiFileAsking<CiReading> {
  const problems = new CiProblems();
  let merged: CiMap | null = null;
  try {
    merged = yield* wholeOf(text, tools);
    const config = configOf(merged, problems, tools.compile);
    if (problems.errors.length === 0) return { kind: 'read', config, warnings: problems.warnings };
  } catch (error) {
    if (!(error instanceof CiProblem)) throw error;
    problems.error(error.message);
  }
  return { kind: 'refused', problems: problems.errors, warnings: problems.warnings, merged };
}

function* wholeOf(text: string, tools: CiFileTools): CiFileAsking<CiMap> {
  const included = yield* withIncludes(text, tools);
  if (included.size > MOST_ENTRIES) throw new CiProblem(`The file has more than ${MOST_ENTRIES} entries.`);
  const whole = withReferences(withBases(included));
  if (!isBounded(whole)) throw new CiProblem('The file says too much, or is nested too deeply.');
  return whole;
}

const configOf = (merged: CiMap, problems: CiProblems, compile: CompileRegex): CiConfig => {
  const entry = (key: string): Entry | undefined => {
    const value = merged.get(key) ?? null;
    return value === null ? undefined : new Entry(value, key, problems);
  };
  if (merged.has('spec') && !isJob(merged.get('spec')))
    problems.error('root config: `spec` belongs into a header: at the top, with a line of `---` below it.');
  const stages = [
    '.pre',
    ...stagesOf(entry('stages') ?? (isJob(merged.get('types')) ? undefined : entry('types'))),
    '.post',
  ];
  const jobs = jobsOf(merged, problems, compile);
  checkGraph(jobs, stages, problems);
  const variables = variablesOf(entry('variables')) ?? new Map<string, string>();
  return {
    ...{ stages, variables, offered: offeredVariablesOf(entry('variables'), variables) },
    rawVariables: rawVariablesOf(entry('variables')),
    ...workflowOf(entry('workflow'), compile),
    jobs,
    merged,
  };
};

const stagesOf = (entry: Entry | undefined): readonly string[] => {
  const said = entry?.texts({ most: MOST_STAGES });
  if (said?.some((stage) => stage.length > 255)) entry?.error('config has a name that is longer than 255 characters');
  return [...new Set(said ?? STAGES)].filter((stage) => stage !== '.pre' && stage !== '.post');
};

const WORKFLOW: ReadonlySet<string> = new Set(['rules', 'name', 'auto_cancel']);

const NO_AUTO_CANCEL: AutoCancel = { onNewCommit: 'conservative', onJobFailure: 'none' };

const workflowOf = (
  entry: Entry | undefined,
  compile: CompileRegex,
): Pick<CiConfig, 'workflow' | 'name' | 'autoCancel'> => {
  entry?.map();
  entry?.knows(WORKFLOW);
  return {
    workflow: workflowRulesOf(entry?.at('rules'), compile) ?? null,
    name: entry?.read('name', (said) => said.text(MOST_OF_PIPELINE_NAME), null) ?? null,
    autoCancel: { ...NO_AUTO_CANCEL, ...autoCancelOf(entry?.at('auto_cancel')) },
  };
};

const jobsOf = (merged: CiMap, problems: CiProblems, compile: CompileRegex): readonly CiJob[] => {
  const defaults = defaultsOf(merged, problems);
  const visible = [...merged].filter(
    ([name, said]) => !name.startsWith('.') && (!ROOT.has(name) || (ALSO_JOBS.has(name) && isJob(said))),
  );
  if (visible.length === 0) problems.error('jobs config should contain at least one visible job');
  if (visible.length > MOST_JOBS) throw new CiProblem(`A pipeline has at most ${MOST_JOBS} jobs.`);
  return visible.flatMap(([name, said]) => {
    const shown = name.slice(0, 255);
    if (!isJob(said)) {
      problems.error(`jobs ${shown} config should implement the script:, run:, or trigger: keyword`);
      return [];
    }
    const entry = new Entry(said, `jobs:${shown}`, problems);
    return jobOf(new Entry(withDefaults(entry, said, defaults), entry.name, problems), name, compile) ?? [];
  });
};

const isJob = (said: CiValue | undefined): said is CiMap =>
  isMap(said) && (said.has('script') || said.has('run') || said.has('trigger'));

const defaultsOf = (merged: CiMap, problems: CiProblems): CiMap => {
  const defaults = new Map<string, CiValue>();
  for (const key of OLD_DEFAULTS) if (merged.has(key)) defaults.set(key, merged.get(key) ?? null);
  const entry = new Entry(merged.get('default') ?? new Map(), 'default', problems);
  entry.knows(DEFAULTS);
  for (const [key, value] of entry.map() ?? []) if (DEFAULTS.has(key)) defaults.set(key, value);
  return defaults;
};

/** A job takes a default as it is, or not at all; what it says nothing by, it doesn't say. */
const withDefaults = (entry: Entry, said: CiMap, defaults: CiMap): CiMap => {
  const inherited = inheritedOf(entry, 'default');
  const startsPipeline = entry.at('trigger') !== undefined;
  const whole = new Map(said);
  for (const [key, value] of defaults) {
    if (startsPipeline && !DEFAULTS_OF_TRIGGERS.has(key)) continue;
    if ((said.get(key) ?? null) === null && (inherited === true || (inherited !== false && inherited.includes(key))))
      whole.set(key, value);
  }
  return whole;
};
