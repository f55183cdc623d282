import { describe, expect, it } from '@jest/globals';
import { encodeCommit, type Signature } from '../../../../src/domain/repositories/object-format.js';

const ADA: Signature = { name: 'Ada', email: 'ada@example.com', at: new Date(1_700_000_000_000), offset: 60 };

/** The line of the author in a commit. */
const authorIn = (author: Partial<Signature>): string | undefined => {
  const commit = { tree: 'a'.repeat(40), parents: [], author: { ...ADA, ...author }, committer: ADA, message: 'x' };
  return new TextDecoder().decode(encodeCommit(commit).content).split('\n')[1];
};

describe('whoever made a commit', () => {
  it.each([
    [{}, 'Ada <ada@example.com> 1700000000 +0100'],
    [{ name: ' .Ada, Countess;"', email: '<ada@example.com>.' }, 'Ada, Countess <ada@example.com> 1700000000 +0100'],
    [{ name: '...' }, 'ada <ada@example.com> 1700000000 +0100'],
    [{ name: '', email: '' }, 'nobody <> 1700000000 +0100'],
    [{ offset: -75 }, 'Ada <ada@example.com> 1700000000 -0115'],
  ])('is written as git writes them: %j', (author, line) => expect(authorIn(author)).toBe(`author ${line}`));

  it('is not written with a time that is none', () => {
    expect(() => authorIn({ at: new Date(NaN) })).toThrow('a time that is none');
    expect(() => authorIn({ offset: NaN })).toThrow('a time that is none');
  });

  it('is cut to 1,000 characters of name and address, none of them in two, and ends as others do', () => {
    const name = `a${'.'.repeat(200_000)}b`;
    expect(authorIn({ name, email: name })).toBe('author a <a> 1700000000 +0100');
    const long = `${'a'.repeat(999)}\u{1f600}b`;
    expect(authorIn({ name: long, email: long })).toBe(
      `author ${'a'.repeat(999)} <${'a'.repeat(999)}> 1700000000 +0100`,
    );
    const kept = `${'a'.repeat(998)}\u{1f600}`;
    expect(authorIn({ name: `${kept}b` })).toBe(`author ${kept} <ada@example.com> 1700000000 +0100`);
  });
});
