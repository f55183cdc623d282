import { CiProblem } from './ci-problem.js';
import { readCondition, type CompileRegex, type Variables } from './expression.js';
import { isPattern } from './path-patterns.js';
import { deepMerge, isBounded, isList, isMap, type CiMap, type CiValue, type ReadYaml } from './ci-value.js';

/** The code of another project. */
export interface OtherCode {
  /** Its full path. */
  readonly project: string;
  /** A branch, a tag or a commit; null for its default branch. */
  readonly ref: string | null;
}

/** A file by its path from the root of the repository, or files by a pattern of paths. */
export interface IncludedFile {
  readonly path: string;
  /** Null for the commit that the CI file itself is of. */
  readonly code: OtherCode | null;
}

/** Its text, for a pattern the paths of all that are of it, or what there is not. */
export type FoundFile =
  | { readonly text: string }
  | { readonly paths: readonly string[] }
  | { readonly missing: 'file' | 'reference' | 'project' };

/** Asks for files that are included. */
export type CiFileAsking<Result> = Generator<IncludedFile, Result, FoundFile>;

const MOST_FILES = 150;
/** Other projects, and branches of them: each is looked for, and whether it may be read. */
const MOST_OTHERS = 20;
/** Each is held against all paths of a commit. */
const MOST_PATTERNS = 5;
const MOST_TEXT = 1024 * 1024;
const DEEPEST_INCLUDE = 20;
const MOST_PATH = 1024;
const MOST_RULES = 100;
const OUTCOMES: readonly CiValue[] = [null, 'always', 'never'];
const MUST_BE_MAP = 'Invalid configuration format';
const ELSEWHERE: ReadonlySet<string> = new Set(['remote', 'template', 'component', 'artifact']);

/** What the domain is given to read with. */
export interface CiFileTools {
  readonly readYaml: ReadYaml;
  readonly compile: CompileRegex;
  /** The variables that decide whether a file is included; where nobody knows them, it is. */
  readonly known?: () => Variables;
}

interface Including extends CiFileTools {
  /** How much was read so far. */
  files: number;
  readonly others: Set<string>;
  patterns: number;
  text: number;
}

/** The configuration of a text with all that it includes under it. */
export function* withIncludes(text: string, tools: CiFileTools): CiFileAsking<CiMap> {
  const merged = yield* included(text, { ...tools, files: 0, others: new Set(), patterns: 0, text: 0 }, []);
  return merged;
}

function* included(text: string, so: Including, within: readonly IncludedFile[]): CiFileAsking<CiMap> {
  const own = parsed(text, so, within);
  let below: CiMap = new Map();
  for (const file of yield* eachOf(filesOf(own.get('include') ?? null, so, within.at(-1)?.code ?? null), so, within)) {
    const named = nameOf(file);
    if (within.some((each) => isSame(each, file))) throw new CiProblem(`${named} includes itself.`);
    if (within.length >= DEEPEST_INCLUDE)
      throw new CiProblem(`Files include each other ${DEEPEST_INCLUDE} levels deep at most.`);
    so.files += 1;
    if (so.files > MOST_FILES) throw new CiProblem(`Maximum of ${MOST_FILES} nested includes are allowed!`);
    const found = yield* asked(file, so);
    const content = 'text' in found ? found.text : '';
    if (content.trim() === '') throw new CiProblem(`${named} is empty!`);
    below = deepMerge(below, yield* included(content, so, [...within, file]));
  }
  const above = new Map(own);
  above.delete('include');
  return deepMerge(below, above);
}

function* asked(file: IncludedFile, so: Including): CiFileAsking<Exclude<FoundFile, { readonly missing: unknown }>> {
  if (file.code !== null) so.others.add(JSON.stringify(file.code));
  if (so.others.size > MOST_OTHERS)
    throw new CiProblem(`Files of at most ${MOST_OTHERS} other projects, or branches of them, can be included.`);
  const found = yield file;
  if ('missing' in found) throw new CiProblem(withoutFile(file, found.missing));
  return found;
}

/** Where a pattern stands, all files that are of it, in the order of their paths; not those that it stands in. */
function* eachOf(
  files: readonly IncludedFile[],
  so: Including,
  within: readonly IncludedFile[],
): CiFileAsking<readonly IncludedFile[]> {
  const each: IncludedFile[] = [];
  for (const file of files) {
    if (!isPattern(file.path)) {
      each.push(file);
      continue;
    }
    so.patterns += 1;
    if (so.patterns > MOST_PATTERNS) throw new CiProblem(`Files are included by at most ${MOST_PATTERNS} patterns.`);
    const found = yield* asked(file, so);
    const paths = 'paths' in found ? found.paths : [];
    if (paths.length === 0) throw new CiProblem(withoutFile(file, 'file'));
    const all = [...paths].sort().map((path) => ({ path, code: file.code }));
    each.push(...all.filter((one) => !within.some((other) => isSame(one, other))));
  }
  return each;
}

const isSame = (one: IncludedFile, other: IncludedFile): boolean =>
  one.path === other.path && one.code?.project === other.code?.project && one.code?.ref === other.code?.ref;

const nameOf = ({ path, code }: IncludedFile): string =>
  code === null ? `Local file \`${path}\`` : `Project \`${code.project}\` file \`${path}\``;

