import { regexCompiler } from '../../src/adapters/outbound/ci/compile-regex.js';
import { readYaml } from '../../src/adapters/outbound/ci/read-yaml.js';
import type { CiConfig, CiReading } from '../../src/domain/pipelines/ci-file/ci-config.js';
import type { Circumstances, Plan, Planning } from '../../src/domain/pipelines/ci-file/plan.js';
import type { CiFileTools } from '../../src/domain/pipelines/ci-file/includes.js';
import { isPathOf, isPattern } from '../../src/domain/pipelines/ci-file/path-patterns.js';
import { planJobs } from '../../src/domain/pipelines/ci-file/plan-jobs.js';
import { readCiFile } from '../../src/domain/pipelines/ci-file/read-ci-file.js';

/** What is known beside a file. */
interface Beside extends Pick<CiFileTools, 'known' | 'shown' | 'naming' | 'inputs'> {
  /** The paths that have changed; everything unless told. */
  readonly changed?: readonly string[];
}

/**
 * What a CI file says, where these files are beside it; those of other projects by `project@ref:path`, templates by
 * `template:name`, remote ones by their address.
 */
export const readingOf = (
  text: string,
  files: Readonly<Record<string, string>> = {},
  { changed, ...beside }: Beside = {},
): CiReading => {
  const asking = readCiFile(text, { readYaml, compile: regexCompiler(), host: 'here.example', ...beside });
  let step = asking.next();
  while (step.done !== true) {
    if ('list' in step.value) {
      step = asking.next({ listed: step.value.list === 'changed' ? changed : Object.keys(files) });
      continue;
    }
    const { path, code, template, remote } = step.value;
    if (template !== true && remote !== true && isPattern(path)) {
      const paths = Object.keys(files).filter((each) => code === null && isPathOf(path, each));
      step = asking.next({ paths });
      continue;
    }
    const own = template === true ? `template:${path}` : path;
    const name = code === null ? own : `${code.project}@${code.ref ?? 'HEAD'}:${path}`;
    step = asking.next(Object.hasOwn(files, name) ? { text: files[name]! } : { missing: 'file' });
  }
  return step.value;
};

export const problemsOf = (
  text: string,
  files?: Readonly<Record<string, string>>,
  beside?: Beside,
): readonly string[] => {
  const reading = readingOf(text, files, beside);
  return reading.kind === 'refused' ? reading.problems : [];
};

export const configOf = (text: string, files?: Readonly<Record<string, string>>, beside?: Beside): CiConfig => {
  const reading = readingOf(text, files, beside);
  if (reading.kind === 'refused') throw new Error(reading.problems.join('\n'));
  return reading.config;
};

/** A push to the branch `main`, unless told otherwise. */
export const circumstances = (told: Partial<Circumstances> = {}): Circumstances => ({
  ...{ ref: 'main', tag: false, defaultBranch: 'main', source: 'push', variables: new Map() },
  ...{ changedPaths: undefined, paths: [] },
  ...told,
});

export const planningOf = (text: string, told: Partial<Circumstances> = {}): Planning =>
  planJobs(configOf(text), circumstances(told));

export const planOf = (text: string, told: Partial<Circumstances> = {}): Plan => {
  const planning = planningOf(text, told);
  if (planning.kind !== 'planned') throw new Error(JSON.stringify(planning));
  return planning.plan;
};

export const jobNames = (text: string, told: Partial<Circumstances> = {}): readonly string[] => {
  const planning = planningOf(text, told);
  return planning.kind === 'planned' ? planning.plan.jobs.map(({ name }) => name) : [];
};
