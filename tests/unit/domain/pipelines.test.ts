import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  COMMIT_STATUS_WORDS,
  impossibleStep,
  isFinished,
  nextStep,
  type CheckStatus,
  type CommitStatusWord,
} from '../../../src/domain/pipelines/commit-status.js';
import { hasEnded, statusOfAll } from '../../../src/domain/pipelines/pipeline.js';

/** A check that the pipeline doesn't succeed without. */
const must = (status: CheckStatus) => ({ status, allowFailure: false });

const mayFail = (status: CheckStatus) => ({ status, allowFailure: true });

const word = fc.constantFrom<CommitStatusWord>(...COMMIT_STATUS_WORDS);

describe('what checks come to together', () => {
  it.each([
    [[], 'created'],
    [['skipped', 'skipped'], 'skipped'],
    [['success', 'skipped'], 'success'],
    [['canceled', 'success', 'skipped'], 'canceled'],
    [['pending', 'skipped'], 'pending'],
    [['pending', 'success'], 'running'],
    [['running', 'failed'], 'running'],
    [['failed', 'success'], 'failed'],
    [['failed', 'canceled', 'skipped'], 'failed'],
    [['success', 'created'], 'running'],
    [['created', 'created'], 'created'],
    [['pending', 'created'], 'pending'],
    [['success', 'manual', 'created'], 'manual'],
    [['failed', 'manual'], 'manual'],
    [['manual', 'running'], 'running'],
    [['waiting_for_resource', 'created'], 'waiting_for_resource'],
    [['scheduled', 'created', 'success'], 'scheduled'],
    [['scheduled', 'manual'], 'manual'],
    [['manual', 'waiting_for_resource', 'success'], 'waiting_for_resource'],
    [['waiting_for_resource', 'pending'], 'running'],
  ] as const)('of %j is %s', (statuses, together) => {
    expect(statusOfAll(statuses.map(must))).toBe(together);
  });

  it.each([
    [[mayFail('failed'), must('success')], 'success'],
    [[mayFail('failed')], 'success'],
    [[mayFail('canceled'), must('failed')], 'failed'],
    [[mayFail('manual'), must('success')], 'success'],
    [[mayFail('manual')], 'skipped'],
    [[mayFail('manual'), must('created')], 'created'],
    [[mayFail('running'), must('success')], 'running'],
    [[mayFail('failed'), must('pending')], 'pending'],
  ] as const)('lets %j succeed without those that may fail, or be left out: %s', (checks, together) => {
    expect(statusOfAll(checks)).toBe(together);
  });

  it('has ended where each of them has, whatever their order, and fails where one of them does', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (statuses) => {
        const together = statusOfAll(statuses.map(must));
        expect(hasEnded(together)).toBe(statuses.every(isFinished));
        expect(statusOfAll([...statuses].reverse().map(must))).toBe(together);
        expect(statusOfAll([...statuses, ...statuses].map(must))).toBe(together);
        if (statuses.every(isFinished)) expect(together === 'failed').toBe(statuses.includes('failed'));
      }),
    );
  });
});

describe('what may follow what a check said', () => {
  it('begins anew after an end, unless it ends the same way, and otherwise goes on but back to waiting', () => {
    fc.assert(
      fc.property(word, word, (from, to) => {
        const step = nextStep(from, to);
        if (isFinished(from)) expect(step).toBe(from === to ? 'impossible' : 'begins anew');
        else expect(step).toBe(from === 'running' && to === 'pending' ? 'impossible' : 'goes on');
      }),
    );
  });

  it('is refused in words that name both', () => {
    expect(impossibleStep('running', 'pending')).toBe(
      'Cannot transition status via :enqueue from :running (Reason(s): Status cannot transition via "enqueue")',
    );
  });
});
