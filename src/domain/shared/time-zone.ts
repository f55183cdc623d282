/** Names, as in `America/Argentina/Ushuaia`; offsets such as `+01:00` are none. */
const NAME = /^[A-Za-z_]{1,32}(?:\/[A-Za-z0-9_+-]{1,32}){0,2}$/;

/** The name of a time zone as it is usually written; undefined for what is none. */
export const timeZoneIn = (text: string): string | undefined => {
  if (!NAME.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
