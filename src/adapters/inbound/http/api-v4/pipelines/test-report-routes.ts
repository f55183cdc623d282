import type { TestReports } from '../../../../../application/pipelines/test-reports.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import type { PipelineRoutesParts } from './pipeline-routes.js';
import { presentTests, presentTestSummary, TestReportSchema, TestSummarySchema } from './test-report-schema.js';

export interface TestReportRoutesParts extends Pick<PipelineRoutesParts, 'access' | 'pipelineReader'> {
  readonly testReports: TestReports;
}
type Parts = TestReportRoutesParts;

const ONE = '/projects/:id/pipelines/:pipeline_id';
const IN_PATH = { id: PROJECT_ID, pipeline_id: pathId('Numeric id of the pipeline') };
const { get } = routesOf({ tag: 'Pipelines' });

const inPipeline = ({ access, pipelineReader }: Parts) =>
  found('Pipeline', 'pipeline_id', inProject(access, 'read_pipelines'), ({ project }, id) =>
    pipelineReader.find(project.id, id),
  );

const getTestReport = (parts: Parts): Route =>
  get(`${ONE}/test_report`, 'getPipelineTestReport', {
    summary: 'What the tests of a pipeline came to, each of them',
    description: 'By the `junit` reports of its jobs. All are counted; of very many not all are listed.',
    access: 'anyone',
    parameters: IN_PATH,
    answer: TestReportSchema,
    guard: inPipeline(parts),
    handle: async ({ subject: { pipeline, level } }) => presentTests(await parts.testReports.of(pipeline.id, level)),
  });

const getTestReportSummary = (parts: Parts): Route =>
  get(`${ONE}/test_report_summary`, 'getPipelineTestReportSummary', {
    summary: 'What the tests of a pipeline came to, in numbers',
    access: 'anyone',
    parameters: IN_PATH,
    answer: TestSummarySchema,
    guard: inPipeline(parts),
    handle: async ({ subject: { pipeline, level } }) =>
      presentTestSummary(await parts.testReports.of(pipeline.id, level)),
  });

export const createTestReportRoutes = (parts: Parts): readonly Route[] => [
  getTestReport(parts),
  getTestReportSummary(parts),
];
