import { describe, expect, it } from '@jest/globals';
import { highestVersion, isPartialVersion } from '../../../src/domain/pipelines/component-version.js';

const TAGS = ['v1.9.0', 'v1.10.2', '1.10.1', '2.0.0-rc1', 'v2', 'later', '0.3.0', 'v1.2.3+build', 'x1.99.0', '1.2.3.4'];

describe('the version of a component', () => {
  it.each([
    ['', 'v1.10.2'],
    ['1', 'v1.10.2'],
    ['1.10', 'v1.10.2'],
    ['1.9', 'v1.9.0'],
    ['1.2', 'v1.2.3+build'],
    ['0', '0.3.0'],
    ['2', undefined],
    ['1.1', undefined],
  ])('that begins with "%s" is the highest of those, by numbers, and none before a release', (beginning, tag) => {
    expect(highestVersion(TAGS, beginning)).toBe(tag);
  });

  it.each([
    ['1', true],
    ['1.2', true],
    ['1.2.3', false],
    ['v1', false],
    ['main', false],
    ['', false],
    ['1.', false],
  ])('is partial where it is one number or two: %s', (text, partial) => {
    expect(isPartialVersion(text)).toBe(partial);
  });
});
