/** Lower-case base32 as Douglas Crockford has it: no letter of it looks like another, or like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 100 random bits: they are kept as plain digests, and nobody who has those finds one by trying. */
const LENGTH = 20;

/** A new code, in groups that people can type. @param random hexadecimal, at least 40 signs of it. */
export const recoveryCodeOf = (random: string): string =>
  Array.from({ length: LENGTH }, (_, at) => ALPHABET[Number.parseInt(random.slice(2 * at, 2 * at + 2), 16) % 32])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');

/**
 * What is kept a digest of, however it was typed. Codes of earlier releases, twelve hexadecimal signs, are read the same way: they have
 * none of the letters that are taken for digits.
 */
export const readRecoveryCode = (typed: string): string =>
  typed.replace(/[\s-]/g, '').toLowerCase().replace(/[il]/g, '1').replaceAll('o', '0');
