import { mayFetchFiles } from '../../domain/pipelines/artifact-access.js';
import { NO_RESULTS, testsOf, type PipelineTests } from '../../domain/pipelines/test-report.js';
import type { CiArtifactReader } from './ports/artifact-ports.js';
import type { CiJobReader } from './ports/ci-job-ports.js';
import type { TestReportReader } from './ports/test-report-reader.js';

interface Parts {
  readonly jobs: Pick<CiJobReader, 'ofPipeline'>;
  readonly artifacts: Pick<CiArtifactReader, 'ofJobs'>;
  readonly reports: TestReportReader;
}

/** Of a pipeline so many are read, and no more once these have so many bytes together, packed. */
const MOST_REPORTS = 100;
const MOST_BYTES = 20_971_520;
const TOO_MANY = 'not read: the reports of this pipeline are too many, or too large together';

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
    const found = jobs.flatMap((job) => {
      const report = left.get(job.id)?.find(({ type }) => type === 'junit');
      return report === undefined ? [] : [{ job, report }];
    });
    const reported: Parameters<typeof testsOf>[0][number][] = [];
    let bytes = 0;
    for (const { job, report } of found) {
      bytes += report.size;
      const isRead = reported.length < MOST_REPORTS && bytes <= MOST_BYTES;
      const results = isRead ? await this.parts.reports.read(report.fileKey) : { ...NO_RESULTS, problem: TOO_MANY };
      if (results !== undefined) reported.push({ job, results });
    }
    return testsOf(reported);
  }
}
