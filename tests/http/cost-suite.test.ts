import { expect, it } from '@jest/globals';
import { findRegistered } from '../support/cost/every-target.js';
import { withoutExpressions } from '../support/cost/page-targets.js';
import { describeAnyDatabase } from '../support/databases.js';

/** Words, and names that stand for what may be there. */
const PLAIN = /^(?:\/(?:[*:]\w+|[\w.~-])*)+$/;

describeAnyDatabase('what is measured of a request', (openTestDatabase) => {
  it('knows an address of every page and form, however it is registered', async () => {
    const { pages, operations } = await findRegistered(await openTestDatabase());
    const paths = [...pages, ...operations].map(({ path }) => withoutExpressions(path));
    expect(paths.length).toBeGreaterThan(300);
    expect(paths.filter((path) => !PLAIN.test(path))).toEqual([]);
  });
});
