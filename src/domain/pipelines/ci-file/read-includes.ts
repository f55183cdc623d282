import { CiProblem, CiProblems } from './ci-problem.js';
import { isList, isMap, type CiMap, type CiValue } from './ci-value.js';
import { Entry } from './entry.js';
import { readCondition, type CompileRegex, type ReadCondition } from './expression.js';
import { patternsOf } from './read-conditions.js';

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

/** Holds where all that it asks does. */
export interface IncludeRule {
  readonly condition: ReadCondition | null;
  readonly changes: readonly string[] | null;
  readonly exists: readonly string[] | null;
  readonly wants: boolean;
}

/** Files that are included together, or not. */
export interface Include {
  readonly files: readonly IncludedFile[];
  /** The first that holds decides; null where they are always. */
  readonly rules: readonly IncludeRule[] | null;
  /** What each of the files is given. */
  readonly inputs: CiMap;
}

/** How includes are read. */
export interface IncludeReading {
  /** Undefined for what is none. */
  readonly conditionOf: (text: string) => ReadCondition | undefined;
  /** Is told of each include, rule and pattern before it is looked at. @throws CiProblem where that is too much. */
  readonly spend: (count: number) => void;
}

/** Includes, also those that are not wanted, with their rules and the patterns of these: aliases say many with few words. */
const MOST_ASKED = 5_000;
const MOST_PATH = 1024;
const MOST_RULES = 100;
const OUTCOMES: readonly CiValue[] = [null, 'always', 'never'];
const RULE: readonly string[] = ['if', 'changes', 'exists', 'when'];
const ELSEWHERE: ReadonlySet<string> = new Set(['remote', 'template', 'component', 'artifact']);
const NO_INPUTS: CiMap = new Map();

/** For all files that are read together. */
export const includeReading = (compile: CompileRegex): IncludeReading => {
  const conditions = new Map<string, ReadCondition | undefined>();
  let left = MOST_ASKED;
  return {
    conditionOf: (text) => {
      if (!conditions.has(text)) conditions.set(text, readCondition(text, compile));
      return conditions.get(text);
    },
    spend: (count) => {
      left -= count;
      if (left < 0)
        throw new CiProblem(`Files name at most ${MOST_ASKED} includes, rules of them and patterns of these.`);
    },
  };
};

/**
 * What an `include` names, and might bring.
 * @param code of the file that includes them: what is local there is of the same.
 * @throws CiProblem for what can't be included.
 */
export const includesOf = (include: CiValue, reading: IncludeReading, code: OtherCode | null): readonly Include[] => {
  if (include === null) return [];
  return (isList(include) ? include : [include]).map((each) => includeOf(each, reading, code));
};

const includeOf = (include: CiValue, reading: IncludeReading, code: OtherCode | null): Include => {
  reading.spend(1);
  if (typeof include === 'string' && /^https?:\/\//.test(include)) throw new CiProblem(notHere('remote'));
  if (!isMap(include)) return { files: [{ path: pathOf(include), code }], rules: null, inputs: NO_INPUTS };
  requireKnown(include);
  const rules = rulesOf(include.get('rules') ?? null, reading);
  const inputs = include.get('inputs') ?? NO_INPUTS;
  if (!isMap(inputs)) throw new CiProblem('include:inputs config should be a hash');
  return { files: filesOf(include, code), rules, inputs };
};

const filesOf = (include: CiMap, code: OtherCode | null): readonly IncludedFile[] => {
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

const rulesOf = (rules: CiValue, reading: IncludeReading): readonly IncludeRule[] | null => {
  if (rules === null) return null;
  if (!isList(rules) || rules.length > MOST_RULES)
    throw new CiProblem(`include:rules config should be an array of ${MOST_RULES} hashes at most`);
  reading.spend(rules.length);
  return rules.map((rule) => ruleOf(rule, reading));
};

const ruleOf = (rule: CiValue, reading: IncludeReading): IncludeRule => {
  if (!isMap(rule)) throw new CiProblem('include:rules:rule config should be a hash');
  const unknown = [...rule.keys()].find((key) => !RULE.includes(key));
  if (unknown !== undefined)
    throw new CiProblem(`include:rules: \`${unknown}\` is not supported; \`${RULE.join('`, `')}\` are.`);
  const [condition, when] = [rule.get('if') ?? null, rule.get('when') ?? null];
  if (!OUTCOMES.includes(when)) throw new CiProblem('include:rules:rule when should be `always` or `never`');
  const read = typeof condition === 'string' ? reading.conditionOf(condition) : condition;
  if (read !== null && typeof read !== 'function')
    throw new CiProblem('include:rules:rule if invalid expression syntax');
  return { condition: read, ...pathsAsked(rule, reading), wants: when !== 'never' };
};

const pathsAsked = (rule: CiMap, { spend }: IncludeReading): Pick<IncludeRule, 'changes' | 'exists'> => {
  const problems = new CiProblems();
  const entry = new Entry(rule, 'include:rules:rule', problems);
  const [changes, exists] = (['changes', 'exists'] as const).map((key) => entry.read(key, patternsOf, null));
  if (problems.errors.length > 0) throw new CiProblem(problems.errors.join(', '));
  spend((changes ?? []).length + (exists ?? []).length);
  return { changes: changes ?? null, exists: exists ?? null };
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
  const known = [...(include.has('project') ? ['project', 'ref', 'file'] : ['local']), 'rules', 'inputs'];
  for (const key of include.keys()) {
    if (ELSEWHERE.has(key)) throw new CiProblem(notHere(key));
    if (!known.includes(key)) throw new CiProblem(`include config contains unknown keys: ${key}`);
  }
};

const notHere = (kind: string): string =>
  `include: \`${kind}\` is not supported; only files of this project (\`local\`) and of others here (\`project\`) can be included.`;
