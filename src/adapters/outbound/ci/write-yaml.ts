import { setImmediate as others } from 'node:timers/promises';
import type { WriteYaml } from '../../../application/pipelines/ports/write-yaml.js';
import {
  CiReference,
  isList,
  isMap,
  type CiList,
  type CiMap,
  type CiValue,
} from '../../../domain/pipelines/ci-file/ci-value.js';
import { plainScalar } from '../../../domain/pipelines/ci-file/plain-scalar.js';

/** Others want their turn while a long file is written. */
const PIECES_IN_A_ROW = 5_000;
const STEP = '  ';
/** Deeper in, a text with many lines would be little but spaces. */
const DEEPEST_LINES = 8;
/** Of a key whose value follows on its line; readers of YAML look no further than 1,024 characters for it. */
const LONGEST_KEY = 1_000;

/** What stands without quotes: nothing that any reader could take for a number, a date or a sign of YAML. */
const PLAIN = /^(?:[\p{L}_$/]|\.[\p{L}_/])[\p{L}\p{N}\p{M}\p{P}\p{S} ]*$/u;
const NOT_PLAIN = /: | #|[ :]$/;
/** What some readers take for something else, beside what `plainScalar` does. */
const WORDS = /^(?:y|n|\.inf|\.nan)$/i;
const LINES = /^[\p{L}\p{N}\p{M}\p{P}\p{S}][\p{L}\p{N}\p{M}\p{P}\p{S} \t\n]*[\p{L}\p{N}\p{M}\p{P}\p{S}]\n?$/u;
/** What JSON leaves as it is, and nobody would see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/gu;

/** What stands in several places is written in each of them. */
export const writeYaml: WriteYaml = async (value) => {
  const pieces = ['---\n'];
  for (const piece of piecesOf(value, '')) {
    pieces.push(piece);
    if (pieces.length % PIECES_IN_A_ROW === 0) await others();
  }
  return `${pieces.join('')}\n`;
};

/** A value from where its line is indented; lines below it are indented as far. */
function* piecesOf(value: CiValue, indent: string): Generator<string> {
  const parts = partsOf(value);
  if (parts === undefined) {
    yield scalarOf(value, indent);
    return;
  }
  let before = '';
  for (const [key, each] of parts.entries()) {
    if (typeof key === 'number') yield `${before}- `;
    else yield `${before}${keyOf(key, indent)}${partsOf(each) === undefined ? ' ' : `\n${indent}${STEP}`}`;
    yield* piecesOf(each, indent + STEP);
    before = `\n${indent}`;
  }
}

/** Undefined for what is written on one line. */
const partsOf = (value: CiValue): CiMap | CiList | undefined => {
  const said = value instanceof CiReference ? value.path : value;
  if (isMap(said)) return said.size > 0 ? said : undefined;
  return isList(said) && said.length > 0 ? said : undefined;
};

const keyOf = (key: string, indent: string): string => {
  const written = isPlain(key) ? key : quoted(key);
  return written.length > LONGEST_KEY ? `? ${written}\n${indent}:` : `${written}:`;
};

const scalarOf = (value: CiValue, indent: string): string => {
  if (isMap(value)) return '{}';
  if (typeof value === 'object' && value !== null) return '[]';
  if (typeof value !== 'string') return String(value);
  if (isPlain(value)) return value;
  return value.includes('\n') && isOfLines(value, indent) ? linesOf(value, indent) : quoted(value);
};

const isPlain = (text: string): boolean =>
  PLAIN.test(text) && !NOT_PLAIN.test(text) && !WORDS.test(text) && plainScalar(text) === text;

/** Spaces at its beginning or its end would have to be told of. */
const isOfLines = (text: string, indent: string): boolean =>
  indent !== '' && indent.length <= DEEPEST_LINES && LINES.test(text);

const linesOf = (text: string, indent: string): string =>
  text.endsWith('\n') ? `|\n${indented(text.slice(0, -1), indent)}` : `|-\n${indented(text, indent)}`;

const indented = (text: string, indent: string): string => indent + text.replaceAll(/\n(?!\n)/g, `\n${indent}`);

const quoted = (text: string): string => JSON.stringify(text).replaceAll(UNSEEN, escaped);

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};
