import { describe, expect, it } from '@jest/globals';
import { endWith, givenDownstream, nextOfBridge, withDownstream } from '../../../src/domain/pipelines/downstream.js';
import type { CheckStatus } from '../../../src/domain/pipelines/commit-status.js';
import { PIPELINE_STATUSES } from '../../../src/domain/pipelines/pipeline.js';
import type { CiValue } from '../../../src/domain/pipelines/predefined-variables.js';
import { planOf } from '../../support/ci-files.js';

const jobOf = (text: string) => planOf(text).jobs[0]!;
const FACTS = {
  ...{ jobId: 9, pipeline: { id: 7, iid: 3, createdAt: new Date(0) } },
  ...{ asked: [{ key: 'A', value: 'asked' }] as readonly CiValue[], played: [] as readonly CiValue[] },
};

describe('where a job starts a pipeline, and with what', () => {
  it('is filled in with what is known and may be shown, as far as it is certain', () => {
    const job = jobOf(`
x:
  trigger: {project: $GROUP/$NAME, branch: $BRANCH$HIDDEN}
  variables: {NAME: b, OF: "$CI_JOB_NAME/$GROUP/$CI_PIPELINE_ID/$HIDDEN", RAW: {value: $GROUP, expand: false}}
`);
    const filled = withDownstream(job, [{ key: 'GROUP', value: 'a' }], [{ key: 'BRANCH', value: 'main' }]);
    expect(filled.trigger).toMatchObject({ project: 'a/b', branch: 'main' });
    expect(filled.variables).toEqual([
      { key: 'NAME', value: 'b' },
      { key: 'OF', value: 'x/a/$CI_PIPELINE_ID/$HIDDEN' },
      { key: 'RAW', value: '$GROUP', raw: true },
    ]);
    expect(givenDownstream(filled, FACTS)).toEqual([
      { key: 'NAME', value: 'b', raw: true },
      { key: 'OF', value: 'x/a/7/', raw: true },
      { key: 'RAW', value: '$GROUP', raw: true },
    ]);
  });

  it('is left as it is in any other job', () => {
    const job = jobOf('x: {script: x, variables: {A: $B}}');
    expect(withDownstream(job, [{ key: 'B', value: 'b' }], [])).toBe(job);
  });

  it('is what the file says unless it is told otherwise, then what was asked for, then what was played with', () => {
    const given = (forward: string, played: readonly CiValue[] = []) =>
      givenDownstream(jobOf(`x: {trigger: {project: a/b, forward: ${forward}}, variables: {A: own, B: own}}`), {
        ...FACTS,
        played,
      })?.map(({ key, value }) => `${key}=${value}`);
    expect(given('{}')).toEqual(['A=own', 'B=own']);
    expect(given('{yaml_variables: false}')).toEqual([]);
    expect(given('{pipeline_variables: true}')).toEqual(['A=asked', 'B=own']);
    expect(given('{yaml_variables: false, pipeline_variables: true}')).toEqual(['A=asked']);
    expect(given('{pipeline_variables: true}', [{ key: 'B', value: 'hand' }])).toEqual(['A=asked', 'B=hand']);
  });

  it('is nothing where it is more than anybody may give', () => {
    const many = Array.from({ length: 101 }, (_, at) => `V${at}: a`);
    const given = (variables: string) => givenDownstream(jobOf(`x: {trigger: a/b, variables: {${variables}}}`), FACTS);
    expect(given(many.join(', '))).toBeUndefined();
    expect(given(many.slice(1).join(', '))).toHaveLength(100);
    expect(given(`A: ${'x'.repeat(10_001)}`)).toBeUndefined();
    expect(given(`A: ${'x'.repeat(10_000)}`)).toHaveLength(1);
  });
});

describe('how a job stands that waits for what it started', () => {
  it('is as that ended; left out counts as success, and gone as canceled', () => {
    expect(Object.fromEntries(PIPELINE_STATUSES.map((status) => [status, endWith(status)]))).toEqual({
      ...{ success: 'success', skipped: 'success', failed: 'failed', canceled: 'canceled' },
    });
    expect(endWith(undefined)).toBe('canceled');
  });

  it('follows it while it runs, and afterwards as long as both stand alike', () => {
    const cases: readonly (readonly [CheckStatus, string | undefined, string | undefined, string | undefined])[] = [
      ['running', 'running', 'pending', undefined],
      ['running', 'failed', 'running', 'failed'],
      ['running', 'success', undefined, 'success'],
      ['running', undefined, 'running', 'canceled'],
      ['failed', 'running', 'failed', 'running'],
      ['failed', 'success', 'failed', 'success'],
      ['success', 'running', 'skipped', 'running'],
      ['success', 'success', 'skipped', undefined],
      ['canceled', 'success', 'running', undefined],
      ['canceled', 'running', 'failed', undefined],
      ['success', undefined, 'success', undefined],
      ['manual', 'failed', 'running', undefined],
      ['failed', 'success', undefined, undefined],
    ];
    for (const [bridge, now, before, next] of cases)
      expect([bridge, now, before, nextOfBridge(bridge, now as never, before as never)]).toEqual([
        bridge,
        now,
        before,
        next,
      ]);
  });
});
