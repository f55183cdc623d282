import { CiProblem } from './ci-problem.js';
import { deepMerge, isBounded, isMap, type CiMap, type ReadYaml } from './ci-value.js';
import { MOST_COMPARED } from './compared-refs.js';
import { areHolding, type PathsAsked } from './conditions.js';
import type { CompileRegex, Variables } from './expression.js';
import { headerOf } from './header.js';
import { filledOnce, isVariable, itself, nothing } from '../variables-in-text.js';
import { inputsOf } from './inputs.js';
import { interpolated, roomForInputs, type RoomForInputs } from './interpolation.js';
import { isPattern, pathSet, pathWork, type PathSet, type PathWork } from './path-patterns.js';
import {
  includeReading,
  includesOf,
  type Include,
  type IncludedFile,
  type IncludeReading,
  type IncludeRule,
} from './read-includes.js';

/** Its text, for a pattern the paths of all that are of it, what there is not, or why it can't be had. */
export type FoundFile =
  | { readonly text: string }
  | { readonly paths: readonly string[] }
  | { readonly missing: 'file' | 'reference' | 'project' }
  | { readonly problem: string };

/** All paths of the commit, or those of what has changed, where rules of an `include` ask for them. */
export interface PathsWanted {
  readonly list: 'all' | 'changed';
  /** Changed since what this branch, tag or id has in common with the commit. */
  readonly since?: string;
}

/** Undefined where everything counts as changed; or what is wrong with what they are compared to. */
export type FoundPaths = { readonly listed: readonly string[] | undefined } | { readonly problem: string };

/** Asks for files that are included, and for what decides whether they are. */
export type CiFileAsking<Result> = Generator<IncludedFile | PathsWanted, Result, FoundFile | FoundPaths>;

const MOST_FILES = 150;
/** Other projects, and branches of them: each is looked for, and whether it may be read. */
const MOST_OTHERS = 20;
/** Each is asked of a server elsewhere, while somebody waits. */
const MOST_REMOTE = 10;
/** Each is held against all paths of a commit. */
const MOST_PATTERNS = 5;
const MOST_TEXT = 1024 * 1024;
const DEEPEST_INCLUDE = 20;
const MUST_BE_MAP = 'Invalid configuration format';
const INPUTS_WITHOUT_HEADER = 'Given inputs not defined in the `spec` section of the included configuration file';

/** What the domain is given to read with. */
export interface CiFileTools {
  readonly readYaml: ReadYaml;
  readonly compile: CompileRegex;
  /** The variables that decide whether a file is included; where nobody knows them, it is. */
  readonly known?: () => Variables;
  /** Those of them that may be put into the file; where nobody knows them, none are. */
  readonly shown?: () => Variables;
  /** The variables that may stand in what an `include` names. */
  readonly naming?: () => Variables;
  /** Where this installation is, as components name it. */
  readonly host?: string | undefined;
  /** Whether the file, which a job says, may include what jobs left. */
  readonly artifacts?: boolean | undefined;
  /** What whoever asks for the pipeline gives the file. */
  readonly inputs?: CiMap;
}

interface Including extends CiFileTools, IncludeReading {
  /** How much was read so far. */
  files: number;
  readonly others: Set<string>;
  remote: number;
  patterns: number;
  text: number;
  readonly room: RoomForInputs;
  /** What rules have asked for. */
  readonly paths: Map<string, PathSet | undefined>;
  readonly pathWork: PathWork;
  /** Refs that they compare to. */
  readonly compared: Set<string>;
}

/** A text, with the files in which it is included. */
interface Source {
  readonly text: string;
  readonly inputs: CiMap;
  readonly within: readonly IncludedFile[];
}

/** The configuration of a text with all that it includes under it. */
export function* withIncludes(text: string, tools: CiFileTools): CiFileAsking<CiMap> {
  const none = { files: 0, others: new Set<string>(), remote: 0, patterns: 0, text: 0 };
  const so = {
    ...tools,
    ...none,
    ...includeReading(tools.compile, namingBy(tools)),
    room: roomForInputs(),
    paths: new Map(),
    pathWork: pathWork(),
    compared: new Set<string>(),
  };
  return yield* included({ text, inputs: tools.inputs ?? new Map(), within: [] }, so);
}

const LONGEST_NAME = 1_025;

