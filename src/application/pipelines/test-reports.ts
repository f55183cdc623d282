import { mayFetchFiles } from '../../domain/pipelines/artifact-access.js';
import type { PipelineTests } from '../../domain/pipelines/test-report.js';
import type { CiArtifactReader } from './ports/artifact-ports.js';
import type { CiJobReader } from './ports/ci-job-ports.js';
import type { TestReportReader } from './ports/test-report-reader.js';

interface Parts {
  readonly jobs: Pick<CiJobReader, 'ofPipeline'>;
  readonly artifacts: Pick<CiArtifactReader, 'ofJobs'>;
  readonly reports: TestReportReader;
}

/** What the tests of a pipeline came to, by the reports that its jobs left. */
export class TestReports {
  constructor(private readonly parts: Parts) {}

  /**
   * Jobs that have been run again don't count, and neither do those whose files somebody of that level may not fetch.
   * @throws Unavailable, Overloaded.
   */
  async of(pipelineId: number, level: number): Promise<PipelineTests> {
    const jobs = (await this.parts.jobs.ofPipeline(pipelineId)).filter((job) => mayFetchFiles(job, level));
    const left = await this.parts.artifacts.ofJobs(jobs.map(({ id }) => id));
    return this.parts.reports.read(
      jobs.flatMap(({ id, name }) => {
        const report = left.get(id)?.find(({ type }) => type === 'junit');
        return report === undefined ? [] : [{ job: { id, name }, fileKey: report.fileKey }];
      }),
    );
  }
}
