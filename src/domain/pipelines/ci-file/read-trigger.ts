import type { CiChildTrigger, CiTrigger } from './ci-config.js';
import { CiProblem } from './ci-problem.js';
import { isMap, jsonOf, type Json } from './ci-value.js';
import type { Entry } from './entry.js';
import type { CompileRegex } from './expression.js';
import { MOST_INPUTS } from './inputs.js';
import { includeReading, includesOf } from './read-includes.js';

const KEYS: ReadonlySet<string> = new Set(['project', 'branch', 'strategy', 'forward', 'include', 'inputs']);
const FORWARD: ReadonlySet<string> = new Set(['yaml_variables', 'pipeline_variables']);
const LONGEST_PATH = 1_024;
const LONGEST_REF = 255;
const MOST_FILES = 3;
/** Of all inputs together, as JSON. */
const LONGEST_INPUTS = 65_536;

/** What a job may say beside it: it runs nothing itself. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['trigger', 'stage', 'rules', 'only', 'except', 'when', 'start_in', 'allow_failure', 'variables', 'needs'],
  ...['extends', 'inherit', 'interruptible', 'resource_group'],
]);

/** The only default that is of any use to a job that starts a pipeline. */
export const DEFAULTS_OF_TRIGGERS: ReadonlySet<string> = new Set(['interruptible']);

/** Tells what can't be said of a job that starts a pipeline, of all that can be said of jobs. */
export const tellKeysBeside = (entry: Entry, known: ReadonlySet<string>): void => {
  for (const key of known)
    if (!BESIDE.has(key) && entry.at(key) !== undefined)
      entry.error(
        `config: \`${key}\` can't be used with \`trigger\`; the job starts a pipeline, and runs nothing itself.`,
      );
};

/** The pipeline that a job starts. @returns undefined, with an error, for what names neither a project nor files. */
export const triggerOf = (entry: Entry, compile: CompileRegex): CiTrigger | undefined => {
  if (!isMap(entry.value)) {
    const project = projectOf(entry, 'config should be the path of a project, or a hash');
    return project === undefined ? undefined : { project, branch: null, depends: false, forwards: FORWARDS };
  }
  entry.knows(KEYS);
  const start = {
    depends: entry.read('strategy', dependsOf, false),
    forwards: entry.read('forward', forwardOf, FORWARDS),
  };
  const include = entry.at('include');
  if (include !== undefined) return childOf(entry, include, start, compile);
  const said = entry.at('project');
  const project =
    said === undefined
      ? entry.error('config should have a `project`, or files to `include`')
      : projectOf(said, 'config should be a path');
  const branch = entry.read('branch', branchOf, null);
  const inputs = entry.read('inputs', givenIn, undefined);
  return project === undefined ? undefined : { project, branch, ...start, ...(inputs !== undefined && { inputs }) };
};

const dependsOf = (entry: Entry): boolean | undefined => {
  const strategy = entry.oneOf(['depend', 'mirror']);
  if (strategy === 'mirror')
    entry.problems.warn(`${entry.name}: \`mirror\` is as \`depend\` here: the job runs until that pipeline has ended`);
  return strategy && true;
};

/** Whoever makes that pipeline knows it. */
const NOTHING_KNOWN = { fill: undefined, artifacts: true };

const FORWARDS: CiTrigger['forwards'] = { yamlVariables: true, pipelineVariables: false };

const childOf = (
  entry: Entry,
  { value }: Entry,
  start: Pick<CiTrigger, 'depends' | 'forwards'>,
  compile: CompileRegex,
): CiTrigger | undefined => {
  for (const key of ['project', 'branch', 'inputs'])
    if (entry.at(key) !== undefined) entry.error(`config: \`${key}\` and \`include\` can't be used together`);
  try {
    const { length } = includesOf(value, includeReading(compile, NOTHING_KNOWN), null).flatMap(({ files }) => files);
    if (length === 0) return entry.error('include should name a file');
    if (length > MOST_FILES) return entry.error(`include has too many files (maximum is ${MOST_FILES})`);
  } catch (error) {
    if (error instanceof CiProblem) return entry.error(error.message);
    throw error;
  }
  return { include: jsonOf(value), ...start };
};

/** What the CI file of the pipeline that a job starts says, which has none of its own. */
export const textOfChild = ({ include }: CiChildTrigger): string => JSON.stringify({ include });

const projectOf = (entry: Entry, otherwise: string): string | undefined => {
  if (typeof entry.value !== 'string') return entry.error(otherwise);
  const path = entry.text(LONGEST_PATH)?.replace(/^\/+/, '');
  return path === '' ? entry.error("config can't be blank") : path;
};

const branchOf = (entry: Entry): string | undefined => {
  const branch = entry.text(LONGEST_REF);
  return branch === '' ? entry.error("config can't be blank") : branch;
};

const givenIn = (entry: Entry): Json | undefined => {
  const said = entry.map();
  if (said === undefined) return undefined;
  const inputs = jsonOf(said);
  if (said.size > MOST_INPUTS || JSON.stringify(inputs).length > LONGEST_INPUTS)
    return entry.error(`config has too much in it (maximum is ${MOST_INPUTS} inputs of ${LONGEST_INPUTS} characters)`);
  return inputs;
};

const forwardOf = (entry: Entry): CiTrigger['forwards'] | undefined => {
  if (entry.map() === undefined) return undefined;
  entry.knows(FORWARD);
  return {
    yamlVariables: entry.read('yaml_variables', (said) => said.boolean(), true),
    pipelineVariables: entry.read('pipeline_variables', (said) => said.boolean(), false),
  };
};
