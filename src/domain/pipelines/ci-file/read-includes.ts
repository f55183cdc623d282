import { CiProblem, CiProblems } from './ci-problem.js';
import { isList, isMap, type CiMap, type CiValue } from './ci-value.js';
import { Entry } from './entry.js';
import { readCondition, type CompileRegex, type ReadCondition } from './expression.js';
import { CHANGES, compareToOf, patternsOf } from './read-conditions.js';
import { outboundUrlProblem, withoutCredentials } from '../../shared/outbound-url.js';

/** The code of another project. */
export interface OtherCode {
  /** Its full path. */
  readonly project: string;
  /** A branch, a tag or a commit; null for its default branch. */
  readonly ref: string | null;
  /** Of a component: the reference is a version of it. */
  readonly versioned?: true;
}

/** A file by its path from the root of the repository, or files by a pattern of paths. */
export interface IncludedFile {
  readonly path: string;
  /** Where it is instead if it isn't there. */
  readonly orAt?: string;
  /** Null for the commit that the CI file itself is of. */
  readonly code: OtherCode | null;
  /** It comes with the service, and is of no commit; its path is what it is called. */
  readonly template?: true;
  /** It is elsewhere, and of no commit; its path is its address. */
  readonly remote?: true;
  /** The job of the pipeline that starts this one, in whose archive it is. */
  readonly job?: string;
  /** How a component was named. */
  readonly component?: string;
}

