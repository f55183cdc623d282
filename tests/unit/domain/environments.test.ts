import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkEnvironment, guessTier, MAX_SLUG, slugOf } from '../../../src/domain/environments/environment.js';
import type { PlannedJob } from '../../../src/domain/pipelines/ci-file/plan.js';
import {
  environmentVariables,
  knownEnvironmentUrl,
  withEnvironment,
} from '../../../src/domain/pipelines/job-environment.js';
import type { CiValue } from '../../../src/domain/pipelines/predefined-variables.js';
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
    for (const url of [
      'javascript:alert(1)',
      'ftp://a.example',
      'a.example',
      'https://',
      'https:///app',
      `https://${'a'.repeat(250)}`,
    ])
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

describe('the environment of a job', () => {
  const job = (name: string, url: string | null = null, variables: PlannedJob['variables'] = []) => {
    const environment = { name, url, action: 'start', onStop: null, autoStopIn: null, tier: null } as const;
    return { name: 'deploy', variables, options: { environment } } as unknown as PlannedJob;
  };
  const known = [{ key: 'REF', value: 'topic' }];
  const named = (name: string, variables: PlannedJob['variables'] = [], given: readonly CiValue[] = []) =>
    withEnvironment(job(name, null, variables), known, given).options.environment!.name;

  it('is called by its variables, those that name others too, and nothing for those that are not there', () => {
    expect(named('review/$REF')).toBe('review/topic');
    expect(named('${REF}-$NONE-x')).toBe('topic--x');
    expect(named('$AREA/a', [{ key: 'AREA', value: 'at-${REF}' }])).toBe('at-topic/a');
    expect(named('$REF', [{ key: 'REF', value: 'said' }], [{ key: 'REF', value: 'given' }])).toBe('given');
    expect(named('a$', [])).toBe('a$');
  });

  it('is never longer than is needed to refuse it, whatever its variables say', () => {
    const [a, b] = [
      { key: 'A', value: '$B'.repeat(127) },
      { key: 'B', value: 'x$A'.repeat(80) },
    ];
    expect(named('$A'.repeat(127), [a, b]).length).toBeLessThanOrEqual(256);
  });

  it('is where its address says, once the slug is known', () => {
    const urlOf = (url: string) => {
      const { environment: said } = withEnvironment(job('a', url), known, []).options;
      const environment = { name: 'a', slug: 'a-1', tier: 'other', externalUrl: null };
      const facts = { said: said!, environment, jobId: 1, pipeline: { id: 2, iid: 3 } };
      const told = environmentVariables(facts).find(({ key }) => key === 'CI_ENVIRONMENT_URL');
      return [knownEnvironmentUrl(facts), told?.value];
    };
    const address = 'https://a-1.topic.example/1';
    expect(urlOf('https://$CI_ENVIRONMENT_SLUG.$REF.example/$CI_JOB_ID')).toEqual([address, address]);
    // What only its runner knows is no address yet.
    expect(urlOf('https://$DOMAIN/$REF')).toEqual([null, 'https://$DOMAIN/topic']);
  });

  it('is where its job would say: reports beat what the file says, and nothing beats what was given', () => {
    const variables = [
      { key: 'HOST', value: '$NAME.example' },
      { key: 'NAME', value: '${REF}-of-file' },
      { key: 'GIVEN', value: 'of file' },
    ];
    const given = [{ key: 'GIVEN', value: 'given' }];
    const urlOf = (url: string, told: readonly CiValue[]) => {
      const { environment: said } = withEnvironment(job('a', url, variables), known, given).options;
      const environment = { name: 'a', slug: 'a-1', tier: 'other', externalUrl: null };
      return knownEnvironmentUrl({ said: said!, environment, jobId: 1, pipeline: { id: 2, iid: 3 }, told });
    };
    const url = 'https://$HOST/$GIVEN';
    expect(urlOf(url, [])).toBe('https://topic-of-file.example/given');
    expect(urlOf(url, [{ key: 'HOST', value: 'told' }])).toBe('https://told/given');
    expect(urlOf(url, [{ key: 'NAME', value: 'told' }])).toBe('https://told.example/given');
    expect(urlOf(url, [{ key: 'GIVEN', value: 'told' }])).toBe('https://topic-of-file.example/given');
  });
});
