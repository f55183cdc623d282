import { HttpError } from '../http-error.js';

/** How much structure a JSON text may have. */
export interface JsonBounds {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Names of members, over all objects. */
  readonly keys: number;
  /** Commas between members and elements, over all objects and arrays. */
  readonly separators: number;
}

const refuse = (what: string): HttpError => new HttpError(400, `The body ${what}.`);

/**
 * Holds a JSON text against its bounds in one pass, before anything is built of it: parsing costs far more than counting.
 *
 * @throws HttpError 400 naming the bound.
 */
export const checkJsonBounds = (text: string, bounds: JsonBounds): void => {
  let [depth, keys, separators, quoted] = [0, 0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ':') keys += 1;
    else if (character === ',') separators += 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > bounds.depth) throw refuse(`nests deeper than ${bounds.depth} levels`);
    if (keys > bounds.keys) throw refuse(`has more than ${bounds.keys} keys`);
    if (separators > bounds.separators) throw refuse(`has more than ${bounds.separators} values`);
  }
};
