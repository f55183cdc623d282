import { Type } from '@sinclair/typebox';
import type { Pipelines } from '../../../../../application/pipelines/pipelines.js';
import type { PipelineDetails } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { PIPELINE_STATUSES } from '../../../../../domain/pipelines/pipeline.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { instantOrDay, oneOf, pathId, text, timeIn } from '../../validation/parameters.js';
import type { CommitStatusRoutesParts } from './commit-status-routes.js';
import { BasicPipelineSchema, PipelineSchema, presentBasicPipeline, presentPipeline } from './pipeline-schema.js';

export interface PipelineRoutesParts extends Pick<CommitStatusRoutesParts, 'access' | 'pipelineReader' | 'urls'> {
  readonly pipelines: Pipelines;
}
type Parts = PipelineRoutesParts;

const ALL = '/projects/:id/pipelines';
const ONE = `${ALL}/:pipeline_id`;
const IN_PATH = { id: PROJECT_ID, pipeline_id: pathId('Numeric id of the pipeline') };
const MAX_TEXT = 255;
const { list, get, remove } = routesOf({ tag: 'Pipelines' });

const inPipeline = ({ access, pipelineReader }: Parts) =>
  found('Pipeline', 'pipeline_id', inProject(access, 'read_code'), ({ project }, id) =>
    pipelineReader.find(project.id, id),
  );

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
      status: Type.Optional(oneOf(PIPELINE_STATUSES, { description: 'Only those that stand so' })),
      source: Type.Optional(text(MAX_TEXT, 'Only those that were made so, such as `external`')),
      ref: Type.Optional(text(MAX_TEXT, 'Only those of this branch or tag')),
      sha: Type.Optional(text(MAX_TEXT, 'Only those of this commit')),
      username: Type.Optional(text(MAX_TEXT, 'Only those that this user made')),
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
    guard: inProject(access, 'read_code'),
    read: ({ subject: { project }, parameters: sent, page }) => {
      const { scope, status, source, ref, sha, username, order_by: orderBy, sort } = sent;
      const bounds = {
        ...{ updatedAfter: timeIn(sent.updated_after), updatedBefore: timeIn(sent.updated_before) },
        ...{ createdAfter: timeIn(sent.created_after), createdBefore: timeIn(sent.created_before) },
      };
      const narrowed = given({ scope, status, source, ref, sha, username, ...bounds });
      return pipelineReader.list({ projectId: project.id, ...narrowed, orderBy, sort, page });
    },
    present: (pipeline, { subject: { project } }) => presentBasicPipeline(pipeline, project.fullPath, urls),
  });

const getLatestPipeline = ({ access, pipelineReader, urls }: Parts): Route =>
  get(`${ALL}/latest`, 'getLatestPipeline', {
    summary: 'The newest pipeline of a branch or tag',
    description: '403 where there is none.',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ref: Type.Optional(text(MAX_TEXT, 'The default branch unless told')) },
    answer: PipelineSchema,
    guard: inProject(access, 'read_code'),
    handle: async ({ subject: { project }, parameters: { ref } }) => {
      const { items } = await pipelineReader.list({
        projectId: project.id,
        ref: ref || (project.defaultBranch ?? DEFAULT_BRANCH),
        orderBy: 'id',
        sort: 'desc',
        page: { page: 1, perPage: 1, counted: false },
      });
      const [newest] = items;
      if (newest === undefined) throw new Forbidden();
      return presentPipeline(orNotFound(await pipelineReader.find(project.id, newest.id)), project.fullPath, urls);
    },
  });

const getPipeline = (parts: Parts): Route =>
  get(ONE, 'getPipeline', {
    summary: 'One pipeline',
    access: 'anyone',
    parameters: IN_PATH,
    answer: PipelineSchema,
    guard: inPipeline(parts),
    handle: ({ subject: { project, pipeline } }) =>
      presentPipeline(pipeline satisfies PipelineDetails, project.fullPath, parts.urls),
  });

const removePipeline = ({ access, pipelines, pipelineReader }: Parts): Route =>
  remove(ONE, 'removePipeline', {
    summary: 'Remove a pipeline with all that was said there of its commit',
    access: 'user',
    parameters: IN_PATH,
    guard: found('Pipeline', 'pipeline_id', inProject(access, 'remove_pipelines'), ({ project }, id) =>
      pipelineReader.find(project.id, id),
    ),
    handle: async ({ actor, subject }) => pipelines.remove(actor, subject, subject.pipeline.id),
  });

/** `latest` stands before what numbers name. */
export const createPipelineRoutes = (parts: Parts): readonly Route[] => [
  listPipelines(parts),
  getLatestPipeline(parts),
  getPipeline(parts),
  removePipeline(parts),
];
