/** As a shell reads it, whatever is in it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
