import { describe, expect, it } from '@jest/globals';
import type { PlannedJob } from '../../../src/domain/pipelines/ci-file/plan.js';
import type { CheckStatus } from '../../../src/domain/pipelines/commit-status.js';
import { nextToShare, withResourceGroup } from '../../../src/domain/pipelines/resource-group.js';

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
