import type { ProblemCollector } from './problem-collector.js';

/** Where a project says that its CI file is: in its own repository, or in that of another project. */
export interface CiConfigPlace {
  /** From the root of the repository. */
  readonly path: string;
  /** Null for its own; `ref` is null for the default branch. */
  readonly code: { readonly project: string; readonly ref: string | null } | null;
}

/** What the CI file of a commit is called where its project doesn't say, and none is there. */
export const USUAL_CI_FILE = '.gitlab-ci.yml';

/** Where it is looked for in the commit's own repository where its project doesn't say: the first that is there counts. */
export const USUAL_CI_FILES: readonly string[] = ['.platform-ci.yml', USUAL_CI_FILE];

const ATTRIBUTE = 'ci_config_path';
const LONGEST = 255;
/** In code points: none of them stands in a path that anybody could write down. */
const LAST_CONTROL = 0x1f;
const DELETE = 0x7f;

/** What was given as the path, from the root of the repository; null where nothing is said. */
export const ciConfigPathIn = (given: string | null): string | null => {
  const path = (given ?? '').trim().replace(/^(?:\.?\/)+/, '');
  return path === '' ? null : path;
};

/** `path`, or `path@group/project:ref` for a file of another project, with or without `:ref`. */
export const ciConfigPlace = (configPath: string): CiConfigPlace => {
  const [path, elsewhere] = splitAt(configPath, '@');
  if (elsewhere === undefined) return { path, code: null };
  const [project, ref] = splitAt(elsewhere, ':');
  return { path, code: { project, ref: ref ?? null } };
};

/**
 * Where the CI file of a commit is looked for in its own repository: the first that is there counts. Nowhere, where its project says that it is
 * in another one.
 */
export const ownCiFiles = (configPath: string | null): readonly string[] => {
  if (configPath === null) return USUAL_CI_FILES;
  const { path, code } = ciConfigPlace(configPath);
  return code === null ? [path] : [];
};

/** Whether the CI file is one of another project. */
export const isElsewhere = (configPath: string): boolean => ciConfigPlace(configPath).code !== null;

/** What is wrong with a path as `ciConfigPathIn` returns it. */
export const checkCiConfigPath = (problems: ProblemCollector, configPath: string | null): void => {
  if (configPath === null) return;
  problems.check(configPath.length <= LONGEST, ATTRIBUTE, `is too long (maximum is ${LONGEST} characters)`);
  const problem = problemOf(configPath);
  if (problem !== undefined) problems.add(ATTRIBUTE, problem);
};

const problemOf = (configPath: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(configPath)) return 'is an address: only files in repositories here can be used';
  if (Array.from(configPath).some(isControl)) return 'has a control character';
  const { path, code } = ciConfigPlace(configPath);
  if (!isPath(path)) return 'is not a path in a repository: no part of it may be empty, `.` or `..`';
  return code === null ? undefined : problemElsewhere(path, code);
};

/** Files of other projects are included: what can't be included can't be the CI file. */
const problemElsewhere = (path: string, { project, ref }: NonNullable<CiConfigPlace['code']>): string | undefined => {
  if (!/\.ya?ml$/.test(path)) return 'of another project must end in .yml or .yaml';
  if (/[$*]/.test(path) || project.includes('$') || ref?.includes('$') === true)
    return 'of another project has no variables and no patterns';
  if (!project.includes('/') || !isPath(project) || ref === '')
    return 'of another project is written as path@group/project or path@group/project:ref';
  return undefined;
};

const isPath = (path: string): boolean => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const isControl = (sign: string): boolean => {
  const point = sign.codePointAt(0)!;
  return point <= LAST_CONTROL || point === DELETE;
};

const splitAt = (text: string, sign: string): readonly [string, string | undefined] => {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};
