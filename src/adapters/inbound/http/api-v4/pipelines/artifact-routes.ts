import type { Artifacts } from '../../../../../application/pipelines/artifacts.js';
import type { JobTokens } from '../../../../../application/pipelines/job-tokens.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import { requireFetchable } from '../../../../../domain/pipelines/artifact-access.js';
import { ACCEPTED, AcceptedSchema } from '../../accepted.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type GuardContext, type Route, type RouteResult } from '../../route.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import { bytesOf } from '../repository/bytes.js';
import { forJobsToo, JOB_TOKEN } from './for-jobs-too.js';
import { artifactAnswer, headersOfZipped } from './artifact-bytes.js';
import { inJob, showJob, type CiJobRoutesParts } from './ci-job-routes.js';
import { CiJobSchema } from './ci-job-schema.js';

export interface ArtifactRoutesParts extends CiJobRoutesParts {
  readonly artifacts: Artifacts;
  readonly jobTokens: JobTokens;
}
type Parts = ArtifactRoutesParts;

const TAG = 'Jobs';
const OF_JOB = '/projects/:id/jobs/:job_id/artifacts';
const OF_REF = '/projects/:id/jobs/artifacts/:ref_name';
const IN_PATH = { id: PROJECT_ID, job_id: pathId('Numeric id of the job'), job_token: JOB_TOKEN };
const OF_BRANCH = {
  id: PROJECT_ID,
  ref_name: pathId('Branch or tag'),
  job: text(255, 'Name of the job'),
  job_token: JOB_TOKEN,
};
const FILE = pathId('Path of the file in the archive');
const { remove } = routesOf({ tag: TAG });

const jobForReading = (parts: Parts) => {
  const job = found('Job', 'job_id', forJobsToo(parts, 'read_pipelines'), ({ project }, id) =>
    parts.ciJobReader.find(project.id, id),
  );
  return {
    ...job,
    decide: async (context: GuardContext) => {
      const subject = await job.decide(context);
      requireFetchable(subject.job, subject.level);
      return subject;
    },
  };
};

/** Of the newest pipeline of a branch or tag that succeeded. @throws NotFound, Forbidden. */
const newestFor = async (
  { artifacts, ciJobReader }: Parts,
  { project, level }: PermittedProject<'read_pipelines'>,
  { ref, name }: { readonly ref: string; readonly name: string },
): Promise<CiArtifact> => {
  const archive = await artifacts.newestArchive(project.id, ref, name);
  requireFetchable(orNotFound(await ciJobReader.find(project.id, archive.jobId)), level);
  return archive;
};

const sendFile = async ({ artifacts }: Parts, archive: CiArtifact, path: string): Promise<RouteResult> => {
  const file = await artifacts.fileIn(archive, path);
  return { headers: headersOfZipped(file.path), bytes: file.bytes };
};

const downloadArtifacts = (parts: Parts): Route =>
  route({
    method: 'get',
    path: OF_JOB,
    operationId: 'downloadJobArtifacts',
    tag: TAG,
    summary: 'The archive that a job left',
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: bytesOf('application/zip'), 206: bytesOf('application/zip') },
    guard: jobForReading(parts),
    handle: async ({ subject: { job } }) => artifactAnswer(parts.artifacts, await parts.artifacts.archiveOf(job.id)),
  });

const downloadFile = (parts: Parts): Route =>
  route({
    method: 'get',
    path: `${OF_JOB}/:artifact_path`,
    operationId: 'downloadJobArtifactFile',
    tag: TAG,
    summary: 'One file out of the archive that a job left',
    description: 'Its path may be written as it is, with its slashes. It has 1 GiB unpacked at most.',
    access: 'anyone',
    parameters: parameters({ ...IN_PATH, artifact_path: FILE }),
    responses: { 200: bytesOf('application/octet-stream') },
    guard: jobForReading(parts),
    handle: async ({ subject: { job }, parameters: { artifact_path: path } }) =>
      sendFile(parts, await parts.artifacts.archiveOf(job.id), path),
  });

const NEWEST = 'Of the newest pipeline of the branch or tag that succeeded, the job of this name.';

const downloadOfRef = (parts: Parts): Route =>
  route({
    method: 'get',
    path: `${OF_REF}/download`,
    operationId: 'downloadRefArtifacts',
    tag: TAG,
    summary: 'The archive that a job of a branch or tag left',
    description: NEWEST,
    access: 'anyone',
    parameters: parameters(OF_BRANCH),
    responses: { 200: bytesOf('application/zip'), 206: bytesOf('application/zip') },
    guard: forJobsToo(parts, 'read_pipelines'),
    handle: async ({ subject, parameters: { ref_name: ref, job: name } }) =>
      artifactAnswer(parts.artifacts, await newestFor(parts, subject, { ref, name })),
  });

const downloadFileOfRef = (parts: Parts): Route =>
  route({
    method: 'get',
    path: `${OF_REF}/raw/:artifact_path`,
    operationId: 'downloadRefArtifactFile',
    tag: TAG,
    summary: 'One file out of the archive that a job of a branch or tag left',
    description: NEWEST,
    access: 'anyone',
    parameters: parameters({ ...OF_BRANCH, artifact_path: FILE }),
    responses: { 200: bytesOf('application/octet-stream') },
    guard: forJobsToo(parts, 'read_pipelines'),
    handle: async ({ subject, parameters: { ref_name: ref, job: name, artifact_path: path } }) =>
      sendFile(parts, await newestFor(parts, subject, { ref, name }), path),
  });

const keepArtifacts = (parts: Parts): Route =>
  route({
    method: 'post',
    path: `${OF_JOB}/keep`,
    operationId: 'keepJobArtifacts',
    tag: TAG,
    summary: 'Keep what a job left until somebody removes it',
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, job_id: IN_PATH.job_id }),
    responses: { 200: CiJobSchema },
    guard: inJob(parts, 'run_pipelines'),
    handle: async ({ subject }) => {
      await parts.artifacts.keep(subject, subject.job.id);
      return { body: await showJob(parts, subject.project, subject.job.id) };
    },
  });

const removeArtifacts = (parts: Parts): Route =>
  remove(OF_JOB, 'removeJobArtifacts', {
    summary: 'Remove the files that a job left',
    description: 'Its log stays.',
    access: 'user',
    parameters: { id: PROJECT_ID, job_id: IN_PATH.job_id },
    guard: inJob(parts, 'erase_jobs'),
    handle: ({ subject }) => parts.artifacts.remove(subject, subject.job.id),
  });

const removeProjectArtifacts = (parts: Parts): Route =>
  route({
    method: 'delete',
    path: '/projects/:id/artifacts',
    operationId: 'removeProjectArtifacts',
    tag: TAG,
    summary: 'Remove the files that all jobs of a project left',
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 202: AcceptedSchema },
    guard: inProject(parts.access, 'erase_jobs'),
    handle: async ({ subject }) => {
      await parts.artifacts.removeAll(subject);
      return { status: 202, body: ACCEPTED };
    },
  });

/** What people do with the files that jobs left. */
export const createArtifactRoutes = (parts: Parts): readonly Route[] => [
  // Before those of a job: a branch may be called as a path of theirs is.
  downloadOfRef(parts),
  downloadFileOfRef(parts),
  downloadArtifacts(parts),
  downloadFile(parts),
  keepArtifacts(parts),
  removeArtifacts(parts),
  removeProjectArtifacts(parts),
];
