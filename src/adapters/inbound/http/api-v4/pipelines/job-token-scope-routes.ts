import { Type } from '@sinclair/typebox';
import type { PipelineStarters } from '../../../../../application/pipelines/pipeline-starters.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { identifierIn, type ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { projectsLetIn, type ProjectsLetInParts } from '../../projects-let-in.js';
import type { Route } from '../../route.js';
import { identifier, pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

export interface JobTokenScopeRoutesParts extends ProjectsLetInParts {
  readonly access: WorkspaceAccess;
  readonly pipelineStarters: PipelineStarters;
  readonly urls: WebUrls;
}
type Parts = JobTokenScopeRoutesParts;

const ALL = '/projects/:id/job_token_scope';
const ALLOWED = `${ALL}/allowlist`;
const { get, post, remove } = routesOf({ tag: 'Pipeline triggers' });

const ScopeSchema = Type.Object({
  inbound_enabled: Type.Boolean({ description: 'Always true: jobs of other projects are let in one by one' }),
  outbound_enabled: Type.Boolean({ description: 'Always false: the other projects decide' }),
});

const LetInSchema = component(
  'schemas/ProjectLetIn',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    web_url: Type.String(),
  }),
);

const PairSchema = Type.Object({
  source_project_id: Type.Integer({ description: 'The project whose pipelines are started' }),
  target_project_id: Type.Integer({ description: 'The project whose jobs may' }),
});

const presentLetIn = ({ id, name, path, fullPath }: Project, urls: WebUrls) => ({
  ...{ id, name, path, path_with_namespace: fullPath, web_url: urls.project(fullPath) },
});

const getScope = ({ access }: Parts): Route =>
  get(ALL, 'getJobTokenScope', {
    summary: 'How far the tokens of jobs reach',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: ScopeSchema,
    guard: inProject(access, 'manage_triggers'),
    handle: () => ({ inbound_enabled: true, outbound_enabled: false }),
  });

const listLetIn = (parts: Parts): Route =>
  get(ALLOWED, 'listJobTokenAllowlist', {
    summary: 'Projects whose jobs may start pipelines of this one, as far as you see them',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: Type.Array(LetInSchema),
    guard: inProject(parts.access, 'manage_triggers'),
    handle: async ({ actor, subject: { project } }) => {
      const found = await projectsLetIn(parts, project.id, parts.access.viewer(actor));
      return found.map((each) => presentLetIn(each, parts.urls));
    },
  });

const letIn = ({ access, pipelineStarters }: Parts): Route =>
  post(ALLOWED, 'addToJobTokenAllowlist', {
    summary: 'Let jobs of another project start pipelines of this one',
    description: 'By their own tokens, with the rights that whoever they run for has here.',
    access: 'user',
    parameters: { id: PROJECT_ID, target_project_id: identifier<ProjectId>('The project whose jobs may') },
    answer: PairSchema,
    guard: inProject(access, 'manage_triggers'),
    handle: async ({ actor, subject, parameters: { target_project_id: id } }) => {
      await pipelineStarters.letIn(subject, await access.project(actor, String(id), 'read_project'));
      return { source_project_id: subject.project.id, target_project_id: id };
    },
  });

const shutOut = ({ access, pipelineStarters }: Parts): Route =>
  remove(`${ALLOWED}/:target_project_id`, 'removeFromJobTokenAllowlist', {
    summary: 'Let jobs of another project start pipelines of this one no longer',
    access: 'user',
    parameters: { id: PROJECT_ID, target_project_id: pathId('Numeric id of the project whose jobs may') },
    guard: inProject(access, 'manage_triggers'),
    handle: ({ subject, parameters: { target_project_id: id } }) =>
      pipelineStarters.shutOut(subject, orNotFound(identifierIn<ProjectId>(id))),
  });

export const createJobTokenScopeRoutes = (parts: Parts): readonly Route[] => [
  getScope(parts),
  listLetIn(parts),
  letIn(parts),
  shutOut(parts),
];
