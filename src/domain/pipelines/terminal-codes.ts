/**
 * What programs write to colour a terminal, to move about in it, and to name it. Each part has a longest: what never ends isn't looked for
 * to the end of the text from each beginning (ECMA-48, 5.3 and 5.4; of operating system commands as xterm has them).
 */
const CODES =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b\][^\u0007\u001b\r\n]{0,4096}(?:\u0007|\u001b\\)|\u001b(?:[ -/]{0,8}[0-~])?/g;

/** A log as text. */
export const withoutTerminalCodes = (log: string): string => log.replace(CODES, '');