const namingBy = ({ naming, host, artifacts }: CiFileTools): Pick<IncludeReading, 'fill' | 'host' | 'artifacts'> => ({
  ...{ host, artifacts },
  // Who names no variable needn't be told of any.
  fill: (text) =>
    isVariable(text) ? filledOnce(text, naming?.() ?? new Map(), { most: LONGEST_NAME, unknown: itself }) : text,
});

function* included(source: Source, so: Including): CiFileAsking<CiMap> {
  const { within } = source;
  const own = parsed(source, so);
  let below: CiMap = new Map();
  const reading = isFromElsewhere(within) ? { ...so, fill: itself } : so;
  for (const include of includesOf(own.get('include') ?? null, reading, within.at(-1)?.code ?? null)) {
    if (!(yield* isWanted(include, so))) continue;
    requireMayInclude(include, within);
    for (const file of yield* eachOf(include.files, so, within)) {
      const text = yield* textOf(file, so, within);
      below = deepMerge(below, yield* included({ text, inputs: include.inputs, within: [...within, file] }, so));
    }
  }
  const above = new Map(own);
  above.delete('include');
  return deepMerge(below, above);
}

/** Whoever wrote it is nobody here: it is told no values by what it includes, and what it may read is open to all. */
const isFromElsewhere = (within: readonly IncludedFile[]): boolean => within.some(({ remote }) => remote === true);

const requireMayInclude = ({ files }: Include, within: readonly IncludedFile[]): void => {
  if (within.length > 0 && files.some(({ job }) => job !== undefined))
    throw new CiProblem('include: `artifact` can only be included by a `trigger` itself.');
  if (isFromElsewhere(within) && !files.every(({ remote, template }) => remote === true || template === true))
    throw new CiProblem('include: a remote file can include remote files and templates, and nothing else.');
};

function* textOf(file: IncludedFile, so: Including, within: readonly IncludedFile[]): CiFileAsking<string> {
  const named = nameOf(file);
  if (within.some((each) => isSame(each, file))) throw new CiProblem(`${named} includes itself.`);
  if (within.length >= DEEPEST_INCLUDE)
    throw new CiProblem(`Files include each other ${DEEPEST_INCLUDE} levels deep at most.`);
  so.files += 1;
  if (so.files > MOST_FILES) throw new CiProblem(`Maximum of ${MOST_FILES} nested includes are allowed!`);
  const found = yield* asked(file, so);
  const content = 'text' in found ? found.text : '';
  if (content.trim() === '') throw new CiProblem(`${named} is empty!`);
  return content;
}

function* asked(
  file: IncludedFile,
  so: Including,
): CiFileAsking<Exclude<FoundFile, { readonly missing: unknown } | { readonly problem: string }> | FoundPaths> {
  if (file.code !== null) so.others.add(JSON.stringify(file.code));
  if (so.others.size > MOST_OTHERS)
    throw new CiProblem(`Files of at most ${MOST_OTHERS} other projects, or branches of them, can be included.`);
  if (file.remote === true) so.remote += 1;
  if (so.remote > MOST_REMOTE) throw new CiProblem(`At most ${MOST_REMOTE} remote files can be included.`);
  const first = yield file;
  const elsewhere = 'missing' in first && first.missing === 'file' && file.orAt !== undefined;
  const found = elsewhere ? yield { ...file, path: file.orAt } : first;
  if ('problem' in found) throw new CiProblem(`${nameOf(file)} ${found.problem}`);
  if ('missing' in found) throw new CiProblem(withoutFile(file, found.missing));
  return found;
}

/** By the first rule that holds; where none does, it isn't. */
function* isWanted({ rules }: Include, so: Including): CiFileAsking<boolean> {
  const variables = rules === null ? undefined : so.known?.();
  if (rules === null || variables === undefined) return true;
  for (const rule of rules) {
    // Paths are asked for where nothing else has decided.
    if (rule.condition?.(variables) === false) continue;
    const paths = yield* askedBy(rule, so);
    if (areHolding(rule, variables, paths)) return rule.wants;
  }
  return false;
}

function* askedBy({ changes, compareTo, exists }: IncludeRule, so: Including): CiFileAsking<PathsAsked> {
  const paths = exists === null ? undefined : yield* pathsOf({ list: 'all' }, so);
  if (changes === null) return { paths, changed: undefined };
  if (compareTo === undefined) return { paths, changed: yield* pathsOf({ list: 'changed' }, so) };
  return { paths, changed: undefined, since: new Map([[compareTo, yield* changedSince(compareTo, so)]]) };
}

