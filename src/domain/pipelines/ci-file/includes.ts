import { CiProblem } from './ci-problem.js';
import { deepMerge, isBounded, isList, isMap, type CiMap, type CiValue, type ReadYaml } from './ci-value.js';

/** Asks for the text of a file by its path from the root of the repository; undefined where there is none. */
export type CiFileAsking<Result> = Generator<string, Result, string | undefined>;

const MOST_FILES = 150;
const MOST_TEXT = 1024 * 1024;
const DEEPEST_INCLUDE = 20;
const MOST_PATH = 1024;
const MUST_BE_MAP = 'Invalid configuration format';
const ELSEWHERE: ReadonlySet<string> = new Set(['project', 'remote', 'template', 'component', 'artifact']);

interface Including {
  readonly readYaml: ReadYaml;
  /** How much was read so far. */
  files: number;
  text: number;
}

/** The configuration of a text with all that it includes under it. */
export function* withIncludes(text: string, readYaml: ReadYaml): CiFileAsking<CiMap> {
  const merged = yield* included(text, { readYaml, files: 0, text: 0 }, []);
  return merged;
}

function* included(text: string, so: Including, within: readonly string[]): CiFileAsking<CiMap> {
  const own = parsed(text, so, within);
  let below: CiMap = new Map();
  for (const path of pathsOf(own.get('include') ?? null)) {
    if (within.includes(path)) throw new CiProblem(`Local file \`${path}\` includes itself.`);
    if (within.length >= DEEPEST_INCLUDE)
      throw new CiProblem(`Files include each other ${DEEPEST_INCLUDE} levels deep at most.`);
    so.files += 1;
    if (so.files > MOST_FILES) throw new CiProblem(`Maximum of ${MOST_FILES} nested includes are allowed!`);
    const found = yield path;
    if (found === undefined) throw new CiProblem(`Local file \`${path}\` does not exist!`);
    if (found.trim() === '') throw new CiProblem(`Local file \`${path}\` is empty!`);
    below = deepMerge(below, yield* included(found, so, [...within, path]));
  }
  const above = new Map(own);
  above.delete('include');
  return deepMerge(below, above);
}

const parsed = (text: string, so: Including, within: readonly string[]): CiMap => {
  so.text += text.length;
  if (so.text > MOST_TEXT) throw new CiProblem('The file, with all that it includes, is longer than 1 MB.');
  const path = within.at(-1);
  const place = path === undefined ? '' : `\`${path}\`: `;
  const read = so.readYaml(text);
  if ('problem' in read) throw new CiProblem(`${place}${read.problem}`);
  if (!isBounded(read.value)) throw new CiProblem(`${place}The file says too much, or is nested too deeply.`);
  if (!isMap(read.value)) throw new CiProblem(`${place}${MUST_BE_MAP}`);
  return read.value;
};

const pathsOf = (include: CiValue): readonly string[] => {
  if (include === null) return [];
  return (isList(include) ? include : [include]).map(pathOf);
};

const pathOf = (include: CiValue): string => {
  if (typeof include === 'string' && /^https?:\/\//.test(include)) throw new CiProblem(notHere('remote'));
  const path = isMap(include) ? localOf(include) : include;
  if (typeof path !== 'string' || path === '' || path.length > MOST_PATH)
    throw new CiProblem('include config should be a path, or a hash with `local`');
  if (/[*?[\]]/.test(path)) throw new CiProblem(`include: \`${path}\` stands for several files; name each of them.`);
  if (!/\.ya?ml$/.test(path)) throw new CiProblem(`Included file \`${path}\` does not have YAML extension!`);
  return path.replace(/^\.?\/+/, '');
};

const localOf = (include: CiMap): CiValue => {
  for (const key of include.keys()) {
    if (ELSEWHERE.has(key)) throw new CiProblem(notHere(key));
    if (key === 'rules') throw new CiProblem('include: `rules` is not supported; put conditions into the jobs.');
    if (key !== 'local') throw new CiProblem(`include config contains unknown keys: ${key}`);
  }
  return include.get('local') ?? null;
};

const notHere = (kind: string): string =>
  `include: \`${kind}\` is not supported; only \`local\` files of the same repository can be included.`;
