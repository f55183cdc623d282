import { describe, expect, it } from '@jest/globals';
import type { PlannedJob } from '../../../src/domain/pipelines/ci-file/plan.js';
import type { CheckStatus } from '../../../src/domain/pipelines/commit-status.js';
import { nextToShare, withResourceGroup, type ProcessMode } from '../../../src/domain/pipelines/resource-group.js';

const waiting = 'waiting_for_resource';
const job = (id: number, resourceGroup: string, status: CheckStatus = waiting) => ({
  ...{ id, pipelineId: 1, resourceGroup, status, bridge: false },
});
const turns = (...jobs: readonly ReturnType<typeof job>[]) => nextToShare(jobs).map(({ id }) => id);

describe('whose turn it is to have what jobs share', () => {
  it('is who waits longest for each thing that nobody has', () => {
    expect(turns(job(3, 'a'), job(1, 'a'), job(2, 'b'))).toEqual([3, 2]);
  });

  it('is nobody’s while somebody has it, or is about to', () => {
    for (const status of ['pending', 'running'] as const)
      expect(turns(job(1, 'a'), job(2, 'a', status), job(3, 'b'))).toEqual([3]);
    expect(turns()).toEqual([]);
  });

  it('doesn’t wait for what has ended, whoever ended it', () => {
    expect(turns(job(1, 'a', 'success'), job(2, 'a'))).toEqual([2]);
  });
});

describe('the name of what a job shares', () => {
  const named = (resourceGroup: string | undefined, environment: string | null = null) => {
    const planned = {
      ...(resourceGroup !== undefined && { resourceGroup }),
      ...{ name: 'deploy', stage: 'ship' },
      variables: [{ key: 'WHERE', value: 'east' }],
      options: { environment: environment === null ? null : { name: environment } },
    };
    const known = [{ key: 'CI_COMMIT_REF_NAME', value: 'main' }];
    return withResourceGroup(planned as never as PlannedJob, known, [{ key: 'GIVEN', value: 'g' }]).resourceGroup;
  };

  it.each([
    ['production', 'production'],
    ['$CI_COMMIT_REF_NAME/${WHERE}-$GIVEN', 'main/east-g'],
    ['$CI_ENVIRONMENT_NAME', 'review/main'],
    ['$CI_JOB_STAGE $CI_JOB_NAME', 'ship deploy'],
    ['deploy/$UNKNOWN', 'deploy/$UNKNOWN'],
    [undefined, undefined],
  ])('is, of %p, %p', (said, name) => {
    expect(named(said, 'review/main')).toBe(name);
  });

  it('ends where it would be longer than a name may be', () => {
    expect(named('x'.repeat(250) + '$WHERE$WHERE')).toHaveLength(255);
  });
});

describe('whose turn it is where there is an order', () => {
  const of = (pipelineId: number, id: number, status: CheckStatus = waiting) => ({
    ...job(id, 'a', status),
    pipelineId,
  });
  const next = (mode: ProcessMode, ...jobs: readonly ReturnType<typeof of>[]) =>
    nextToShare(jobs, new Map([['a', mode]])).map(({ id }) => id);

  it.each<[ProcessMode, number]>([
    ['unordered', 2],
    ['oldest_first', 1],
    ['newest_first', 3],
  ])('%s', (mode, id) => {
    expect(next(mode, of(2, 2), of(1, 1), of(3, 3))).toEqual([id]);
  });

  it('is nobody’s where the first comes later, by itself', () => {
    for (const status of ['created', 'scheduled'] as const) {
      expect(next('oldest_first', of(2, 2), of(1, 1, status))).toEqual([]);
      expect(next('newest_first', of(2, 2, status), of(1, 1))).toEqual([]);
      expect(next('unordered', of(2, 2), of(1, 1, status))).toEqual([2]);
    }
    expect(next('oldest_first', of(2, 2), of(1, 1, 'manual'))).toEqual([2]);
  });

  it('is within a pipeline of who is ready', () => {
    expect(next('oldest_first', of(1, 1, 'created'), of(1, 3), of(1, 2))).toEqual([2]);
    expect(next('newest_first', of(1, 1, 'created'), of(1, 3), of(1, 2))).toEqual([2]);
  });
});
