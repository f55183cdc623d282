// Ends of lines and whatever else could be taken for one, marks that turn the direction of what follows, and halves of characters.
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uD800-\uDFFF]+/gu;
const MAX_LENGTH = 400;

/** Text of a user as one line that a mail may carry in its head. */
export const headerText = (text: string): string => {
  const line = text.replace(UNFIT, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= MAX_LENGTH ? line : `${characters.slice(0, MAX_LENGTH).join('')}…`;
};
