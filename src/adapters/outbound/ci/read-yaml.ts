import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type CST,
  type Document,
  type Node,
  type Scalar,
} from 'yaml';
import { plainScalar } from '../../../domain/pipelines/ci-file/plain-scalar.js';
import {
  CiReference,
  type CiMap,
  type CiValue,
  type Fill,
  type ReadYaml,
} from '../../../domain/pipelines/ci-file/ci-value.js';

const MOST_TEXT = 1024 * 1024;
/** Signs, indents, ends of lines and texts: what time is spent on. */
const MOST_TOKENS = 50_000;
/** A long text counts as one, however many lines it has. */
const MOST_LINES = 50_000;
const MOST_DIRECTIVES = 10;
const MOST_LINES_OF_MERGE = 100_000;
const DEEPEST = 40;
const TOO_DEEP = 'The file is nested too deeply.';
/** Of lists and maps within signs. */
const OPENED_BY: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
const REFERENCE = '!reference';

/** Why a text isn't read; `message` is for whoever wrote it. */
class Unreadable extends Error {}

/**
 * Reads YAML with merge keys and `!reference`. Of the package it takes the parser alone: what finds keys twice, follows aliases and
 * makes values of nodes takes the square of their number there.
 */
export const readYaml: ReadYaml = (text, fill = (said) => said) => {
  try {
    return { value: new Values(fill).of(contentsOf(text), 0) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    // Deep nesting is found out by the end of the stack.
    if (error instanceof RangeError) return { problem: TOO_DEEP };
    throw error;
  }
};

const contentsOf = (text: string): Node | null => {
  if (text.length > MOST_TEXT) throw new Unreadable('The file is longer than 1 MB.');
  if (text.split('\n', MOST_LINES + 1).length > MOST_LINES)
    throw new Unreadable(`The file has more than ${MOST_LINES} lines.`);
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, merge: true, customTags: [reference] });
  Object.assign(composer, { onError: endingAt(text) });
  const documents: Document.Parsed[] = [];
  const keep = (composed: Iterable<Document.Parsed>) => {
    for (const document of composed) {
      const [error] = document.errors;
      if (error !== undefined) throw new Unreadable(toldOf(text, error.pos[0], error.message));
      documents.push(document);
    }
    if (documents.length > 1) throw new Unreadable('The file has more than one document; one is read.');
  };
  for (const token of tokensOf(text)) keep(composer.next(token));
  keep(composer.end());
  return (documents[0]?.contents as Node | null | undefined) ?? null;
};

function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let [lexemes, directives, open] = [0, 0, 0];
  const checked = function* (tokens: Iterable<CST.Token>) {
    for (const token of tokens) {
      if (token.type === 'error') throw new Unreadable(toldOf(text, token.offset, token.message));
      if (token.type === 'directive') directives += 1;
      if (directives > MOST_DIRECTIVES) throw new Unreadable('The file has too many directives.');
      yield token;
    }
  };
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MOST_TOKENS) throw new Unreadable('The file has too many lines and signs.');
    // Long before their end: each that is open costs the parser.
    open += OPENED_BY[lexeme] ?? 0;
    if (open > DEEPEST) throw new Unreadable(TOO_DEEP);
    yield* checked(parser.next(lexeme));
  }
  yield* checked(parser.end());
}

/** The first that is wrong ends it: the package would make an error of each line that is, with its stack, and one more of each that is thrown. */
const endingAt = (text: string) => {
  let first: Unreadable | undefined;
  return (
    place: number | readonly number[] | { readonly offset: number },
    _code: string,
    message: string,
    warns?: boolean,
  ) => {
    if (warns === true) return;
    const at = typeof place === 'object' ? ('offset' in place ? place.offset : (place[0] ?? 0)) : place;
    first ??= new Unreadable(toldOf(text, at, message));
    throw first;
  };
};

const toldOf = (text: string, at: number, message: string): string => {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `Invalid YAML at line ${line} column ${at - before.lastIndexOf('\n')}: ${message.slice(0, 200)}`;
};

const reference = { tag: REFERENCE, collection: 'seq' as const, resolve: (seq: Node) => seq };

/** Makes values of nodes, each once: an alias is what its anchor is. */
class Values {
  readonly #anchors = new Map<string, CiValue>();
  #merged = 0;

  constructor(private readonly fill: Fill) {}

  of(node: unknown, level: number): CiValue {
    if (level > DEEPEST) throw new Unreadable(TOO_DEEP);
    if (isAlias(node)) return this.#anchored(node.source);
    const value = this.#made(node, level);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    return value;
  }

  #anchored(name: string): CiValue {
    const value = this.#anchors.get(name);
    if (value === undefined) throw new Unreadable(`Unknown alias: ${name.slice(0, 100)}`);
    return value;
  }

  #made(node: unknown, level: number): CiValue {
    if (isSeq(node)) {
      const items = node.items.map((item) => this.of(item, level + 1));
      return node.tag === REFERENCE ? new CiReference(items.map(textOf)) : items;
    }
    if (isMap(node)) return this.#map(node.items, level);
    return isScalar(node) ? this.#scalar(node) : null;
  }

  #key(node: unknown, level: number): string {
    // A job may be called `on`.
    const plain = isScalar(node) ? plainSourceOf(node) : undefined;
    return textOf(plain === undefined ? this.of(node, level) : this.fill(plain));
  }

  #scalar(scalar: Scalar): CiValue {
    const [plain, { value }] = [plainSourceOf(scalar), scalar];
    if (plain === undefined) return typeof value === 'string' ? this.fill(storable(value)) : taggedOf(value);
    const filled = this.fill(plain);
    return typeof filled === 'string' ? plainScalar(filled) : filled;
  }

  #map(items: readonly unknown[], level: number): CiMap {
    const map = new Map<string, CiValue>();
    for (const pair of items) {
      if (!isPair(pair)) continue;
      const key = this.#key(pair.key, level + 1);
      const value = this.of(pair.value, level + 1);
      if (key === '<<') this.#merge(map, value);
      else map.set(key, value);
    }
    return map;
  }

  /** Where it stands: what comes later wins, whether it is merged or not. Of a list, the first that has a key says what it is. */
  #merge(into: Map<string, CiValue>, value: CiValue): void {
    const maps = Array.isArray(value) ? (value as readonly CiValue[]) : [value];
    for (const each of [...maps].reverse()) {
      if (!(each instanceof Map)) throw new Unreadable('A merge key takes mappings alone.');
      this.#merged += each.size;
      if (this.#merged > MOST_LINES_OF_MERGE) throw new Unreadable('Merge keys copy too much.');
      for (const [key, inner] of each as CiMap) into.set(key, inner);
    }
  }
}

/** What is written, of a scalar with neither quotes nor a tag. */
const plainSourceOf = ({ type, tag, source }: Scalar): string | undefined =>
  type === 'PLAIN' && tag === undefined && source !== undefined ? storable(source) : undefined;

/** What isn't text, of a scalar with a tag. */
const taggedOf = (value: unknown): CiValue => {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'symbol')
    return String(value.valueOf()).replace(/^Symbol\((.*)\)$/, '$1');
  return null;
};

/** No database keeps a NUL in a text, and no process takes it from one; half a character is another one in each database. */
const storable = (text: string): string => {
  if (text.includes('\0')) throw new Unreadable('A text has a NUL character.');
  if (!text.isWellFormed()) throw new Unreadable('A text has half a character.');
  return text;
};

const textOf = (value: CiValue): string => {
  if (value === null) return '';
  if (typeof value === 'object') throw new Unreadable('The name of a key, and what a reference names, is text.');
  return String(value);
};
