import { Type } from '@sinclair/typebox';
import type { CiJobs } from '../../../../../application/pipelines/ci-jobs.js';
import type { CreatePipelines } from '../../../../../application/pipelines/create-pipelines.js';
import type { Pipelines } from '../../../../../application/pipelines/pipelines.js';
import type { BridgeReader } from '../../../../../application/pipelines/ports/bridge-ports.js';
import type { PipelineDetails } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { ScheduleReader } from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { MOST_LEVELS } from '../../../../../domain/pipelines/downstream.js';
import { ASKED_STATUSES, type Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { withoutHiddenCiFile } from '../../hidden-ci-file.js';
import { given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Route } from '../../route.js';
import { instantOrDay, oneOf, parameters, pathId, text, timeIn } from '../../validation/parameters.js';
import type { CommitStatusRoutesParts } from './commit-status-routes.js';
import {
  BasicPipelineSchema,
  PipelineSchema,
  PipelineVariableSchema,
  presentBasicPipeline,
  presentPipeline,
} from './pipeline-schema.js';
import { INPUT_MAP, sentInputs } from './sent-inputs.js';
import { VARIABLE_LIST, variableIn } from './sent-variables.js';

export interface PipelineRoutesParts extends Pick<CommitStatusRoutesParts, 'access' | 'pipelineReader' | 'urls'> {
  readonly pipelines: Pipelines;
  readonly createPipelines: CreatePipelines;
  readonly ciJobs: CiJobs;
  readonly scheduleReader: Pick<ScheduleReader, 'ownerByPipeline'>;
  readonly bridgeReader: Pick<BridgeReader, 'beginningOf'>;
}
type Parts = PipelineRoutesParts;

const ALL = '/projects/:id/pipelines';
const ONE = `${ALL}/:pipeline_id`;
const IN_PATH = { id: PROJECT_ID, pipeline_id: pathId('Numeric id of the pipeline') };
const MAX_TEXT = 255;
const { list, get, post, put, remove } = routesOf({ tag: 'Pipelines' });

const inPipeline = ({ access, pipelineReader }: Parts) =>
  found('Pipeline', 'pipeline_id', inProject(access, 'read_pipelines'), ({ project }, id) =>
    pipelineReader.find(project.id, id),
  );

/** For whoever reads it. */
const showTo = async (
  { access, urls }: Pick<Parts, 'access' | 'urls'>,
  actor: Actor,
  place: PermittedProject<'read_pipelines'>,
  pipeline: PipelineDetails,
) => presentPipeline(await withoutHiddenCiFile({ access, actor, place }, pipeline), place.project.fullPath, urls);

const show = async ({ pipelineReader, urls }: Pick<Parts, 'pipelineReader' | 'urls'>, project: Project, id: number) =>
  presentPipeline(orNotFound(await pipelineReader.find(project.id, id)), project.fullPath, urls);

const listPipelines = ({ access, pipelineReader, urls }: Parts): Route =>
  list(ALL, 'listPipelines', {
    summary: 'Pipelines of a project, the newest first',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      scope: Type.Optional(
        oneOf(['running', 'pending', 'finished', 'branches', 'tags'], {
          description: 'Only these; `branches` and `tags` are the newest of each',
        }),
      ),
      status: Type.Optional(oneOf(ASKED_STATUSES, { description: 'Only those that stand so' })),
      source: Type.Optional(
        text(
          MAX_TEXT,
          'Only those that were made so, such as `external`; of parts of others, which lists leave out, `parent_pipeline`',
        ),
      ),
      ref: Type.Optional(text(MAX_TEXT, 'Only those of this branch or tag')),
      sha: Type.Optional(text(MAX_TEXT, 'Only those of this commit')),
      username: Type.Optional(text(MAX_TEXT, 'Only those that this user made')),
      name: Type.Optional(text(MAX_TEXT, 'Only those that are called so')),
      yaml_errors: Type.Optional(
        Type.Boolean({ description: 'Only those that tell errors of their CI file; false: only others' }),
      ),
      updated_after: Type.Optional(instantOrDay('Only those that changed later')),
      updated_before: Type.Optional(instantOrDay('Only those that changed earlier')),
      created_after: Type.Optional(instantOrDay('Only those made later')),
      created_before: Type.Optional(instantOrDay('Only those made earlier')),
      order_by: oneOf(['id', 'status', 'ref', 'updated_at', 'user_id'], {
        default: 'id',
        description: 'What the list is ordered by',
      }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
    },
    items: BasicPipelineSchema,
    guard: inProject(access, 'read_pipelines'),
    read: ({ subject: { project }, parameters: sent, page }) => {
      const { scope, status, source, ref, sha, username, name, yaml_errors: broken, order_by: orderBy, sort } = sent;
      const bounds = {
        ...{ updatedAfter: timeIn(sent.updated_after), updatedBefore: timeIn(sent.updated_before) },
        ...{ createdAfter: timeIn(sent.created_after), createdBefore: timeIn(sent.created_before) },
      };
      const narrowed = given({ scope, status, source, ref, sha, username, name, broken, ...bounds });
      return pipelineReader.list({ projectId: project.id, ...narrowed, orderBy, sort, page });
    },
    present: (pipeline, { subject: { project } }) => presentBasicPipeline(pipeline, project.fullPath, urls),
  });

const getLatestPipeline = (parts: Parts): Route =>
  get(`${ALL}/latest`, 'getLatestPipeline', {
    summary: 'The newest pipeline of a branch or tag',
    description: '403 where there is none.',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ref: Type.Optional(text(MAX_TEXT, 'The default branch unless told')) },
    answer: PipelineSchema,
    guard: inProject(parts.access, 'read_pipelines'),
    handle: async ({ actor, subject, parameters: { ref } }) => {
      const { project } = subject;
      const { items } = await parts.pipelineReader.list({
        projectId: project.id,
        ref: ref || (project.defaultBranch ?? DEFAULT_BRANCH),
        orderBy: 'id',
        sort: 'desc',
        page: { page: 1, perPage: 1, counted: false },
      });
      const [newest] = items;
      if (newest === undefined) throw new Forbidden();
      return showTo(parts, actor, subject, orNotFound(await parts.pipelineReader.find(project.id, newest.id)));
    },
  });

