const IN_PLACE = '[secret]';
/** Shorter ones would be found in words that have nothing to do with them. */
const SHORTEST = 8;

/** As a secret may be said again: whole, without the scheme before it, and within a text of JSON. */
const spellingsOf = (secret: string): readonly string[] => {
  const parts = [secret, ...secret.split(/\s+/)];
  return parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
};

/** A text from elsewhere without the secrets that were sent there, which some receivers repeat. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string => {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].filter(({ length }) => length >= SHORTEST);
  // Longer ones first: what is left of one by another says something of it still.
  spellings.sort((one, other) => other.length - one.length);
  return spellings.reduce((left, spelling) => left.replaceAll(spelling, IN_PLACE), text);
};
