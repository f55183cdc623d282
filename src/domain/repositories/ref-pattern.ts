/**
 * Regular expressions that names of branches are chosen by, as in RE2: no back-references and no look-around, and in exchange no expression
 * takes longer than its length times that of the name.
 */
export class PatternInvalid extends Error {}

/** What one character may be. */
type OneCharacter = (code: number) => boolean;

type Instruction =
  | { readonly kind: 'character'; readonly fits: OneCharacter }
  | { readonly kind: 'begin' | 'end' | 'match' }
  /** Goes on at each of these, relative to itself. */
  | { readonly kind: 'fork'; readonly to: readonly number[] };

type Program = readonly Instruction[];

const MOST_INSTRUCTIONS = 500;
const MOST_REPEATS = 100;
const MOST_DEPTH = 20;

const between =
  (from: string, to: string): OneCharacter =>
  (code) =>
    code >= from.charCodeAt(0) && code <= to.charCodeAt(0);
const anyOf =
  (...all: readonly OneCharacter[]): OneCharacter =>
  (code) =>
    all.some((fits) => fits(code));
const not =
  (fits: OneCharacter): OneCharacter =>
  (code) =>
    !fits(code);
const exactly = (code: number): OneCharacter => between(String.fromCharCode(code), String.fromCharCode(code));

const DIGIT = between('0', '9');
const WORD = anyOf(DIGIT, between('a', 'z'), between('A', 'Z'), exactly('_'.charCodeAt(0)));
const SPACE = anyOf(between('\t', '\r'), exactly(' '.charCodeAt(0)));
const CLASSES: Readonly<Record<string, OneCharacter>> = {
  d: DIGIT,
  D: not(DIGIT),
  w: WORD,
  W: not(WORD),
  s: SPACE,
  S: not(SPACE),
};

const fork = (...to: readonly number[]): Instruction => ({ kind: 'fork', to });

const either = (branches: readonly Program[]): Program =>
  branches.reduceRight((rest, branch) => [fork(1, branch.length + 2), ...branch, fork(rest.length + 1), ...rest]);

const repeated = (body: Program, least: number, most: number): Program => {
  const needed = Array.from({ length: least }, () => body).flat();
  if (most === Infinity) return [...needed, fork(1, body.length + 2), ...body, fork(-body.length - 1)];
  const optional = Array.from({ length: most - least }, () => [fork(1, body.length + 1), ...body]).flat();
  return [...needed, ...optional];
};

const fail = (): never => {
  throw new PatternInvalid('The regular expression can not be read.');
};

