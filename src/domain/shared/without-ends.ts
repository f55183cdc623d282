// By hand: `/[. ]+$/` looks at each of n dots anew where something follows them, which takes n² steps.

/** @param character matches each single character that may go. */
export const withoutEnd = (text: string, character: RegExp): string => {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
};

/** The same at the beginning, too. */
export const withoutEnds = (text: string, character: RegExp): string => {
  const rest = withoutEnd(text, character);
  let start = 0;
  while (start < rest.length && character.test(rest[start]!)) start += 1;
  return rest.slice(start);
};
