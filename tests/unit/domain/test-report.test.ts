import { describe, expect, it } from '@jest/globals';
import { NO_RESULTS, testsOf, type TestCase, type TestResults } from '../../../src/domain/pipelines/test-report.js';

const passed: TestCase = { status: 'success', name: 'a', className: 'b', file: null, seconds: 0.1, output: null };
const results = (fields: Partial<TestResults> = {}): TestResults => ({
  ...{ counts: { success: 1, failed: 0, skipped: 0, error: 0 }, seconds: 0.1, cases: [passed], problem: null },
  ...fields,
});

describe('the tests of a pipeline', () => {
  it('are a suite for each job, and one for all that `parallel` makes of one', () => {
    const names = ['unit', 'browser 1/2', 'browser 2/2', 'db: [a]'];
    const { suites, counts, seconds } = testsOf(names.map((name, id) => ({ job: { id, name }, results: results() })));
    expect(suites.map(({ name, jobIds }) => [name, jobIds])).toEqual([
      ['unit', [0]],
      ['browser', [1, 2]],
      ['db: [a]', [3]],
    ]);
    expect([counts.success, seconds, suites[1]!.seconds]).toEqual([4, 0.4, 0.2]);
  });

  it('are counted where others of their suite can’t be read', () => {
    const broken = { job: { id: 2, name: 'unit 2/2' }, results: { ...NO_RESULTS, problem: 'no' } };
    const { suites } = testsOf([{ job: { id: 1, name: 'unit 1/2' }, results: results() }, broken]);
    expect(suites).toMatchObject([{ name: 'unit', problem: 'no', counts: { success: 1 }, cases: [passed] }]);
  });

  it('are listed up to a bound, and counted all the same', () => {
    const cases = Array.from({ length: 4_000 }, () => passed);
    const counts = { success: 4_000, failed: 0, skipped: 0, error: 0 };
    const all = testsOf(
      ['a', 'b', 'c'].map((name, id) => ({ job: { id, name }, results: results({ cases, counts }) })),
    );
    expect([all.counts.success, ...all.suites.map((suite) => suite.cases.length)]).toEqual([12_000, 4_000, 4_000, 0]);
  });
});
