/** The first line of a message, whether lines end as on Windows or not. */
export const titleOf = (message: string): string => message.split(/\r?\n/, 1)[0] ?? '';

const TRAILER = /^([A-Za-z0-9-]+): *(\S.*)$/;

/** The `Key: value` lines that a message ends in; empty where its last paragraph has any other line. Of one key the last value counts. */
export const trailersOf = (message: string): Readonly<Record<string, string>> => {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '') : '';
  // A line that begins with a space goes on with the one before.
  const lines = last.replace(/\n[ \t]+/g, ' ').split('\n');
  const trailers: [string, string][] = [];
  for (const line of lines) {
    const [, key, value] = TRAILER.exec(line) ?? [];
    if (key === undefined || value === undefined) return {};
    trailers.push([key, value]);
  }
  return Object.fromEntries(trailers);
};

/** False where a message certainly names no issue: nobody needs to read it for that. */
export const mayNameIssues = (message: string): boolean => /#\d/.test(message);
