import { filledOnce } from '../variables-in-text.js';
import { CiProblem } from './ci-problem.js';
import type { CiValue } from './ci-value.js';
import type { Variables } from './expression.js';
import { textOf } from './inputs.js';

/** How much may be put into files. */
export interface RoomForInputs {
  blocks: number;
  /** Of what is put in, and of what functions look at. */
  characters: number;
}

/** A text whose blocks stand for something that YAML takes for a part of a word, wherever it is written. */
export interface Interpolation {
  readonly text: string;
  /** What a text of the file says once its inputs are in it; one that is nothing but an input is what that is. @throws CiProblem. */
  readonly fill: (text: string) => CiValue;
}

interface Values {
  readonly inputs: ReadonlyMap<string, CiValue>;
  /** What `expand_vars` knows; where nobody knows, texts stay as they are. */
  readonly variables: (() => Variables) | undefined;
}

/** All files of a pipeline have it together. */
export const roomForInputs = (): RoomForInputs => ({ blocks: 10_000, characters: 1024 * 1024 });

const LONGEST_BLOCK = 1_000;
const MOST_FUNCTIONS = 3;
const TRUNCATE = /^truncate\(\s*(\d{1,6})\s*,\s*(\d{1,6})\s*\)$/;
/** Of the signs that nobody writes; who writes them nevertheless has an input where it stands. */
const MARK = /\uE000(\d{1,5})\uE001/g;
const ONLY_MARK = /^\uE000(\d{1,5})\uE001$/;

/** Finds the blocks of a text, as `$[[ inputs.name | function ]]`, and puts marks in their places until it is read. */
export const interpolated = (text: string, values: Values, room: RoomForInputs): Interpolation => {
  const { marked, blocks } = markedIn(text, room);
  const known = new Map<string, CiValue>();
  const valueAt = (index: string | undefined): CiValue | undefined => {
    const block = blocks[Number(index)];
    if (block === undefined) return undefined;
    const value = known.get(block) ?? valueOf(block, values, room);
    known.set(block, value);
    return value;
  };
  const fill = (said: string): CiValue => {
    if (!said.includes('\uE000')) return said;
    const whole = valueAt(ONLY_MARK.exec(said)?.[1]);
    if (whole !== undefined) {
      take(room, textOf(whole).length);
      return whole;
    }
    return said.replaceAll(MARK, (mark, index: string) => {
      const value = valueAt(index);
      if (value === undefined) return mark;
      const filled = textOf(value);
      take(room, filled.length);
      return filled;
    });
  };
  return { text: marked, fill };
};

const take = (room: RoomForInputs, characters: number): void => {
  room.characters -= characters;
  if (room.characters < 0) throw new CiProblem('Inputs put more than 1 MB into the file and what it includes.');
};

const markedIn = (text: string, room: RoomForInputs) => {
  const blocks: string[] = [];
  let [marked, from, end, line] = ['', 0, 0, 0];
  for (let start = text.indexOf('$[['); start >= 0; start = text.indexOf('$[[', Math.max(from, start + 1))) {
    // Each place is looked for once, however many begin before it.
    if (end < start + 3) end = text.indexOf(']]', start + 3);
    if (end < 0) break;
    if (line < start) line = placeOf('\n', text, start);
    if (end - start > LONGEST_BLOCK || line < end) continue;
    room.blocks -= 1;
    if (room.blocks < 0) throw new CiProblem('too many interpolation blocks');
    marked += `${text.slice(from, start)}\uE000${blocks.length}\uE001`;
    blocks.push(text.slice(start + 3, end).trim());
    from = end + 2;
  }
  return { marked: marked + text.slice(from), blocks };
};

const placeOf = (sign: string, text: string, from: number): number => {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
};

const valueOf = (block: string, { inputs, variables }: Values, room: RoomForInputs): CiValue => {
  const [access = '', ...functions] = block.split('|').map((part) => part.trim());
  const [kind = '', name = '', ...more] = access.split('.');
  const value = kind === 'inputs' && more.length === 0 ? inputs.get(name) : undefined;
  if (value === undefined) throw new CiProblem(`unknown interpolation key: \`${kind === 'inputs' ? name : kind}\``);
  if (functions.length > MOST_FUNCTIONS) throw new CiProblem('too many functions in interpolation block');
  return functions.reduce((before, called) => {
    const apply = functionOf(called, variables, room);
    const [named = ''] = called.split('(');
    if (typeof before !== 'string')
      throw new CiProblem(
        `error in \`${named}\` function: invalid input type: ${named} can only be used with string inputs`,
      );
    take(room, before.length);
    return apply(before);
  }, value);
};

const functionOf = (
  called: string,
  variables: Values['variables'],
  room: RoomForInputs,
): ((text: string) => string) => {
  if (called === 'posix_escape') return escaped;
  if (called === 'expand_vars') return (text) => (variables === undefined ? text : expanded(text, variables(), room));
  const [, offset, length] = TRUNCATE.exec(called) ?? [];
  if (offset === undefined)
    throw new CiProblem(
      `no function matching \`${called}\`: check that the function name, arguments, and types are correct`,
    );
  return (text) =>
    Array.from(text)
      .slice(Number(offset), Number(offset) + Number(length))
      .join('');
};

/** What isn't known, or is masked, stays as it is written. */
const expanded = (text: string, variables: Variables, room: RoomForInputs): string => {
  const filled = filledOnce(text, variables, { most: room.characters + 1, unknown: (said) => said });
  take(room, filled.length);
  return filled;
};

/** A word for a shell, whatever it says. */
const escaped = (text: string): string =>
  text === '' ? "''" : text.replaceAll(/[^\w.,:+/@\n-]/gu, String.raw`\$&`).replaceAll('\n', "'\n'");
