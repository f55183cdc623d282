import { Type } from '@sinclair/typebox';
import type { MergeRequestDetails } from '../../../../../application/review/ports/merge-request-ports.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { Forbidden, NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { mapPage, type Page, type PageRequest } from '../../../../../domain/shared/page.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import { route, type Route } from '../../route.js';
import { parameters as bounded } from '../../validation/parameters.js';
import {
  BasicPipelineSchema,
  PipelineSchema,
  presentBasicPipeline,
  presentPipeline,
} from '../pipelines/pipeline-schema.js';
import {
  findLivingMergeRequest,
  findMergeRequest,
  IN_PATH,
  ONE,
  type MergeRequestRoutesParts,
} from './merge-request-parts.js';

type Parts = MergeRequestRoutesParts;

/** A pipeline, and the full path of its project. */
interface PlacedPipeline {
  readonly pipeline: Pipeline;
  readonly path: string;
}

/** Of more commits than these, the newest count. */
const MOST_COMMITS = 500;

/** The projects of its branches that the caller may see, by their ids. */
const readablePaths = async (
  { access }: Parts,
  actor: Actor,
  { projectId, sourceProjectId }: MergeRequestDetails,
): Promise<ReadonlyMap<ProjectId, string>> => {
  const paths = new Map<ProjectId, string>();
  const target = await unlessRefused(access.project(actor, String(projectId), 'read_pipelines'));
  if (target !== undefined) paths.set(projectId, target.project.fullPath);
  if (sourceProjectId === null || sourceProjectId === projectId) return paths;
  const source = await unlessRefused(access.project(actor, String(sourceProjectId), 'read_pipelines'));
  return source === undefined ? paths : paths.set(sourceProjectId, source.project.fullPath);
};

/** The pipelines of the commits that a merge request has had, in the projects that the caller sees: the newest first. */
export const pipelinesOfMergeRequest = async (
  parts: Parts,
  actor: Actor,
  mergeRequest: MergeRequestDetails,
  page: PageRequest,
): Promise<Page<PlacedPipeline>> => {
  const paths = await readablePaths(parts, actor, mergeRequest);
  const versions = await parts.mergeRequestReader.versions(mergeRequest.id);
  const commits = [mergeRequest.sourceSha, ...versions.map(({ head }) => head)].filter((sha) => sha !== null);
  const shas = commits.slice(0, MOST_COMMITS);
  const asked = { projectIds: [...paths.keys()], shas, mergeRequestId: mergeRequest.id, page };
  const found = await parts.pipelineReader.listOf(asked);
  return mapPage(found, (pipeline) => ({ pipeline, path: paths.get(pipeline.projectId) ?? '' }));
};

/** Where the jobs of a merge request run: the project that it comes from, for who may run any there. */
export const whereItRuns = async (
  { access }: Parts,
  actor: Actor,
  { sourceProjectId }: MergeRequestDetails,
): Promise<PermittedProject<'run_pipelines'> | undefined> =>
  sourceProjectId === null ? undefined : unlessRefused(access.project(actor, String(sourceProjectId), 'run_pipelines'));

const RefusedPipelineSchema = Type.Object({ message: Type.String(), reason: Type.String() });

const { list } = routesOf({ tag: 'Merge requests' });

const listMergeRequestPipelines = (parts: Parts): Route =>
  list(`${ONE}/pipelines`, 'listMergeRequestPipelines', {
    summary: 'The pipelines of a merge request, the newest first',
    description: 'Those of the commits that its source branch has had.',
    access: 'anyone',
    parameters: IN_PATH,
    items: BasicPipelineSchema,
    guard: findMergeRequest(parts),
    read: ({ actor, subject: { mergeRequest }, page }) => pipelinesOfMergeRequest(parts, actor, mergeRequest, page),
    present: ({ pipeline, path }) => presentBasicPipeline(pipeline, path, parts.urls),
  });

const createMergeRequestPipeline = (parts: Parts): Route =>
  route({
    ...{ method: 'post', path: `${ONE}/pipelines`, operationId: 'createMergeRequestPipeline', tag: 'Merge requests' },
    summary: 'Run the jobs that the CI file keeps for merge requests',
    description:
      'Of the newest commit of its source branch, in the project of that branch, by who may push or merge there. 405 where there is nothing to run, with the reason.',
    access: 'user',
    parameters: bounded(IN_PATH),
    responses: { 201: PipelineSchema, 405: RefusedPipelineSchema },
    guard: findLivingMergeRequest(parts),
    handle: async ({ actor, subject: { mergeRequest } }) => {
      const place = await whereItRuns(parts, actor, mergeRequest);
      if (place === undefined) throw new Forbidden();
      try {
        const { id } = await parts.createMergeRequestPipelines.create(actor, place, mergeRequest.id);
        const pipeline = orNotFound(await parts.pipelineReader.find(place.project.id, id));
        return { status: 201, body: presentPipeline(pipeline, place.project.fullPath, parts.urls) };
      } catch (error) {
        if (!(error instanceof NotPossible)) throw error;
        return { status: 405, body: { message: '405 Method Not Allowed', reason: error.message } };
      }
    },
  });

export const createMergeRequestPipelineRoutes = (parts: Parts): readonly Route[] => [
  listMergeRequestPipelines(parts),
  createMergeRequestPipeline(parts),
];
