/** What the names of programs are known by, the more special first: many call themselves by the names of others as well. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** A client as people call it, by what it says of itself. */
export const describeDevice = (userAgent: string | null): string => {
  if (userAgent === null) return 'Unknown device';
  const [program, system] = [nameIn(PROGRAMS, userAgent), nameIn(SYSTEMS, userAgent)];
  if (program === undefined) return system ?? 'Unknown device';
  return system === undefined ? program : `${program} on ${system}`;
};
