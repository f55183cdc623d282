import { describe, expect, it } from '@jest/globals';
import { checkBadge, MAX_BADGE_URL } from '../../../src/domain/badges/badge.js';
import { fillPlaceholders, inAddress, placeholdersOf } from '../../../src/domain/badges/placeholders.js';
import { coverageBadge, pipelineBadge, releaseBadge } from '../../../src/domain/badges/state-badge.js';
import { Invalid } from '../../../src/domain/shared/domain-error.js';

const GOOD = 'https://example.com/badge.svg';

const problemsOf = (fields: { name?: string; linkUrl?: string; imageUrl?: string }): object => {
  try {
    checkBadge({ name: null, linkUrl: GOOD, imageUrl: GOOD, ...fields });
    return {};
  } catch (error) {
    if (error instanceof Invalid) return error.problems;
    throw error;
  }
};

describe('the addresses of a badge', () => {
  it.each([
    'http://example.com',
    'HTTPS://example.com/%{project_path}?ref=%{default_branch}',
    'https://%{gitlab_server}/%{project_path}/badges/main/pipeline.svg',
    'https://example.com/%%7Bproject_id%7D',
    'https://example.com/%{something_else}',
  ])('may be %s', (url) => {
    expect(problemsOf({ linkUrl: url, imageUrl: url })).toEqual({});
  });

  it.each([
    ['', "can't be blank"],
    ['example.com/a.svg', 'must be an http or https address'],
    ['//example.com/a.svg', 'must be an http or https address'],
    ['javascript:alert(1)//https://', 'must be an http or https address'],
    ['data:image/svg+xml,<svg>', 'must be an http or https address'],
    ['%{project_path}://example.com', 'must be an http or https address'],
    ['https://', 'must be an http or https address'],
    ['https://%{nobody_knows}/a.svg', 'must be an http or https address'],
    ['https://example.com/a b', 'must be an http or https address'],
    ['https://example.com\\@evil.example/', 'must be an http or https address'],
    ['https://ada:word@example.com/', 'must not carry a user name or password'],
    [`https://example.com/${'a'.repeat(MAX_BADGE_URL)}`, 'is too long (maximum is 1024 characters)'],
    [`https://example.com/${'%{project_path}'.repeat(11)}`, 'has more than 10 placeholders'],
  ])('may not be %s', (url, problem) => {
    expect(problemsOf({ linkUrl: url })).toEqual({ link_url: [problem] });
    expect(problemsOf({ imageUrl: url })).toEqual({ image_url: [problem] });
  });

  it('and its name has a longest length, and no control characters', () => {
    expect(problemsOf({ name: 'a'.repeat(255) })).toEqual({});
    expect(problemsOf({ name: 'a'.repeat(256) })).toEqual({ name: ['is too long (maximum is 255 characters)'] });
    expect(problemsOf({ name: 'a\nb' })).toEqual({ name: ['must not contain control characters'] });
  });
});

describe('placeholders', () => {
  it('are known by their names alone, as people and as browsers write them', () => {
    expect(
      placeholdersOf('https://a/%{project_path}/%%7Bcommit_sha%7D/%{Project_ID}/%{nobody}/{project_path}'),
    ).toEqual(['project_path', 'commit_sha', 'project_id']);
  });

  it('without a value stay as they were written', () => {
    const values: Readonly<Record<string, string>> = { project_path: 'works/mill' };
    expect(fillPlaceholders('https://a/%{project_path}/%{latest_tag}/%{nobody}', (name) => values[name])).toBe(
      'https://a/works/mill/%{latest_tag}/%{nobody}',
    );
  });

  it('have values that end nothing around them; slashes stay', () => {
    expect(inAddress('feature/a b?#&"<')).toBe('feature/a%20b%3F%23%26%22%3C');
  });
});

describe('what a badge says', () => {
  it.each([
    ['success', 'passed', 'good'],
    ['failed', 'failed', 'poor'],
    ['running', 'running', 'going'],
    ['waiting_for_resource', 'waiting for resource', 'waiting'],
    ['canceled', 'canceled', 'quiet'],
    ['skipped', 'skipped', 'quiet'],
    [undefined, 'unknown', 'quiet'],
  ] as const)('of a pipeline that is %s, is %s', (status, value, colour) => {
    expect(pipelineBadge(status)).toEqual({ key: 'pipeline', value, colour });
  });

  it.each([
    [9_500, '95.00%', 'good'],
    [9_000, '90.00%', 'fair'],
    [7_512, '75.12%', 'middling'],
    [7_499, '74.99%', 'poor'],
    [undefined, 'unknown', 'quiet'],
  ] as const)('of a coverage of %s hundredths, is %s', (coverage, value, colour) => {
    expect(coverageBadge(coverage)).toEqual({ key: 'coverage', value, colour });
  });

  it('of a coverage is coloured by bounds of whoever asks', () => {
    expect(coverageBadge(5_000, { good: 50, acceptable: 40, medium: 30 }).colour).toBe('good');
  });

  it('of releases is the tag of the latest, or that there is none', () => {
    expect(releaseBadge('v1.0').value).toBe('v1.0');
    expect(releaseBadge(undefined).value).toBe('none');
  });
});
