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

/** What gives a JSON text its structure. The engine finds the next of these many times faster than a loop does. */
const STRUCTURE = /[":,[\]{}]/g;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** How many characters are looked at one by one before searching: a search costs as much as that many steps. */
const NEAR = 16;

/** Whether the character here stands behind an odd number of backslashes. */
const isEscaped = (text: string, at: number): boolean => {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
};

/** Where the quoted text that begins here ends; the end of all for one that never does. */
const endOfQuoted = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    for (const near = at + NEAR; at < near; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
    at = text.indexOf('"', at);
    if (at === -1) break;
    if (!isEscaped(text, at)) return at;
  }
  return text.length;
};

/**
 * Holds a JSON text against its bounds in one pass, before anything is built of it: parsing costs far more than counting.
 * Ends early where the text can't be JSON, which parsing it will tell.
 * @returns the first bound that the text exceeds.
 */
export const exceededBound = (text: string, bounds: JsonBounds): JsonBound | undefined => {
  let [depth, keys, containers, separators, quoted] = [0, 0, 0, 0, 0];
  STRUCTURE.lastIndex = 0;
  while (STRUCTURE.test(text)) {
    const at = STRUCTURE.lastIndex - 1;
    switch (text[at]) {
      case '"':
        STRUCTURE.lastIndex = endOfQuoted(text, at) + 1;
        // Before each quoted text stands a colon, a comma, an opening bracket or brace, or nothing at all.
        if ((quoted += 1) > keys + separators + containers + 1) return undefined;
        break;
      case ':':
        if ((keys += 1) > bounds.keys) return 'keys';
        break;
      case ',':
        if ((separators += 1) > bounds.separators) return 'separators';
        break;
      case '{':
      case '[':
        if ((containers += 1) > bounds.containers) return 'containers';
        if ((depth += 1) > bounds.depth) return 'depth';
        break;
      default:
        if ((depth -= 1) < 0) return undefined;
    }
  }
  return undefined;
};