const getPipeline = (parts: Parts): Route =>
  get(ONE, 'getPipeline', {
    summary: 'One pipeline',
    access: 'anyone',
    parameters: IN_PATH,
    answer: PipelineSchema,
    guard: inPipeline(parts),
    handle: ({ actor, subject }) => showTo(parts, actor, subject, subject.pipeline),
  });

const inRunnable = ({ access, pipelineReader }: Parts) =>
  found('Pipeline', 'pipeline_id', inProject(access, 'run_pipelines'), ({ project }, id) =>
    pipelineReader.find(project.id, id),
  );

const createPipeline = (parts: Parts): Route =>
  post('/projects/:id/pipeline', 'createPipeline', {
    summary: 'Run the CI file of a branch or tag',
    description: '400 says, as `base`, why it can’t be run.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      ref: text(MAX_TEXT, 'A branch or tag'),
      variables: Type.Optional(VARIABLE_LIST),
      inputs: Type.Optional(INPUT_MAP),
    },
    answer: PipelineSchema,
    guard: inProject(parts.access, 'run_pipelines'),
    handle: async ({ actor, subject, parameters: { ref, variables = [], inputs } }) => {
      const { id } = await parts.createPipelines.create(actor, subject, {
        ref,
        source: 'api',
        variables: variables.map(variableIn),
        inputs: sentInputs(inputs),
      });
      return show(parts, subject.project, id);
    },
  });

