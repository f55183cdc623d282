import { Type } from '@sinclair/typebox';
import type { Milestones } from '../../../../../application/planning/milestones.js';
import type {
  MilestoneDetails,
  MilestoneReader,
  PlanningReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { mapBatches } from '../../../../../application/shared/page-in-batches.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type PathParameters, type Route } from '../../route.js';
import {
  clearableDay,
  identifier,
  listOf,
  oneOf,
  pagedParameters,
  parameters,
  pathId,
  text,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { IssueSchema, presentIssue } from '../issues/issue-schema.js';
import { MilestoneSchema, presentMilestone } from './milestone-schema.js';

export interface MilestoneRoutesParts {
  readonly access: WorkspaceAccess;
  readonly milestones: Milestones;
  readonly milestoneReader: MilestoneReader;
  readonly planningReader: PlanningReader;
  readonly urls: WebUrls;
}

const TAG = 'Milestones';
const BASE = '/projects/:id/milestones';

const FIELDS = {
  description: Type.Optional(text(MAX_TEXT)),
  start_date: Type.Optional(clearableDay()),
  due_date: Type.Optional(clearableDay()),
};

interface Given {
  readonly description?: string;
  readonly start_date?: string | null;
  readonly due_date?: string | null;
}

const readFields = ({ description, start_date, due_date }: Given) => ({
  ...(description === undefined ? {} : { description }),
  ...(start_date === undefined ? {} : { startDate: start_date === '' ? null : start_date }),
  ...(due_date === undefined ? {} : { dueDate: due_date === '' ? null : due_date }),
});

export const createMilestoneRoutes = (parts: MilestoneRoutesParts): readonly Route[] => {
  const { access, milestones, milestoneReader, planningReader, urls } = parts;
  const id = pathId('Number, or URL-encoded path of the project');
  const one = { id, milestone_id: pathId('Numeric id of the milestone') };

  const find =
    (permission: 'read_project' | 'manage_milestones') =>
    async ({ actor, path }: { readonly actor: Actor; readonly path: PathParameters }): Promise<MilestoneDetails> => {
      const { project } = await access.project(actor, path['id'], permission);
      return findById(project.id, path['milestone_id'] ?? '');
    };

  const findById = async (projectId: number, milestoneId: string): Promise<MilestoneDetails> => {
    const known = /^\d{1,15}$/.test(milestoneId);
    const milestone = known ? await milestoneReader.find(projectId, { id: Number(milestoneId) }) : undefined;
    if (milestone === undefined) throw new NotFound('Milestone');
    return milestone;
  };

  const show = async (projectId: number, milestoneId: number) =>
    presentMilestone(await findById(projectId, String(milestoneId)), urls);

  const list = route({
    method: 'get',
    path: BASE,
    operationId: 'listMilestones',
    summary: 'Milestones of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({
      id,
      iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
      state: oneOf(['active', 'closed', 'all'], { default: 'all' }),
      title: Type.Optional(text(255, 'The whole title')),
      search: Type.Optional(text(255, 'Part of title or description')),
    }),
    responses: { 200: Type.Array(MilestoneSchema) },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'read_project'),
    handle: async ({ subject: { project }, parameters: { iids, state, title, search, ...paging } }) => {
      const request = readPageRequest(paging);
      const page = await milestoneReader.list({
        projectId: project.id,
        ...(iids === undefined ? {} : { iids }),
        ...(state === 'all' ? {} : { state }),
        ...(title === undefined ? {} : { title }),
        ...(search === undefined ? {} : { search }),
        page: request,
      });
      return { batches: mapBatches(page.batches, (each) => presentMilestone(each, urls)), page: { request, of: page } };
    },
  });

  const get = route({
    method: 'get',
    path: `${BASE}/:milestone_id`,
    operationId: 'getMilestone',
    summary: 'One milestone',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(one),
    responses: { 200: MilestoneSchema },
    guard: find('read_project'),
    handle: ({ subject }) => Promise.resolve({ body: presentMilestone(subject, urls) }),
  });

  const listIssues = route({
    method: 'get',
    path: `${BASE}/:milestone_id/issues`,
    operationId: 'listMilestoneIssues',
    summary: 'Issues that are planned for a milestone',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters(one),
    responses: { 200: Type.Array(IssueSchema) },
    guard: find('read_project'),
    handle: async ({ actor, subject: { id: milestoneId, projectId }, parameters: paging }) => {
      const request = readPageRequest(paging);
      const page = await planningReader.listIssues({
        viewer: access.viewer(actor),
        projectId,
        milestoneId,
        orderBy: 'created_at',
        sort: 'desc',
        page: request,
      });
      return { batches: mapBatches(page.batches, (issue) => presentIssue(issue, urls)), page: { request, of: page } };
    },
  });

  const post = route({
    method: 'post',
    path: BASE,
    operationId: 'createMilestone',
    summary: 'Make a milestone',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id, title: text(1_000), ...FIELDS }),
    responses: { 201: MilestoneSchema },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'manage_milestones'),
    handle: async ({ actor, subject: { project }, parameters: { title, ...given } }) => {
      const made = await milestones.create(actor, project.id, { title, ...readFields(given) });
      return { status: 201, body: await show(project.id, made) };
    },
  });

  const put = route({
    method: 'put',
    path: `${BASE}/:milestone_id`,
    operationId: 'editMilestone',
    summary: 'Change, close or activate a milestone',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...one,
      title: Type.Optional(text(1_000)),
      ...FIELDS,
      state_event: Type.Optional(oneOf(['close', 'activate'])),
    }),
    responses: { 200: MilestoneSchema },
    guard: find('manage_milestones'),
    handle: async ({ actor, subject, parameters: { title, state_event: stateEvent, ...given } }) => {
      await milestones.edit(actor, subject, {
        ...readFields(given),
        ...(title === undefined ? {} : { title }),
        ...(stateEvent === undefined ? {} : { stateEvent }),
      });
      return { body: await show(subject.projectId, subject.id) };
    },
  });

  const remove = route({
    method: 'delete',
    path: `${BASE}/:milestone_id`,
    operationId: 'removeMilestone',
    summary: 'Remove a milestone; its issues stay',
    tag: TAG,
    access: 'user',
    parameters: parameters(one),
    responses: { 204: null },
    guard: find('manage_milestones'),
    handle: async ({ actor, subject }) => {
      await milestones.remove(actor, subject);
      return { status: 204 };
    },
  });

  return [list, get, listIssues, post, put, remove];
};
