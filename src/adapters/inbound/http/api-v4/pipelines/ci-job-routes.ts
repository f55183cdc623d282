import { Type } from '@sinclair/typebox';
import type { BridgeReader } from '../../../../../application/pipelines/ports/bridge-ports.js';
import type { CiJobs } from '../../../../../application/pipelines/ci-jobs.js';
import type { CiJobDetails, CiJobQuery, CiJobReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { Commit, ObjectReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { requireReadableLog } from '../../../../../domain/pipelines/debug-log.js';
import { isBridge } from '../../../../../domain/pipelines/ci-job.js';
import { ASKED_STATUSES } from '../../../../../domain/pipelines/pipeline.js';
import type { Page } from '../../../../../domain/shared/page.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { listOf, oneOf, pathId, parameters } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { bytesOf, PLAIN } from '../repository/bytes.js';
import { BridgeSchema, presentBridge } from './bridge-schema.js';
import { CiJobSchema, presentCiJob } from './ci-job-schema.js';
import { VARIABLE_LIST, variableIn } from './sent-variables.js';

export interface CiJobRoutesParts {
  readonly access: WorkspaceAccess;
  readonly ciJobs: CiJobs;
  readonly ciJobReader: CiJobReader;
  readonly bridgeReader: Pick<BridgeReader, 'downstreamsOf'>;
  readonly pipelineReader: PipelineReader;
  readonly refReader: RefReader;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly urls: WebUrls;
  readonly clock: Clock;
}
type Parts = CiJobRoutesParts;

const TAG = 'Jobs';
const ALL = '/projects/:id/jobs';
const ONE = `${ALL}/:job_id`;
const IN_PATH = { id: PROJECT_ID, job_id: pathId('Numeric id of the job') };
const PIPELINE = '/projects/:id/pipelines/:pipeline_id';
const IN_PIPELINE_PATH = { id: PROJECT_ID, pipeline_id: pathId('Numeric id of the pipeline') };
const SCOPE = Type.Optional(listOf(oneOf(ASKED_STATUSES), { description: 'Only those that stand so' }));
const { list, get, post } = routesOf({ tag: TAG });

/** The commits of some jobs, each read once. */
const commitsOf = async (
  { refReader, objects }: Parts,
  project: Project,
  jobs: readonly CiJobDetails[],
): Promise<ReadonlyMap<string, Commit | undefined>> => {
  const repository = jobs.length === 0 ? undefined : await refReader.findRepository(project.id);
  if (repository === undefined) return new Map();
  const ids = [...new Set(jobs.map(({ pipeline }) => pipeline.sha))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await objects.commit(repository.store, id)] as const)));
};

type Listed = CiJobDetails & { readonly commit: Commit | undefined };

const readJobs = async (parts: Parts, project: Project, query: CiJobQuery): Promise<Page<Listed>> =>
  withCommits(parts, project, await parts.ciJobReader.list(query));

/** Jobs with their commits, to be presented. */
export const withCommits = async (parts: Parts, project: Project, page: Page<CiJobDetails>): Promise<Page<Listed>> => {
  const commits = await commitsOf(parts, project, page.items);
  return { ...page, items: page.items.map((job) => ({ ...job, commit: commits.get(job.pipeline.sha) })) };
};

/** One job, as it is now. */
export const showJob = async (parts: Parts, project: Project, id: number) => {
  const job = orNotFound(await parts.ciJobReader.find(project.id, id));
  const commits = await commitsOf(parts, project, [job]);
  const { urls, clock } = parts;
  return presentCiJob(job, { project, commit: commits.get(job.pipeline.sha), urls, now: clock.now() });
};

/** One of a list. */
export const presentListed = ({ urls, clock }: Parts, job: Listed, project: Project) =>
  presentCiJob(job, { project, commit: job.commit, urls, now: clock.now() });

const listJobs = (parts: Parts): Route =>
  list(ALL, 'listJobs', {
    summary: 'Jobs of a project, the newest first',
    access: 'anyone',
    parameters: { id: PROJECT_ID, scope: SCOPE },
    items: CiJobSchema,
    guard: inProject(parts.access, 'read_pipelines'),
    read: ({ subject: { project }, parameters: { scope = [] }, page }) =>
      readJobs(parts, project, { projectId: project.id, scope, includeRetried: true, page }),
    present: (job, { subject: { project } }) => presentListed(parts, job, project),
  });

const inPipeline = ({ access, pipelineReader }: Parts) =>
  found('Pipeline', 'pipeline_id', inProject(access, 'read_pipelines'), ({ project }, id) =>
    pipelineReader.find(project.id, id),
  );

const listPipelineJobs = (parts: Parts): Route =>
  list(`${PIPELINE}/jobs`, 'listPipelineJobs', {
    summary: 'Jobs of a pipeline, the newest first',
    access: 'anyone',
    parameters: {
      ...IN_PIPELINE_PATH,
      scope: SCOPE,
      include_retried: Type.Boolean({ default: false, description: 'Whether those that were run again are told, too' }),
    },
    items: CiJobSchema,
    guard: inPipeline(parts),
    read: ({ subject: { project, pipeline }, parameters: { scope = [], include_retried: includeRetried }, page }) =>
      readJobs(parts, project, { pipelineId: pipeline.id, scope, includeRetried, page }),
    present: (job, { subject: { project } }) => presentListed(parts, job, project),
  });

