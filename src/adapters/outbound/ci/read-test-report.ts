import { setImmediate as others } from 'node:timers/promises';
import sax from 'sax';
import {
  NO_RESULTS,
  roomForCases,
  TEST_STATUSES,
  type TestCase,
  type TestResults,
  type TestStatus,
} from '../../../domain/pipelines/test-report.js';

/** Why a report isn't read; `message` is for whoever wrote it. */
class Unreadable extends Error {}

const DEEPEST = 50;
/** Of an element: more of them, all kept until it ends, would hold everybody up. */
const MOST_ATTRIBUTES = 1_000;
/** Bytes that are read before others have their turn: some milliseconds, of whatever shape they are. */
const AT_A_TIME = 16_384;
const MOST_DOCUMENTS = 10_000;
const LONGEST_NAME = 1_000;
const LONGEST_OUTPUT = 20_000;
const LONGEST_PROBLEM = 200;
/** Longer runs are no runs of a test, and sums of them no numbers. */
const LONGEST_SECONDS = 1_000_000_000;
const ROOTS: ReadonlySet<string> = new Set(['testsuites', 'testsuite']);

/** What stands in a test that didn't just succeed. */
const ENDS: ReadonlyMap<string, TestStatus> = new Map([
  ['failure', 'failed'],
  ['error', 'error'],
  ['skipped', 'skipped'],
]);

/** A test that is being read. */
interface Open {
  readonly attributes: sax.Tag['attributes'];
  status: TestStatus;
  message: string;
  text: string;
  /** Whether the text that comes says how it ended. */
  within: boolean;
}

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

const secondsIn = (text: string | undefined): number => {
  const seconds = Number.parseFloat((text ?? '').replaceAll(',', ''));
  return seconds >= 0 && seconds <= LONGEST_SECONDS ? seconds : 0;
};

/**
 * Reads a report as its text comes, so that nothing has to hold all of it: one document of XML, or several that follow each other. No
 * entities are expanded but those that every document has, and a document type is refused.
 */
class ReportParser {
  readonly #counts = new Map<TestStatus, number>(TEST_STATUSES.map((status) => [status, 0]));
  readonly #cases: TestCase[] = [];
  readonly #isListed = roomForCases();
  #seconds = 0;
  #parser = this.#newParser();
  #problem: string | undefined;
  #documents = 0;
  #depth = 0;
  #attributes = 0;
  #ended = false;
  #open: Open | undefined;
  #left: number;

  constructor(mostTests: number) {
    this.#left = mostTests;
  }

  /** @throws Unreadable. */
  write(text: string): void {
    // A document may end within a part of the text; what follows it is another one.
    for (let from = 0; from < text.length;) {
      const end = text.indexOf('>', from) + 1 || text.length;
      this.#feed(text.slice(from, end));
      from = end;
    }
  }

  /** @throws Unreadable. */
  end(): void {
    if (this.#depth > 0 || this.#documents === 0) throw new Unreadable('the document is incomplete');
  }

  results(problem: string | null): TestResults {
    const counts = Object.fromEntries(this.#counts) as Record<TestStatus, number>;
    return { counts, seconds: this.#seconds, cases: this.#cases, problem };
  }

  #feed(piece: string): void {
    if (this.#ended) {
      this.#ended = false;
      this.#parser = this.#newParser();
    }
    try {
      this.#parser.write(piece);
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable('the document is not well-formed');
    }
    if (this.#problem !== undefined) throw new Unreadable(this.#problem);
  }

  #newParser(): sax.SAXParser {
    const parser = sax.parser(true);
    parser.onerror = ({ message }) => {
      this.#problem ??= message.replaceAll('\n', ', ');
    };
    parser.ondoctype = () => {
      throw new Unreadable('a document type is not allowed');
    };
    parser.onattribute = () => this.#count();
    parser.onopentag = ({ name, attributes }) => this.#begin(name, attributes as sax.Tag['attributes']);
    parser.onclosetag = (name) => this.#finish(name);
    parser.ontext = (text) => this.#say(text);
    parser.oncdata = (text) => this.#say(text);
    return parser;
  }

  #count(): void {
    this.#attributes += 1;
    if (this.#attributes > MOST_ATTRIBUTES)
      throw new Unreadable(`an element has more than ${MOST_ATTRIBUTES} attributes`);
  }

  #begin(name: string, attributes: sax.Tag['attributes']): void {
    this.#attributes = 0;
    if (this.#depth === 0) {
      if (!ROOTS.has(name)) throw new Unreadable('the document begins with neither testsuites nor testsuite');
      this.#documents += 1;
      if (this.#documents > MOST_DOCUMENTS) throw new Unreadable('there are too many documents');
    }
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new Unreadable(`elements are more than ${DEEPEST} deep`);
    if (name === 'testcase' && this.#left-- <= 0) throw new Unreadable('there are too many tests');
    if (name === 'testcase') this.#open = { attributes, status: 'success', message: '', text: '', within: false };
    const status = ENDS.get(name);
    if (this.#open === undefined || status === undefined || this.#open.status !== 'success') return;
    this.#open.status = status;
    this.#open.message = attributes['message'] ?? '';
    this.#open.within = true;
  }

  #finish(name: string): void {
    this.#depth -= 1;
    this.#ended = this.#depth === 0;
    if (this.#open === undefined) return;
    if (ENDS.has(name)) this.#open.within = false;
    if (name === 'testcase') this.#add(this.#open);
  }

  #say(text: string): void {
    const open = this.#open;
    if (open?.within === true && open.text.length < LONGEST_OUTPUT) open.text += text;
  }

  #add({ attributes, status, message, text }: Open): void {
    this.#open = undefined;
    const { name = '', classname = '', file, time } = attributes;
    const seconds = secondsIn(time);
    const said = text.trim() === '' ? message : text;
    const testCase = {
      ...{ status, seconds, name: cut(name, LONGEST_NAME), className: cut(classname, LONGEST_NAME) },
      file: file === undefined ? null : cut(file, LONGEST_NAME),
      output: said === '' ? null : cut(said, LONGEST_OUTPUT),
    };
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
    this.#seconds += seconds;
    if (this.#isListed(testCase)) this.#cases.push(testCase);
  }
}

async function* inTurns(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes)
    for (let from = 0; from < chunk.length; from += AT_A_TIME) {
      yield chunk.subarray(from, from + AT_A_TIME);
      await others();
    }
}

/** What a report says, as JUnit and many others write it. What was read before a problem isn't told: half of it would look like all of it. */
export const readTestReport = async (bytes: AsyncIterable<Uint8Array>, mostTests: number): Promise<TestResults> => {
  const parser = new ReportParser(mostTests);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Unreadable('the text is not UTF-8');
    }
  };
  try {
    for await (const chunk of inTurns(bytes)) parser.write(decoded(chunk));
    parser.write(decoded());
    parser.end();
    return parser.results(null);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...NO_RESULTS, problem: cut(`JUnit XML parsing failed: ${error.message}`, LONGEST_PROBLEM) };
  }
};