/** Who gave a pipeline what it was given, or handed it down: whoever has a schedule run by hand has a pipeline of what is another's. */
const whoseVariables = async ({ scheduleReader, bridgeReader }: Parts, pipeline: Pipeline): Promise<UserId | null> => {
  const { id, source, bridgeId } = await bridgeReader.beginningOf(pipeline, MOST_LEVELS);
  if (source === 'schedule') return scheduleReader.ownerByPipeline(id);
  // What it follows from is gone.
  return bridgeId === null ? pipeline.userId : null;
};

const listPipelineVariables = (parts: Parts): Route =>
  get(`${ONE}/variables`, 'listPipelineVariables', {
    summary: 'What whoever asked for a pipeline gave its jobs',
    access: 'user',
    parameters: IN_PATH,
    answer: Type.Array(PipelineVariableSchema),
    description:
      'For whoever started the pipeline, and for Maintainers. Where a schedule made it, or the one that it follows from: for the owner of the schedule, and for Maintainers.',
    guard: inRunnable(parts),
    handle: async ({ actor, subject }) => {
      const { pipeline } = subject;
      if ((await whoseVariables(parts, pipeline)) !== actor.id) parts.access.also(actor, subject, 'manage_schedules');
      return (await parts.createPipelines.variablesOf(pipeline.id)).map(({ key, value, file }) => ({
        variable_type: file === true ? 'file' : 'env_var',
        key,
        value,
      }));
    },
  });

const retryPipeline = (parts: Parts): Route =>
  post(`${ONE}/retry`, 'retryPipeline', {
    summary: 'Run the jobs of a pipeline once more that failed or were canceled',
    access: 'user',
    parameters: IN_PATH,
    answer: PipelineSchema,
    guard: inRunnable(parts),
    handle: async ({ actor, subject }) => {
      await parts.ciJobs.retryPipeline(actor, subject, subject.pipeline.id);
      return show(parts, subject.project, subject.pipeline.id);
    },
  });

const cancelPipeline = (parts: Parts): Route =>
  route({
    method: 'post',
    path: `${ONE}/cancel`,
    operationId: 'cancelPipeline',
    tag: 'Pipelines',
    summary: 'End the jobs of a pipeline that wait or run',
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 200: PipelineSchema },
    guard: inRunnable(parts),
    handle: async ({ actor, subject }) => {
      await parts.ciJobs.cancelPipeline(actor, subject, subject.pipeline.id);
      return { body: await show(parts, subject.project, subject.pipeline.id) };
    },
  });

const namePipeline = (parts: Parts): Route =>
  put(`${ONE}/metadata`, 'namePipeline', {
    summary: 'Call a pipeline otherwise',
    access: 'user',
    parameters: { ...IN_PATH, name: text(MAX_TEXT, `At most ${MAX_TEXT} characters`) },
    answer: PipelineSchema,
    guard: inRunnable(parts),
    handle: async ({ actor, subject, parameters: { name } }) => {
      await parts.ciJobs.namePipeline(actor, subject, subject.pipeline.id, name);
      return show(parts, subject.project, subject.pipeline.id);
    },
  });

const removePipeline = ({ access, pipelines, pipelineReader }: Parts): Route =>
  remove(ONE, 'removePipeline', {
    summary: 'Remove a pipeline with all that was said there of its commit',
    access: 'user',
    parameters: IN_PATH,
    guard: found('Pipeline', 'pipeline_id', inProject(access, 'remove_pipelines'), ({ project }, id) =>
      pipelineReader.find(project.id, id),
    ),
    lastChanged: ({ pipeline }) => pipeline.updatedAt,
    handle: async ({ subject }) => pipelines.remove(subject, subject.pipeline.id),
  });

/** `latest` stands before what numbers name. */
export const createPipelineRoutes = (parts: Parts): readonly Route[] => [
  listPipelines(parts),
  getLatestPipeline(parts),
  getPipeline(parts),
  createPipeline(parts),
  listPipelineVariables(parts),
  retryPipeline(parts),
  cancelPipeline(parts),
  namePipeline(parts),
  removePipeline(parts),
];
