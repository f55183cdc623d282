import { randomUUID } from 'node:crypto';

/** As much of a text as is written at once: escaped, it may be six times as long. */
const SLICE_LENGTH = 32_768;
/** Stands where a long text belongs. Nobody outside of this process knows it, so no text can hold it. */
const PLACE = randomUUID();
const QUOTED_PLACE = JSON.stringify(PLACE);

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > SLICE_LENGTH;

const holdsLongText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsLongText) : isLong(value);

/** Whether the second half of a character that takes two stands here. */
const isSecondHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

function* slicesOf(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length;) {
    const end = at + SLICE_LENGTH;
    // Cut in two, both halves would be written as what they are alone.
    const next = isSecondHalf(text, end) ? end + 1 : end;
    yield JSON.stringify(text.slice(at, next)).slice(1, -1);
    at = next;
  }
}

/**
 * The JSON of a value as `JSON.stringify` writes it, in pieces where it holds long texts. As one text it would be in memory twice more,
 * as an object so large that the engine keeps it until all garbage is collected.
 */
export function* jsonInPieces(value: unknown): Generator<string, void, undefined> {
  if (!holdsLongText(value)) return void (yield JSON.stringify(value));
  const texts: string[] = [];
  const json = JSON.stringify(value, (_key, each: unknown) => {
    if (!isLong(each)) return each;
    texts.push(each);
    return PLACE;
  });
  for (const [index, between] of json.split(QUOTED_PLACE).entries()) {
    const text = texts[index - 1];
    if (text !== undefined) {
      yield '"';
      yield* slicesOf(text);
      yield '"';
    }
    yield between;
  }
}
