// No text of a payload has an unpaired surrogate, so nothing in it looks like a marked name.
const MARK = '\ud800';
const MARKED = '"\\ud800';

/** The names of a value in their order, marked so that none is taken for a number, which an object would put first. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? orderedArray(value) : orderedObject(value as Readonly<Record<string, unknown>>);
};

/** The array itself where nothing in it has an order. */
const orderedArray = (array: readonly unknown[]): readonly unknown[] => {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index += 1) {
    const element = array[index];
    if (typeof element !== 'object' || element === null) continue;
    const other = ordered(element);
    if (other === element) continue;
    copy ??= [...array];
    copy[index] = other;
  }
  return copy ?? array;
};

const orderedObject = (object: Readonly<Record<string, unknown>>): unknown => {
  const names = Object.keys(object);
  if (names.length === 0) return object;
  const copy: Record<string, unknown> = {};
  for (const name of names.sort()) copy[MARK + name] = ordered(object[name]);
  return copy;
};

/**
 * JSON text of what was parsed, its names in one order whatever order they came in (RFC 8785). The engine writes it: an element at a
 * time would hold everybody up for a payload of half a million.
 * @param value without halves of characters.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value)).replaceAll(MARKED, '"');
