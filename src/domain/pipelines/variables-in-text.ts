type Values = ReadonlyMap<string, string>;

/** A variable as it is named within a text. */
export const VARIABLE = /\$(?:(\w{1,255})|\{(\w{1,255})\})/g;
/** Values may name others. */
const DEEPEST = 5;

export const isVariable = (text: string): boolean => text.search(VARIABLE) >= 0;

/** What stands for a variable that isn't known. */
type Unknown = (said: string) => string;
export const nothing: Unknown = () => '';
export const itself: Unknown = (said) => said;

interface Filling {
  /** What is longer ends there. */
  readonly most: number;
  readonly unknown: Unknown;
}

/** A text with the values of the variables that it names, as they are. */
export const filledOnce = (text: string, values: Values, { most, unknown }: Filling): string => {
  let [filled, from] = ['', 0];
  for (const found of text.matchAll(VARIABLE)) {
    const [said, plain, braced] = found;
    filled += text.slice(from, found.index) + (values.get(plain ?? braced ?? '') ?? unknown(said));
    from = found.index + said.length;
    if (filled.length > most) return filled.slice(0, most);
  }
  return (filled + text.slice(from)).slice(0, most);
};

/** A text with the values of the variables that it names, and of those that they name in turn. */
export const filledIn = (text: string, values: Values, filling: Filling): string => {
  let [before, now] = [text, filledOnce(text, values, filling)];
  for (let depth = 1; depth < DEEPEST && now !== before && isVariable(now); depth += 1)
    [before, now] = [now, filledOnce(now, values, filling)];
  return now;
};
