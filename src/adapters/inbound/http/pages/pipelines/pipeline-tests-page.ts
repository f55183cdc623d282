import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { TestReports } from '../../../../../application/pipelines/test-reports.js';
import { isUnsuccessful, totalOf } from '../../../../../domain/pipelines/test-report.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { CodePage } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { pathNumber } from '../form-fields.js';
import type { Pages } from '../page.js';

export interface PipelineTestsPageParts extends CodePagesParts {
  readonly pipelineReader: PipelineReader;
  readonly testReports: TestReports;
}

/** More are told by the API. */
const MOST_SHOWN = 100;
const LONGEST_OUTPUT = 4_000;

/** What the tests of a pipeline came to: suites in numbers, and what failed in words. */
export const addPipelineTestsPage = (pages: Pages, parts: PipelineTestsPageParts): void => {
  const page = new CodePage(parts);
  const { pipelineReader, testReports, locate } = parts;
  pages.get('/*path/-/pipelines/:id/test_report', 'anyone', async (context) => {
    const open = await page.open(context, 'read_pipelines');
    const { project, level } = open.permitted;
    const pipeline = orNotFound(await pipelineReader.find(project.id, pathNumber(context.request)));
    const [main, tests] = await Promise.all([
      locate.defaultVersion(open.permitted),
      testReports.of(pipeline.id, level),
    ]);
    const failed = tests.suites.flatMap(({ name, cases }) =>
      cases.filter(isUnsuccessful).map((each) => ({
        ...{ suite: name, name: each.name, className: each.className, file: each.file, seconds: each.seconds },
        output: each.output?.slice(0, LONGEST_OUTPUT).toWellFormed(),
      })),
    );
    const { failed: failures, error } = tests.counts;
    await page.show(
      context,
      'pipeline-tests',
      { ...open, ...main },
      {
        title: `Tests of pipeline #${pipeline.iid} of ${project.name}`,
        tab: 'pipelines',
        part: 'tests',
        pipeline,
        total: { ...tests.counts, count: totalOf(tests.counts), seconds: tests.seconds },
        suites: tests.suites.map(({ name, counts, seconds, problem, jobIds }) => ({
          ...{ ...counts, name, count: totalOf(counts), seconds, problem, jobId: jobIds[0] },
        })),
        failed: failed.slice(0, MOST_SHOWN),
        more: failures + error - Math.min(failed.length, MOST_SHOWN),
      },
    );
  });
};
