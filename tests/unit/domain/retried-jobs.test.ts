import { describe, expect, it } from '@jest/globals';
import type { CiRetry } from '../../../src/domain/pipelines/ci-file/ci-config.js';
import { retriesByItself, type FailureReason } from '../../../src/domain/pipelines/ci-job.js';

const retries = (retry: CiRetry, reason: FailureReason, exitCode: number | null = null, before = 0) =>
  retriesByItself({ definition: { retry } as never }, { reason, exitCode }, before);

describe('a job that failed', () => {
  it('is run again as often as its file says', () => {
    const retry = { max: 2, when: ['always'] };
    expect([0, 1, 2].map((before) => retries(retry, 'script_failure', 1, before))).toEqual([true, true, false]);
    expect(retries({ max: 0, when: ['always'] }, 'script_failure')).toBe(false);
  });

  it('is run again for the reasons and the exit codes that its file names', () => {
    const retry = { max: 1, when: ['runner_system_failure'], exitCodes: [137] };
    expect(retries(retry, 'runner_system_failure')).toBe(true);
    expect(retries(retry, 'script_failure', 137)).toBe(true);
    expect(retries(retry, 'script_failure', 1)).toBe(false);
    expect(retries(retry, 'stuck_or_timeout_failure')).toBe(false);
  });
});
