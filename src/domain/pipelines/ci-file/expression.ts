/** Makes a test of a regular expression; undefined where it is none, or one that would take too long. */
export type CompileRegex = (pattern: string, flags: string) => ((text: string) => boolean) | undefined;

export type Variables = ReadonlyMap<string, string>;

/** A condition such as `$CI_COMMIT_BRANCH == "main" && $DEPLOY`. */
export type Condition = (variables: Variables) => boolean;

/** One as it was read, with the variables that it names. */
export type ReadCondition = Condition & { readonly names: ReadonlySet<string> };

type Token =
  | { readonly kind: 'variable' | 'text'; readonly text: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'regex'; readonly text: string; readonly flags: string }
  | { readonly kind: 'sign'; readonly text: string };

/** What stands on a side of a comparison has. */
type Worth = (variables: Variables) => string | null;

const MOST_TEXT = 4096;
const MOST_TOKENS = 400;
const DEEPEST = 30;
const TOKEN =
  /\s*(?:\$(\w{1,255})|\$\{(\w{1,255})\}|"([^"]*)"|'([^']*)'|\/((?:[^/\\]|\\.)+)\/([imsU]{0,4})|(null\b)|(==|!=|=~|!~|&&|\|\||\(|\)))/y;

/** Undefined where the text isn't a condition. */
export const readCondition = (text: string, compile: CompileRegex): ReadCondition | undefined => {
  const tokens = tokensOf(text);
  const whole = tokens && new Parser(tokens, compile).whole();
  if (whole === undefined) return undefined;
  const names = new Set(tokens?.flatMap((token) => (token.kind === 'variable' ? [token.text] : [])));
  return Object.assign((variables: Variables) => whole(variables), { names });
};

const tokensOf = (text: string): readonly Token[] | undefined => {
  if (text.length > MOST_TEXT) return undefined;
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  let at = 0;
  while (at < end) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null || tokens.length >= MOST_TOKENS) return undefined;
    tokens.push(tokenOf(found));
    at = TOKEN.lastIndex;
  }
  return tokens;
};

const tokenOf = (found: readonly (string | undefined)[]): Token => {
  const [, bare, braced, double, single, regex, flags = '', none, sign = ''] = found;
  const variable = bare ?? braced;
  if (variable !== undefined) return { kind: 'variable', text: variable };
  const quoted = double ?? single;
  if (quoted !== undefined) return { kind: 'text', text: quoted };
  if (regex !== undefined) return { kind: 'regex', text: regex.replaceAll('\\/', '/'), flags: knownIn(flags) };
  return none === undefined ? { kind: 'sign', text: sign } : { kind: 'null' };
};

/** `||` binds the least, then `&&`, then comparisons. */
class Parser {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly compile: CompileRegex,
  ) {}

  whole(): Condition | undefined {
    const condition = this.#any();
    return this.#at === this.tokens.length ? condition : undefined;
  }

  #any(): Condition | undefined {
    return this.#joined(
      '||',
      () => this.#all(),
      (each, variables) => each.some((one) => one(variables)),
    );
  }

  #all(): Condition | undefined {
    return this.#joined(
      '&&',
      () => this.#one(),
      (each, variables) => each.every((one) => one(variables)),
    );
  }

  #joined(
    sign: string,
    next: () => Condition | undefined,
    join: (each: readonly Condition[], variables: Variables) => boolean,
  ): Condition | undefined {
    const each: Condition[] = [];
    do {
      const one = next();
      if (one === undefined) return undefined;
      each.push(one);
    } while (this.#takes(sign));
    return each.length === 1 ? each[0] : (variables) => join(each, variables);
  }

  #one(): Condition | undefined {
    if (!this.#takes('(')) return this.#comparison();
    this.#depth += 1;
    const inner = this.#depth > DEEPEST ? undefined : this.#any();
    this.#depth -= 1;
    return inner !== undefined && this.#takes(')') ? inner : undefined;
  }

  #comparison(): Condition | undefined {
    const left = this.#worth();
    if (left === undefined) return undefined;
    if (this.#takes('==')) return this.#equal(left, true);
    if (this.#takes('!=')) return this.#equal(left, false);
    if (this.#takes('=~')) return this.#matching(left, true);
    if (this.#takes('!~')) return this.#matching(left, false);
    return (variables) => (left(variables) ?? '') !== '';
  }

  #equal(left: Worth, equal: boolean): Condition | undefined {
    const right = this.#worth();
    return right === undefined ? undefined : (variables) => (left(variables) === right(variables)) === equal;
  }

  #matching(left: Worth, matching: boolean): Condition | undefined {
    const token = this.tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'regex') {
      const matches = this.compile(token.text, token.flags);
      return matches === undefined ? undefined : (variables) => matches(left(variables) ?? '') === matching;
    }
    if (token?.kind !== 'variable' && token?.kind !== 'text') return undefined;
    const written = worthOf(token);
    return (variables) => this.#matchesWritten(left(variables), written(variables)) === matching;
  }

  /** What a variable says is a pattern only where it is written as one. */
  #matchesWritten(text: string | null, written: string | null): boolean {
    const regex = regexIn(written ?? '');
    if (regex === undefined) return false;
    return this.compile(regex.pattern, regex.flags)?.(text ?? '') ?? false;
  }

  #worth(): Worth | undefined {
    const token = this.tokens[this.#at];
    if (token === undefined || token.kind === 'sign' || token.kind === 'regex') return undefined;
    this.#at += 1;
    return worthOf(token);
  }

  #takes(sign: string): boolean {
    const token = this.tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at += 1;
    return true;
  }
}

const worthOf = (token: Exclude<Token, { readonly kind: 'sign' | 'regex' }>): Worth => {
  if (token.kind === 'null') return () => null;
  const { text } = token;
  return token.kind === 'text' ? () => text : (variables) => variables.get(text) ?? null;
};

/** `U` says which of several matches is meant: whether there is one is all that is asked. */
const knownIn = (flags: string): string => flags.replaceAll('U', '');

/** What `/pattern/flags` says; undefined for other texts. */
export const regexIn = (text: string): { readonly pattern: string; readonly flags: string } | undefined => {
  const end = text.lastIndexOf('/');
  const flags = text.slice(end + 1);
  if (!text.startsWith('/') || end < 2 || text.length > MOST_TEXT || !/^[imsU]{0,4}$/.test(flags)) return undefined;
  return { pattern: text.slice(1, end).replaceAll('\\/', '/'), flags: knownIn(flags) };
};
