import type { TestResults } from '../../../domain/pipelines/test-report.js';

/** Reports of tests, as jobs left them. */
export interface TestReportReader {
  /**
   * What one says; where it can't be read, that is its problem. Undefined where its file is gone.
   * @throws Unavailable, Overloaded.
   */
  read(fileKey: string): Promise<TestResults | undefined>;
}
