/** Texts that are dear to read for what reads them carelessly, each of about so many bytes of UTF-8. */
export const HOSTILE_TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  blanks: (bytes) => ' '.repeat(bytes),
  words: (bytes) => 'a '.repeat(bytes / 2),
  lines: (bytes) => 'a\n'.repeat(bytes / 2),
  commas: (bytes) => Array.from({ length: bytes / 6 }, (_, index) => String(10_000 + index)).join(','),
  ats: (bytes) => 'a@a.'.repeat(bytes / 4),
  mentions: (bytes) => '@ab '.repeat(bytes / 4),
  hyphens: (bytes) => `${'a-'.repeat(bytes / 2)}!`,
  dots: (bytes) => 'a.'.repeat(bytes / 2),
  brackets: (bytes) => '[('.repeat(bytes / 2),
  angles: (bytes) => '<a "&'.repeat(bytes / 5),
  digits: (bytes) => '9'.repeat(bytes),
  percents: (bytes) => '%_\\'.repeat(bytes / 3),
  slashes: (bytes) => '/a:'.repeat(bytes / 3),
  // One character that becomes eighteen under compatibility normalization.
  ligatures: (bytes) => '\uFDFA'.repeat(bytes / 3),
  // Marks that normalization puts in order.
  marks: (bytes) => `a${'\u0315\u0300\u0316'.repeat(bytes / 6)}`,
  capitals: (bytes) => '\u0130'.repeat(bytes / 2),
  nothing: (bytes) => '\u0000'.repeat(bytes / 6),
  halves: (bytes) => '\ud800'.repeat(bytes / 6),
};
