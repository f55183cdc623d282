import { Type } from '@sinclair/typebox';
import {
  totalOf,
  type PipelineTests,
  type TestCase,
  type TestSuite,
} from '../../../../../domain/pipelines/test-report.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

const COUNTS = {
  total_time: Type.Number({ description: 'In seconds' }),
  total_count: Type.Integer(),
  success_count: Type.Integer(),
  failed_count: Type.Integer(),
  skipped_count: Type.Integer(),
  error_count: Type.Integer(),
};

const SUITE = {
  name: Type.String({ description: 'Of the job; jobs that `parallel` makes of one share a suite' }),
  ...COUNTS,
  suite_error: nullable(Type.String({ description: 'Why a report could not be read' })),
};

/** What the tests of a pipeline came to, each of them. */
export const TestReportSchema = component(
  'schemas/TestReport',
  Type.Object({
    ...COUNTS,
    test_suites: Type.Array(
      Type.Object({
        ...SUITE,
        test_cases: Type.Array(
          Type.Object({
            status: Type.String({ description: '`success`, `failed`, `skipped` or `error`' }),
            name: Type.String(),
            classname: Type.String(),
            file: nullable(Type.String()),
            execution_time: Type.Number({ description: 'In seconds' }),
            system_output: nullable(Type.String({ description: 'What is said of how it ended' })),
            stack_trace: Type.Null(),
          }),
        ),
      }),
    ),
  }),
);

/** The same in numbers. */
export const TestSummarySchema = component(
  'schemas/TestReportSummary',
  Type.Object({
    total: Type.Object({
      time: Type.Number({ description: 'In seconds' }),
      count: Type.Integer(),
      success: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
      error: Type.Integer(),
      suite_error: Type.Null(),
    }),
    test_suites: Type.Array(
      Type.Object({ ...SUITE, build_ids: Type.Array(Type.Integer({ description: 'Its jobs' })) }),
    ),
  }),
);

const presentCounts = ({ counts, seconds }: Pick<PipelineTests, 'counts' | 'seconds'>) => ({
  total_time: seconds,
  total_count: totalOf(counts),
  success_count: counts.success,
  failed_count: counts.failed,
  skipped_count: counts.skipped,
  error_count: counts.error,
});

const presentSuite = (suite: TestSuite) => ({
  name: suite.name,
  ...presentCounts(suite),
  suite_error: suite.problem,
});

const presentCase = ({ status, name, className, file, seconds, output }: TestCase) => ({
  ...{ status, name, classname: className, file },
  ...{ execution_time: seconds, system_output: output, stack_trace: null },
});

export const presentTests = (tests: PipelineTests) => ({
  ...presentCounts(tests),
  test_suites: tests.suites.map((suite) => ({ ...presentSuite(suite), test_cases: suite.cases.map(presentCase) })),
});

export const presentTestSummary = (tests: PipelineTests) => {
  const { counts, seconds, suites } = tests;
  const { success, failed, skipped, error } = counts;
  return {
    total: { time: seconds, count: totalOf(counts), success, failed, skipped, error, suite_error: null },
    test_suites: suites.map((suite) => ({ ...presentSuite(suite), build_ids: suite.jobIds })),
  };
};
