import { CiProblem, CiProblems } from './ci-problem.js';
import { isBounded, isMap, type CiMap, type CiValue, type ReadYaml } from './ci-value.js';
import { Entry } from './entry.js';

/** A file whose first document says what can be put into the second. */
export interface WithHeader {
  /** What it says of each of its inputs. */
  readonly inputs: Entry | undefined;
  /** The second document, whose lines count from the beginning of the file. */
  readonly content: string;
}

/** A line that begins a document, wherever it stands: YAML knows no text that could have it in the first column. */
const DOCUMENT = /(?:^|\n)---(?=[ \t\r\n]|$)/g;
const SPEC: ReadonlySet<string> = new Set(['inputs']);
/** A job may be called `spec`. */
const OF_JOBS = ['script', 'trigger', 'run'];

/**
 * The header of a file; undefined for a file that has none.
 * @throws CiProblem for one that can't be read.
 */
export const headerOf = (text: string, readYaml: ReadYaml): WithHeader | undefined => {
  const split = splitIn(text);
  const header = split && headIn(split.header, readYaml);
  if (split === undefined || header === undefined) return undefined;
  const problems = new CiProblems();
  const whole = new Entry(header, 'header', problems);
  whole.knows(new Set(['spec']));
  const spec = whole.at('spec');
  spec?.map();
  spec?.knows(SPEC);
  const inputs = spec?.at('inputs');
  inputs?.map();
  if (problems.errors.length > 0) throw new CiProblem(problems.errors.join(', '));
  return { inputs, content: split.content };
};

const isHeader = (spec: CiValue | undefined): boolean =>
  spec === null || (isMap(spec) && !OF_JOBS.some((key) => spec.has(key)));

const headIn = (text: string, readYaml: ReadYaml): CiMap | undefined => {
  const read = readYaml(text);
  if ('problem' in read) throw new CiProblem(read.problem);
  if (!isMap(read.value) || !isHeader(read.value.get('spec'))) return undefined;
  if (!isBounded(read.value)) throw new CiProblem('The header says too much, or is nested too deeply.');
  return read.value;
};

const splitIn = (text: string): { readonly header: string; readonly content: string } | undefined => {
  const starts: number[] = [];
  for (const { index, 0: sign } of text.matchAll(DOCUMENT)) {
    starts.push(index + sign.length - '---'.length);
    if (starts.length === 2) break;
  }
  const [first, second] = starts;
  const at = first !== undefined && saysNothing(text.slice(0, first)) ? second : first;
  if (at === undefined) return undefined;
  const header = text.slice(0, at);
  return { header, content: header.replaceAll(/[^\n]+/g, '') + text.slice(at) };
};

const saysNothing = (text: string): boolean => text.split('\n').every((line) => /^(?:%|\s*(?:#|$))/.test(line));
