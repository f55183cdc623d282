/** How much structure a JSON text may have. */
export interface JsonBounds {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Names of members, over all objects. */
  readonly keys: number;
  /** Arrays and objects, empty ones too: each takes the engine longer than any other value. */
  readonly containers: number;
  /** Commas between members and elements, over all objects and arrays. */
  readonly separators: number;
}

export type JsonBound = keyof JsonBounds;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [BRACE, END_OF_BRACE, BRACKET, END_OF_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Where the quoted text that begins here ends; the end of all for one that never does. */
const endOfQuoted = (text: string, from: number): number => {
  // The engine finds the next quote many times faster than a loop does; one behind an odd number of backslashes is part of the text.
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
};

/**
 * Holds a JSON text against its bounds in one pass, before anything is built of it: parsing costs far more than counting.
 * @returns the first bound that the text exceeds.
 */
export const exceededBound = (text: string, bounds: JsonBounds): JsonBound | undefined => {
  let [depth, keys, containers, separators] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfQuoted(text, index);
        break;
      case COLON:
        if ((keys += 1) > bounds.keys) return 'keys';
        break;
      case COMMA:
        if ((separators += 1) > bounds.separators) return 'separators';
        break;
      case BRACE:
      case BRACKET:
        if ((containers += 1) > bounds.containers) return 'containers';
        if ((depth += 1) > bounds.depth) return 'depth';
        break;
      case END_OF_BRACE:
      case END_OF_BRACKET:
        depth -= 1;
        break;
    }
  }
  return undefined;
};
