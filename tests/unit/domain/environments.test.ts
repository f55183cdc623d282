import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkEnvironment, guessTier, MAX_SLUG, slugOf } from '../../../src/domain/environments/environment.js';
import { Invalid } from '../../../src/domain/shared/domain-error.js';

const LETTERS = Array.from('abcXYZ019 -_/$.{}');
const names = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 60 });

describe('the slug of an environment', () => {
  it('is the name itself where that can stand in an address', () => {
    for (const name of ['production', 'a', 'review-app-1', 'x'.repeat(24)]) expect(slugOf(name)).toBe(name);
  });

  it('is made of the name where that can not, and tells it from others', () => {
    expect(slugOf('Production')).toMatch(/^production-[0-9a-z]{6}$/);
    expect(slugOf('review/Topic 7')).toMatch(/^review-topic-7-[0-9a-z]{6}$/);
    expect(slugOf('1st')).toMatch(/^env-1st-[0-9a-z]{6}$/);
    expect(slugOf('/')).toMatch(/^env-[0-9a-z]{6}$/);
    expect(slugOf('x'.repeat(25))).toMatch(/^x{17}-[0-9a-z]{6}$/);
    expect(slugOf('trailing-')).toMatch(/^trailing-[0-9a-z]{6}$/);
    expect(new Set(['a/b', 'a_b', 'a b', 'A b', 'a-b', 'a--b'].map(slugOf)).size).toBe(6);
  });

  it('begins with a letter, holds small letters, digits and single dashes, and is at most 24 of them, whatever the name is', () => {
    fc.assert(
      fc.property(names, (name) => {
        const slug = slugOf(name);
        expect(slug).toMatch(/^[a-z](?:-?[a-z0-9])*$/);
        expect(slug.length).toBeLessThanOrEqual(MAX_SLUG);
        expect(slugOf(name)).toBe(slug);
      }),
    );
  });
});

describe('an environment', () => {
  const problemsOf = (name: string, externalUrl: string | null = null) => {
    try {
      checkEnvironment({ name, externalUrl });
      return undefined;
    } catch (error) {
      return error instanceof Invalid ? error.problems : error;
    }
  };

  it('has a name of letters, digits, spaces and a few signs, with no slash at its ends', () => {
    for (const name of ['production', 'review/a-b_c', 'Blue 2.0', '$X{y}', 'x'.repeat(255)])
      expect(problemsOf(name)).toBeUndefined();
    for (const name of ['', '  ', '/a', 'a/', 'a\nb', 'a#b', 'ä', 'x'.repeat(256)])
      expect(problemsOf(name)).toEqual({ name: [expect.any(String)] });
  });

  it('is at an address of the web, or nowhere', () => {
    expect(problemsOf('a', 'https://a.example/x?y#z')).toBeUndefined();
    for (const url of ['javascript:alert(1)', 'ftp://a.example', 'a.example', 'https://', `https://${'a'.repeat(250)}`])
      expect(problemsOf('a', url)).toEqual({ external_url: [expect.any(String)] });
  });

  it('is for what its name says', () => {
    const tiers = ['review/topic', 'trunk', 'QA', 'Test 2', 'staging', 'pre', 'Production', 'live', 'gehege'];
    expect(tiers.map(guessTier)).toEqual([
      ...['development', 'development', 'testing', 'testing'],
      ...['staging', 'staging', 'production', 'production', 'other'],
    ]);
  });
});
