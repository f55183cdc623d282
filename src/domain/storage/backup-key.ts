/** The half of a key that opens archives, as age-keygen writes it. It is for nobody to see. */
export const isSecretHalf = (text: string): boolean => /^\s*AGE-SECRET-KEY-/i.test(text);

/** What was given may be a key that opens archives, or a part of one: it is not repeated. */
export const notPublicHalf = (given: string): string =>
  isSecretHalf(given)
    ? 'is the secret half of a key, but must be the public one, which begins with age1.'
    : 'is no public half of a key, but must be one as age-keygen prints it, which begins with age1.';
