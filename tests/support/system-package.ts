import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from '@jest/globals';

/**
 * For tests that need a package of the operating system. Where it is absent the test says loudly that it was left out;
 * in CI, which installs it, its absence fails.
 */
export const leftOutWithout = (packageName: string, present: boolean): boolean => {
  if (present) return false;
  if (process.env['CI'] === 'true') throw new Error(`CI must have the package ${packageName}.`);
  process.stderr.write(
    `\n*** LEFT OUT: this test needs the system package ${packageName}, which this machine lacks. ***\n\n`,
  );
  return true;
};

/** The same for a whole suite. */
export const describeWithPackage = (packageName: string, present: boolean, name: string, suite: () => void): void => {
  if (present) return suite();
  describe(name, () => {
    it(`needs the system package ${packageName}`, () => void leftOutWithout(packageName, false));
  });
};

/** Without starting it, which takes a worker of tests longer than looking. */
export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