const listPipelineBridges = (parts: Parts): Route =>
  list(`${PIPELINE}/bridges`, 'listPipelineBridges', {
    summary: 'Jobs of a pipeline that start another one, the newest first',
    description: 'What they started is null for whoever may not see it.',
    access: 'anyone',
    parameters: { ...IN_PIPELINE_PATH, scope: SCOPE },
    items: BridgeSchema,
    guard: inPipeline(parts),
    read: async ({ actor, subject: { project, pipeline }, parameters: { scope = [] }, page }) => {
      const bridges = { pipelineId: pipeline.id, bridges: true, scope, includeRetried: false, page };
      const found = await readJobs(parts, project, bridges);
      const ids = found.items.map(({ id }) => id);
      const started = await parts.bridgeReader.downstreamsOf(ids, parts.access.viewer(actor));
      return { ...found, items: found.items.map((job) => ({ job, downstream: started.get(job.id) })) };
    },
    present: ({ job, downstream }, { subject: { project } }) =>
      presentBridge(job, downstream, {
        ...{ project, commit: job.commit, urls: parts.urls, now: parts.clock.now() },
      }),
  });

type OfJob = 'read_pipelines' | 'run_pipelines' | 'erase_jobs';

/** One of a runner: nothing else leaves a log, or files. */
export const inJob = <P extends OfJob>({ access, ciJobReader }: Parts, permission: P) =>
  found('Job', 'job_id', inProject(access, permission), async ({ project }, id) => {
    const job = await ciJobReader.find(project.id, id);
    return job === undefined || isBridge(job) ? undefined : job;
  });

/** Also one that starts a pipeline: it begins and ends as others do. */
const inAnyJob = <P extends OfJob>({ access, ciJobReader }: Parts, permission: P) =>
  found('Job', 'job_id', inProject(access, permission), ({ project }, id) => ciJobReader.find(project.id, id));

const getJob = (parts: Parts): Route =>
  get(ONE, 'getJob', {
    summary: 'One job',
    access: 'anyone',
    parameters: IN_PATH,
    answer: CiJobSchema,
    guard: inJob(parts, 'read_pipelines'),
    handle: ({ subject: { project, job } }) => showJob(parts, project, job.id),
  });

const withReadableLog = (parts: Parts) => {
  const job = inJob(parts, 'read_pipelines');
  return {
    ...job,
    decide: async (context: GuardContext) => {
      const subject = await job.decide(context);
      requireReadableLog(subject.job, subject.level);
      return subject;
    },
  };
};

const getJobLog = (parts: Parts): Route =>
  route({
    method: 'get',
    path: `${ONE}/trace`,
    operationId: 'getJobLog',
    tag: TAG,
    summary: 'The log of a job, as its runner wrote it',
    description: '403 below Developer for one that may tell the variables of the job.',
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: bytesOf('text/plain') },
    guard: withReadableLog(parts),
    handle: ({ subject: { job } }) =>
      Promise.resolve({
        headers: { ...PLAIN, 'Content-Disposition': `infile; filename="${job.id}.log"` },
        bytes: () => Promise.resolve(parts.ciJobReader.log(job.id)),
      }),
  });

const cancelJob = (parts: Parts): Route =>
  post(`${ONE}/cancel`, 'cancelJob', {
    summary: 'End a job that waits or runs',
    description: 'One that has ended stays as it is.',
    access: 'user',
    parameters: IN_PATH,
    answer: CiJobSchema,
    guard: inAnyJob(parts, 'run_pipelines'),
    handle: async ({ actor, subject }) => {
      await parts.ciJobs.cancel(actor, subject, subject.job.id);
      return showJob(parts, subject.project, subject.job.id);
    },
  });

const retryJob = (parts: Parts): Route =>
  post(`${ONE}/retry`, 'retryJob', {
    summary: 'Run a job once more',
    description: 'The answer is the new one. 403 for one that has not ended, or that was run again already.',
    access: 'user',
    parameters: IN_PATH,
    answer: CiJobSchema,
    guard: inAnyJob(parts, 'run_pipelines'),
    handle: async ({ actor, subject }) =>
      showJob(parts, subject.project, await parts.ciJobs.retry(actor, subject, subject.job.id)),
  });

const eraseJob = (parts: Parts): Route =>
  post(`${ONE}/erase`, 'eraseJob', {
    summary: 'Throw away the log and the files of a job',
    description:
      'By Maintainers, and by whoever it ran for. 403 for one that has not ended, or that was erased already.',
    access: 'user',
    parameters: IN_PATH,
    answer: CiJobSchema,
    guard: inJob(parts, 'run_pipelines'),
    handle: async ({ actor, subject }) => {
      if (subject.job.userId !== actor.id) await parts.access.project(actor, String(subject.project.id), 'erase_jobs');
      await parts.ciJobs.erase(subject, subject.job.id);
      return showJob(parts, subject.project, subject.job.id);
    },
  });

const playJob = (parts: Parts): Route =>
  route({
    method: 'post',
    path: `${ONE}/play`,
    operationId: 'playJob',
    tag: TAG,
    summary: 'Begin a job that waits for somebody',
    description: '400 for any other. 403 for variables from who may only merge into a protected branch.',
    access: 'user',
    parameters: parameters({ ...IN_PATH, job_variables_attributes: Type.Optional(VARIABLE_LIST) }),
    responses: { 200: CiJobSchema },
    guard: inAnyJob(parts, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: { job_variables_attributes: sent = [] } }) => {
      await parts.ciJobs.play(actor, subject, subject.job.id, sent.map(variableIn));
      return { body: await showJob(parts, subject.project, subject.job.id) };
    },
  });

export const createCiJobRoutes = (parts: Parts): readonly Route[] => [
  listJobs(parts),
  listPipelineJobs(parts),
  listPipelineBridges(parts),
  getJob(parts),
  getJobLog(parts),
  cancelJob(parts),
  retryJob(parts),
  eraseJob(parts),
  playJob(parts),
];
