import type { PipelineTests } from '../../../domain/pipelines/test-report.js';

/** A report of tests, as a job left it. */
export interface LeftReport {
  readonly job: { readonly id: number; readonly name: string };
  readonly fileKey: string;
}

export interface TestReportReader {
  /**
   * What the reports of a pipeline say, together; of one that can't be read, or is too much beside the others, its problem. Those whose files are
   * gone don't count.
   * @throws Unavailable, Overloaded.
   */
  read(reports: readonly LeftReport[]): Promise<PipelineTests>;
}