/** Holds where all that it asks does. */
export interface IncludeRule {
  readonly condition: ReadCondition | null;
  readonly changes: readonly string[] | null;
  /** What changes are counted since, as it was written; absent for what the pipeline itself counts from. */
  readonly compareTo?: string;
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
  /** Puts in the values of variables that are known; those that are left are refused. Undefined where nobody knows any yet: all are left. */
  readonly fill: ((text: string) => string) | undefined;
  /** Whether files that jobs left may be included: a job that starts the pipeline says so. */
  readonly artifacts?: boolean | undefined;
  /** Where this installation is, as components name it; undefined where nobody knows. */
  readonly host?: string | undefined;
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
/** Which keys name what is included, with those that belong to them. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  local: [],
  project: ['ref', 'file'],
  template: [],
  component: [],
  remote: [],
  artifact: ['job'],
};
const NO_INPUTS: CiMap = new Map();

/** For all files that are read together. */
export const includeReading = (
  compile: CompileRegex,
  { fill, host, artifacts }: Pick<IncludeReading, 'fill' | 'host' | 'artifacts'>,
): IncludeReading => {
  const conditions = new Map<string, ReadCondition | undefined>();
  let left = MOST_ASKED;
  return {
    fill,
    host,
    artifacts,
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
  if (typeof include === 'string' && ADDRESS.test(include))
    return includeOf(new Map([['remote', include]]), reading, code);
  if (!isMap(include)) return { files: [{ path: pathOf(include, reading), code }], rules: null, inputs: NO_INPUTS };
  requireKnown(include, reading);
  const rules = rulesOf(include.get('rules') ?? null, reading);
  const inputs = include.get('inputs') ?? NO_INPUTS;
  if (!isMap(inputs)) throw new CiProblem('include:inputs config should be a hash');
  return { files: filesOf(include, reading, code), rules, inputs };
};

const filesOf = (include: CiMap, reading: IncludeReading, code: OtherCode | null): readonly IncludedFile[] => {
  if (include.has('template')) return [templateOf(nameIn(include, 'template', reading))];
  if (include.has('component')) return [componentOf(nameIn(include, 'component', reading), reading)];
  if (include.has('remote')) return [remoteOf(nameIn(include, 'remote', reading))];
  if (include.has('artifact')) {
    const path = pathOf(include.get('artifact') ?? null, reading);
    return [{ path, code: null, job: nameIn(include, 'job', reading) }];
  }
  if (!include.has('project')) return [{ path: pathOf(include.get('local') ?? null, reading), code }];
  const other = {
    project: nameIn(include, 'project', reading).replace(/^\/+/, ''),
    ref: include.has('ref') ? nameIn(include, 'ref', reading) : null,
  };
  const paths = pathsIn(include.get('file') ?? null, reading);
  return paths.map((path) => ({ path, code: other }));
};

const templateOf = (name: string): IncludedFile => ({ path: name, code: null, template: true });

const ADDRESS = /^https?:\/\//i;

/** Where its host leads is looked at when it is fetched. */
const remoteOf = (address: string): IncludedFile => {
  const problem = hasVariable(address) ? undefined : outboundUrlProblem(address, () => true);
  if (problem !== undefined) throw new CiProblem(`include: the address \`${withoutCredentials(address)}\` ${problem}`);
  return { path: address, code: null, remote: true };
};

const COMPONENT = /^([^/]+)\/(.+)\/([^/@]+)@([^@]+)$/;

const componentOf = (said: string, { host }: IncludeReading): IncludedFile => {
  const [, at, project = '', name = '', version = ''] = COMPONENT.exec(said) ?? [];
  // Its variables are put in later: only then it has an address.
  if (at === undefined && hasVariable(said)) return { path: said, code: null, component: said };
  if (at === undefined)
    throw new CiProblem(
      `include: the component \`${said}\` should be named as \`$CI_SERVER_FQDN/group/project/name@version\``,
    );
  if (host !== undefined && at.toLowerCase() !== host.toLowerCase())
    throw new CiProblem(`include: the component \`${said}\` is not of this installation (\`${host}\`).`);
  return {
    ...{ path: `templates/${name}.yml`, orAt: `templates/${name}/template.yml`, component: said },
    code: { project, ref: version, versioned: true },
  };
};

const pathsIn = (files: CiValue, reading: IncludeReading): readonly string[] =>
  (isList(files) && files.length > 0 ? files : [files]).map((file) => pathOf(file, reading));

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

const pathsAsked = (rule: CiMap, { spend }: IncludeReading): Pick<IncludeRule, 'changes' | 'compareTo' | 'exists'> => {
  const problems = new CiProblems();
  const entry = new Entry(rule, 'include:rules:rule', problems);
  const changes = entry.read('changes', (said) => patternsOf(said, CHANGES), null);
  const compareTo = entry.at('changes')?.read('compare_to', compareToOf, undefined);
  const exists = entry.read('exists', (said) => patternsOf(said), null);
  if (problems.errors.length > 0) throw new CiProblem(problems.errors.join(', '));
  spend((changes ?? []).length + (exists ?? []).length);
  return { changes, ...(compareTo !== undefined && { compareTo }), exists };
};

const nameIn = (include: CiMap, key: string, reading: IncludeReading): string => {
  const value = include.get(key) ?? null;
  if (typeof value !== 'string' || value === '' || value.length > MOST_PATH)
    throw new CiProblem(`include: \`${key}\` should be a string`);
  return filled(value, reading);
};

const hasVariable = (text: string): boolean => text.includes('$');

const filled = (text: string, { fill }: IncludeReading): string => {
  if (fill === undefined) return text;
  const name = fill(text);
  if (hasVariable(name)) throw new CiProblem(`include: \`${text}\` has a variable that isn't known here.`);
  if (name === '' || name.length > MOST_PATH)
    throw new CiProblem(`include: \`${text}\` is nothing, or too long, with its variables.`);
  return name;
};

const pathOf = (said: CiValue, reading: IncludeReading): string => {
  if (typeof said !== 'string' || said === '' || said.length > MOST_PATH) throw new CiProblem(NO_PATH);
  const path = filled(said, reading);
  if (!/\.ya?ml$/.test(path) && !hasVariable(path))
    throw new CiProblem(`Included file \`${path}\` does not have YAML extension!`);
  return path.replace(/^\.?\/+/, '');
};

const NO_PATH =
  'include config should be a path, or a hash with `local`, with `project` and `file`, or with `template`, `component` or `remote`';

const requireKnown = (include: CiMap, { artifacts }: IncludeReading): void => {
  if (include.has('artifact') && artifacts !== true) throw new CiProblem(NO_ARTIFACTS);
  const [kind = 'local', other] = Object.keys(KINDS).filter((key) => include.has(key));
  if (other !== undefined) throw new CiProblem(`include: \`${kind}\` and \`${other}\` can't be used together`);
  const known = [kind, ...(KINDS[kind] ?? []), 'rules', 'inputs'];
  const unknown = [...include.keys()].find((key) => !known.includes(key));
  if (unknown !== undefined) throw new CiProblem(`include config contains unknown keys: ${unknown}`);
};

const NO_ARTIFACTS =
  'include: `artifact` can only be included by a `trigger`: jobs leave files once there is a pipeline.';