class Reader {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly ignoresCase: boolean,
  ) {}

  read(): Program {
    const program = [...this.#branches(), { kind: 'match' } as const];
    return this.#at < this.text.length || program.length > MOST_INSTRUCTIONS ? fail() : program;
  }

  #next(): string | undefined {
    return this.text[this.#at];
  }

  #take(): string {
    const sign = this.text[this.#at] ?? fail();
    this.#at += 1;
    return sign;
  }

  #skip(sign: string): boolean {
    const there = this.text.startsWith(sign, this.#at);
    if (there) this.#at += sign.length;
    return there;
  }

  #branches(): Program {
    const branches = [this.#sequence()];
    while (this.#skip('|')) branches.push(this.#sequence());
    return either(branches);
  }

  #sequence(): Program {
    const parts: Instruction[] = [];
    for (let sign = this.#next(); sign !== undefined && sign !== '|' && sign !== ')'; sign = this.#next()) {
      parts.push(...this.#repeats(this.#atom()));
      if (parts.length > MOST_INSTRUCTIONS) fail();
    }
    return parts;
  }

  #repeats(body: Program): Program {
    const bounds = this.#bounds();
    if (bounds === undefined) return body;
    // Which of several matches is found doesn't matter.
    this.#skip('?');
    const [least, most] = bounds;
    if (least > MOST_REPEATS || (most !== Infinity && (most > MOST_REPEATS || most < least))) fail();
    return repeated(body, least, most);
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#skip('*')) return [0, Infinity];
    if (this.#skip('+')) return [1, Infinity];
    if (this.#skip('?')) return [0, 1];
    const [whole, least, comma, most] = /^\{(\d{1,3})(,(\d{1,3})?)?\}/.exec(this.text.slice(this.#at)) ?? [];
    if (whole === undefined) return undefined;
    this.#at += whole.length;
    return [Number(least), comma === undefined ? Number(least) : most === undefined ? Infinity : Number(most)];
  }

  #atom(): Program {
    const sign = this.#take();
    if (sign === '(') return this.#group();
    if (sign === '[') return this.#character(this.#set());
    if (sign === '.') return this.#character(() => true);
    if (sign === '^') return [{ kind: 'begin' }];
    if (sign === '$') return [{ kind: 'end' }];
    if (sign === '\\') return this.#character(this.#escaped());
    return '*+?'.includes(sign) ? fail() : this.#character(exactly(sign.charCodeAt(0)));
  }

  #group(): Program {
    if (this.#skip('?') && !this.#skip(':')) fail();
    if ((this.#depth += 1) > MOST_DEPTH) fail();
    const inner = this.#branches();
    this.#depth -= 1;
    return this.#skip(')') ? inner : fail();
  }

  #escaped(): OneCharacter {
    const sign = this.#take();
    const known = Object.hasOwn(CLASSES, sign) ? CLASSES[sign] : undefined;
    if (known !== undefined) return known;
    return /[A-Za-z0-9]/.test(sign) ? fail() : exactly(sign.charCodeAt(0));
  }

  #set(): OneCharacter {
    const negated = this.#skip('^');
    const members: OneCharacter[] = [];
    // The first one may be a bracket.
    do members.push(this.#member());
    while (!this.#skip(']'));
    return negated ? not(anyOf(...members)) : anyOf(...members);
  }

  #member(): OneCharacter {
    if (this.#skip('\\')) return this.#escaped();
    const from = this.#take();
    const [dash, to] = [this.#next(), this.text[this.#at + 1]];
    if (dash !== '-' || to === undefined || to === ']') return exactly(from.charCodeAt(0));
    this.#at += 2;
    return to < from || to === '\\' ? fail() : between(from, to);
  }

  #character(fits: OneCharacter): Program {
    if (!this.ignoresCase) return [{ kind: 'character', fits }];
    const other =
      (change: 'toLowerCase' | 'toUpperCase'): OneCharacter =>
      (code) =>
        fits(String.fromCharCode(code)[change]().charCodeAt(0));
    return [{ kind: 'character', fits: anyOf(fits, other('toLowerCase'), other('toUpperCase')) }];
  }
}

/** A regular expression that may be asked so much in all, and no more. */
export class RefPattern {
  readonly #program: Program;

  /** @throws PatternInvalid. */
  constructor(
    text: string,
    private steps = 20_000_000,
  ) {
    const ignoresCase = text.startsWith('(?i)');
    this.#program = new Reader(ignoresCase ? text.slice('(?i)'.length) : text, ignoresCase).read();
  }

  /** Whether some part of a name fits. @throws PatternInvalid when it has been asked too much. */
  test(name: string): boolean {
    let places = new Set<number>();
    for (let at = 0; at <= name.length; at += 1) {
      const next = new Set<number>();
      if (this.#follow(places, 0, at, name.length)) return true;
      const code = name.charCodeAt(at);
      for (const place of places) {
        const instruction = this.#program[place]!;
        if (instruction.kind === 'character' && at < name.length && instruction.fits(code))
          if (this.#follow(next, place + 1, at + 1, name.length)) return true;
      }
      places = next;
    }
    return false;
  }

  /** Adds the places that are reached without a character; whether one of them is the end of the expression. */
  #follow(places: Set<number>, from: number, at: number, length: number): boolean {
    const waiting = [from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (places.has(place)) continue;
      places.add(place);
      if ((this.steps -= 1) < 0) throw new PatternInvalid('The regular expression takes too long.');
      const instruction = this.#program[place]!;
      if (instruction.kind === 'match') return true;
      if (instruction.kind === 'fork') for (const by of instruction.to) waiting.push(place + by);
      else if (instruction.kind === 'begin' ? at === 0 : instruction.kind === 'end' && at === length)
        waiting.push(place + 1);
    }
    return false;
  }
}
