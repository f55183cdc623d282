import type { CiTrigger } from './ci-config.js';
import { isMap } from './ci-value.js';
import type { Entry } from './entry.js';

const KEYS: ReadonlySet<string> = new Set(['project', 'branch', 'strategy', 'forward', 'include']);
const FORWARD: ReadonlySet<string> = new Set(['yaml_variables', 'pipeline_variables']);
const LONGEST_PATH = 1_024;
const LONGEST_REF = 255;

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

/** The pipeline that a job starts. @returns undefined, with an error, for what names no project. */
export const triggerOf = (entry: Entry): CiTrigger | undefined => {
  const forwards = { yamlVariables: true, pipelineVariables: false };
  if (!isMap(entry.value)) {
    const project = projectOf(entry, 'config should be the path of a project, or a hash');
    return project === undefined ? undefined : { project, branch: null, depends: false, forwards };
  }
  entry.knows(KEYS);
  if (entry.at('include') !== undefined)
    return entry.error('config: `include` is not supported; a job can start pipelines of projects only.');
  const said = entry.at('project');
  const project =
    said === undefined ? entry.error("project can't be blank") : projectOf(said, 'config should be a path');
  const branch = entry.read('branch', branchOf, null);
  const strategy = entry.read('strategy', (each) => each.oneOf(['depend']), null);
  const forward = entry.read('forward', forwardOf, forwards);
  return project === undefined ? undefined : { project, branch, depends: strategy === 'depend', forwards: forward };
};

const projectOf = (entry: Entry, otherwise: string): string | undefined => {
  if (typeof entry.value !== 'string') return entry.error(otherwise);
  const path = entry.text(LONGEST_PATH)?.replace(/^\/+/, '');
  return path === '' ? entry.error("config can't be blank") : path;
};

const branchOf = (entry: Entry): string | undefined => {
  const branch = entry.text(LONGEST_REF);
  return branch === '' ? entry.error("config can't be blank") : branch;
};

const forwardOf = (entry: Entry): CiTrigger['forwards'] | undefined => {
  if (entry.map() === undefined) return undefined;
  entry.knows(FORWARD);
  return {
    yamlVariables: entry.read('yaml_variables', (said) => said.boolean(), true),
    pipelineVariables: entry.read('pipeline_variables', (said) => said.boolean(), false),
  };
};