/** Whoever may not read a project isn't told that it is there. */
const withoutFile = (file: IncludedFile, missing: 'file' | 'reference' | 'project'): string => {
  const { project = '', ref = null } = file.code ?? {};
  if (missing === 'project')
    return `Project \`${project}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;
  return missing === 'reference'
    ? `Project \`${project}\` reference \`${ref ?? 'HEAD'}\` does not exist!`
    : `${nameOf(file)} does not exist!`;
};

const parsed = (text: string, so: Including, within: readonly IncludedFile[]): CiMap => {
  so.text += text.length;
  if (so.text > MOST_TEXT) throw new CiProblem('The file, with all that it includes, is longer than 1 MB.');
  const file = within.at(-1);
  const place = file === undefined ? '' : `\`${file.code === null ? '' : `${file.code.project}: `}${file.path}\`: `;
  const read = so.readYaml(text);
  if ('problem' in read) throw new CiProblem(`${place}${read.problem}`);
  if (!isBounded(read.value)) throw new CiProblem(`${place}The file says too much, or is nested too deeply.`);
  if (!isMap(read.value)) throw new CiProblem(`${place}${MUST_BE_MAP}`);
  return read.value;
};

type Reading = Pick<CiFileTools, 'compile' | 'known'>;

/** @param code of the file that includes them: what is local there is of the same. */
const filesOf = (include: CiValue, so: Reading, code: OtherCode | null): readonly IncludedFile[] => {
  if (include === null) return [];
  return (isList(include) ? include : [include]).flatMap((each) => filesIn(each, so, code));
};

/** All files that an `include` names, and might bring. @throws CiProblem for what can't be included. */
export const filesIncluded = (include: CiValue, compile: CompileRegex): readonly IncludedFile[] =>
  filesOf(include, { compile }, null);

const filesIn = (include: CiValue, so: Reading, code: OtherCode | null): readonly IncludedFile[] => {
  if (typeof include === 'string' && /^https?:\/\//.test(include)) throw new CiProblem(notHere('remote'));
  if (!isMap(include)) return [{ path: pathOf(include), code }];
  requireKnown(include);
  if (!isWanted(include.get('rules') ?? null, so)) return [];
  if (!include.has('project')) return [{ path: pathOf(include.get('local') ?? null), code }];
  const ref = include.get('ref');
  const other = {
    project: nameIn(include.get('project') ?? null, 'project').replace(/^\/+/, ''),
    ref: ref === undefined ? null : nameIn(ref, 'ref'),
  };
  return pathsIn(include.get('file') ?? null).map((path) => ({ path, code: other }));
};

const pathsIn = (files: CiValue): readonly string[] =>
  (isList(files) && files.length > 0 ? files : [files]).map(pathOf);

/** By the first rule that holds; where none does, it isn't. */
const isWanted = (rules: CiValue, so: Reading): boolean => {
  if (rules === null) return true;
  if (!isList(rules) || rules.length > MOST_RULES)
    throw new CiProblem(`include:rules config should be an array of ${MOST_RULES} hashes at most`);
  const read = rules.map((rule) => ruleOf(rule, so));
  const variables = so.known?.();
  if (variables === undefined) return true;
  return read.find(({ holds }) => holds(variables))?.wants ?? false;
};

const ruleOf = (rule: CiValue, { compile }: Reading) => {
  if (!isMap(rule)) throw new CiProblem('include:rules:rule config should be a hash');
  for (const key of rule.keys())
    if (key !== 'if' && key !== 'when')
      throw new CiProblem(`include:rules: \`${key}\` is not supported; \`if\` and \`when\` are.`);
  const [condition, when] = [rule.get('if') ?? null, rule.get('when') ?? null];
  if (!OUTCOMES.includes(when)) throw new CiProblem('include:rules:rule when should be `always` or `never`');
  const holds = condition === null ? () => true : typeof condition === 'string' && readCondition(condition, compile);
  if (!holds) throw new CiProblem('include:rules:rule if invalid expression syntax');
  return { holds, wants: when !== 'never' };
};

const nameIn = (value: CiValue, key: string): string => {
  if (typeof value !== 'string' || value === '' || value.length > MOST_PATH)
    throw new CiProblem(`include: \`${key}\` should be a string`);
  requireNoVariables(value);
  return value;
};

const requireNoVariables = (text: string): void => {
  if (text.includes('$')) throw new CiProblem(`include: \`${text}\` has a variable; none are put in its place here.`);
};

const pathOf = (path: CiValue): string => {
  if (typeof path !== 'string' || path === '' || path.length > MOST_PATH)
    throw new CiProblem('include config should be a path, or a hash with `local`, or with `project` and `file`');
  requireNoVariables(path);
  if (!/\.ya?ml$/.test(path)) throw new CiProblem(`Included file \`${path}\` does not have YAML extension!`);
  return path.replace(/^\.?\/+/, '');
};

const requireKnown = (include: CiMap): void => {
  const known = [...(include.has('project') ? ['project', 'ref', 'file'] : ['local']), 'rules'];
  for (const key of include.keys()) {
    if (ELSEWHERE.has(key)) throw new CiProblem(notHere(key));
    if (!known.includes(key)) throw new CiProblem(`include config contains unknown keys: ${key}`);
  }
};

const notHere = (kind: string): string =>
  `include: \`${kind}\` is not supported; only files of this project (\`local\`) and of others here (\`project\`) can be included.`;