function* changedSince(compareTo: string, so: Including): CiFileAsking<PathSet | undefined> {
  const since = filledOnce(compareTo, so.known?.() ?? new Map(), { most: LONGEST_NAME, unknown: nothing });
  so.compared.add(since);
  if (so.compared.size > MOST_COMPARED)
    throw new CiProblem(`include:rules:changes:compare_to names more than ${MOST_COMPARED} refs`);
  return yield* pathsOf({ list: 'changed', since }, so);
}

function* pathsOf(wanted: PathsWanted, so: Including): CiFileAsking<PathSet | undefined> {
  const name = JSON.stringify(wanted);
  if (!so.paths.has(name)) {
    const found = yield wanted;
    if ('problem' in found) throw new CiProblem(`include:${found.problem}`);
    const listed = 'listed' in found ? found.listed : undefined;
    so.paths.set(name, listed && pathSet(listed, so.pathWork));
  }
  return so.paths.get(name);
}

/** Where a pattern stands, all files that are of it, in the order of their paths; not those that it stands in. */
function* eachOf(
  files: readonly IncludedFile[],
  so: Including,
  within: readonly IncludedFile[],
): CiFileAsking<readonly IncludedFile[]> {
  const each: IncludedFile[] = [];
  for (const file of files) {
    if (file.template === true || file.remote === true || file.job !== undefined || !isPattern(file.path)) {
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
  one.path === other.path &&
  one.template === other.template &&
  one.remote === other.remote &&
  one.job === other.job &&
  one.code?.project === other.code?.project &&
  one.code?.ref === other.code?.ref;

const nameOf = ({ path, code, template, remote, component, job }: IncludedFile): string => {
  if (job !== undefined) return `Artifact \`${path}\` of \`${job}\``;
  if (component !== undefined) return `Component \`${component}\``;
  if (template === true) return `Template \`${path}\``;
  if (remote === true) return `Remote file \`${path}\``;
  return code === null ? `Local file \`${path}\`` : `Project \`${code.project}\` file \`${path}\``;
};

/** Whoever may not read a project isn't told that it is there. */
const withoutFile = (file: IncludedFile, missing: 'file' | 'reference' | 'project'): string => {
  const { project = '', ref = null } = file.code ?? {};
  if (file.template === true)
    return `${nameOf(file)} does not exist! \`GET /templates/gitlab_ci_ymls\` tells which there are.`;
  if (missing === 'project')
    return `Project \`${project}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;
  return missing === 'reference'
    ? `Project \`${project}\` reference \`${ref ?? 'HEAD'}\` does not exist!`
    : `${nameOf(file)} does not exist!`;
};

const parsed = (source: Source, so: Including): CiMap => {
  const { text, within } = source;
  so.text += text.length;
  if (so.text > MOST_TEXT) throw new CiProblem('The file, with all that it includes, is longer than 1 MB.');
  const file = within.at(-1);
  const place = file === undefined ? '' : `\`${file.code === null ? '' : `${file.code.project}: `}${file.path}\`: `;
  try {
    return valueOf(source, so);
  } catch (error) {
    throw error instanceof CiProblem ? new CiProblem(`${place}${error.message}`) : error;
  }
};

const valueOf = ({ text, inputs: given, within }: Source, so: Including): CiMap => {
  const header = headerOf(text, so.readYaml);
  if (header === undefined && given.size > 0) throw new CiProblem(INPUTS_WITHOUT_HEADER);
  const read =
    header === undefined
      ? so.readYaml(text)
      : withInputs(header, given, isFromElsewhere(within) ? { ...so, shown: () => new Map() } : so);
  if ('problem' in read) throw new CiProblem(read.problem);
  if (!isBounded(read.value)) throw new CiProblem('The file says too much, or is nested too deeply.');
  if (!isMap(read.value)) throw new CiProblem(MUST_BE_MAP);
  return read.value;
};

const withInputs = (header: NonNullable<ReturnType<typeof headerOf>>, given: CiMap, so: Including) => {
  const inputs = inputsOf(header.inputs, given, so.compile);
  const { text, fill } = interpolated(header.content, { inputs, variables: so.shown }, so.room);
  return so.readYaml(text, fill);
};
