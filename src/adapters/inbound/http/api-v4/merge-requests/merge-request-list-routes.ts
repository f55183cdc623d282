import { Type } from '@sinclair/typebox';
import type { MergeRequestDetails } from '../../../../../application/review/ports/merge-request-ports.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { nothingInBatches, type PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { found, GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { oneOf, pathId, type ParametersOf } from '../../validation/parameters.js';
import type { AskedPlace } from '../collaboration/references.js';
import { refuseStrangersTheirOwn, REVIEW_SCOPES, scoped } from '../collaboration/scopes.js';
import { withLabelDetails, type WithLabelDetails } from '../labels/label-details.js';
import { GROUP_MILESTONE, GROUP_MILESTONE_IN_PATH, inGroupMilestone } from '../milestones/group-milestone-routes.js';
import { inCommit } from '../repository/code-routes-parts.js';
import { FILTERS, filtersIn, type Filters } from './merge-request-parameters.js';
import { ALL, freshened, type MergeRequestRoutesParts } from './merge-request-parts.js';
import {
  AnyMergeRequestSchema,
  ListedMergeRequestSchema,
  presentListedMergeRequest,
  presentSimpleMergeRequest,
} from './merge-request-schema.js';

type Parts = MergeRequestRoutesParts;

const NEWEST = { orderBy: 'created_at', sort: 'desc' } as const;

const { list } = routesOf({ tag: 'Merge requests' });

const read = ({ access, mergeRequestReader }: Parts, actor: Actor, filters: Filters | undefined, page: PageRequest) =>
  filters === undefined
    ? Promise.resolve(nothingInBatches())
    : mergeRequestReader.list({ ...filters, viewer: access.viewer(actor), page });

/** Of one page that are looked at again. */
const MOST_LOOKS = 20;

/** The same with what is asked for: found out first whether they can be merged where nobody has since a branch moved, or with labels in full. */
const looking = async (
  parts: Parts,
  wanted: Pick<ParametersOf<typeof FILTERS>, 'with_merge_status_recheck' | 'with_labels_details'>,
  page: Promise<PageInBatches<MergeRequestDetails>>,
): Promise<PageInBatches<WithLabelDetails<MergeRequestDetails>>> => {
  const { batches, ...rest } = await page;
  const found = { ...rest, batches: wanted.with_merge_status_recheck ? freshenedIn(parts, batches) : batches };
  return withLabelDetails(parts.planningReader, wanted.with_labels_details, found);
};

async function* freshenedIn(
  parts: Parts,
  batches: AsyncIterable<readonly MergeRequestDetails[]>,
): AsyncGenerator<readonly MergeRequestDetails[], void, undefined> {
  let looks = 0;
  for await (const batch of batches) {
    const shown: MergeRequestDetails[] = [];
    for (const mergeRequest of batch) {
      const stale =
        mergeRequest.state === 'opened' && mergeRequest.status === 'unchecked' && (looks += 1) <= MOST_LOOKS;
      shown.push((stale ? await freshened(parts, mergeRequest) : undefined) ?? mergeRequest);
    }
    yield shown;
  }
}

const present = (
  parts: Parts,
  mergeRequest: WithLabelDetails<MergeRequestDetails>,
  view: 'simple' | undefined,
  place?: AskedPlace,
) =>
  view === 'simple'
    ? presentSimpleMergeRequest(mergeRequest, parts.urls)
    : presentListedMergeRequest(mergeRequest, parts.urls, place);

export const listMergeRequests = (parts: Parts) =>
  list('/merge_requests', 'listMergeRequests', {
    summary: 'Merge requests of all projects',
    access: 'anyone',
    parameters: { ...FILTERS, scope: oneOf(REVIEW_SCOPES, { default: 'created_by_me' }) },
    items: AnyMergeRequestSchema,
    guard: refuseStrangersTheirOwn,
    read: ({ actor, parameters: { scope, ...sent }, page }) => {
      const filters = filtersIn(sent);
      const found = read(parts, actor, filters && { ...filters, ...scoped(actor, scope) }, page);
      return looking(parts, sent, found);
    },
    present: (mergeRequest, { parameters: { view } }) => present(parts, mergeRequest, view),
  });

export const listGroupMergeRequests = (parts: Parts) =>
  list('/groups/:id/merge_requests', 'listGroupMergeRequests', {
    summary: 'Merge requests of the projects of a group, and of everything below it',
    access: 'anyone',
    parameters: {
      id: GROUP_ID,
      ...FILTERS,
      scope: oneOf(REVIEW_SCOPES, { default: 'all' }),
      non_archived: Type.Boolean({ default: true, description: 'Leaves out archived projects' }),
    },
    items: AnyMergeRequestSchema,
    guard: inGroup(parts.access, 'read_group'),
    read: ({ actor, subject: { group }, parameters: { scope, non_archived: lively, ...sent }, page }) => {
      const filters = filtersIn(sent);
      const within = { within: group.id, ...(lively ? { archived: false } : {}) };
      const found = read(parts, actor, filters && { ...filters, ...within, ...scoped(actor, scope) }, page);
      return looking(parts, sent, found);
    },
    present: (mergeRequest, { subject: { group }, parameters: { view } }) =>
      present(parts, mergeRequest, view, { group: group.fullPath }),
  });

export const listProjectMergeRequests = (parts: Parts) =>
  list(ALL, 'listProjectMergeRequests', {
    summary: 'Merge requests of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ...FILTERS, scope: oneOf(REVIEW_SCOPES, { default: 'all' }) },
    items: AnyMergeRequestSchema,
    guard: inProject(parts.access, 'read_merge_requests'),
    read: ({ actor, subject: { project }, parameters: { scope, ...sent }, page }) => {
      const filters = filtersIn(sent);
      const narrowed = filters && { ...filters, projectId: project.id, ...scoped(actor, scope) };
      return looking(parts, sent, read(parts, actor, narrowed, page));
    },
    present: (mergeRequest, { subject: { project }, parameters: { view } }) =>
      present(parts, mergeRequest, view, { project: project.fullPath }),
  });

export const listCommitMergeRequests = (parts: Parts) =>
  list('/projects/:id/repository/commits/:sha/merge_requests', 'listCommitMergeRequests', {
    summary: 'Merge requests that brought a commit, or would',
    access: 'anyone',
    parameters: { id: PROJECT_ID, sha: pathId('Id of a commit, or its beginning; a branch or tag') },
    items: ListedMergeRequestSchema,
    guard: inCommit(parts),
    read: ({ actor, subject: { project, commit: found }, page }) =>
      read(parts, actor, { ...NEWEST, projectId: project.id, commits: [found.commit.id] }, page),
    present: (mergeRequest, { subject: { project } }) =>
      presentListedMergeRequest(mergeRequest, parts.urls, { project: project.fullPath }),
  });

export const listMilestoneMergeRequests = (parts: Parts) =>
  list('/projects/:id/milestones/:milestone_id/merge_requests', 'listMilestoneMergeRequests', {
    summary: 'Merge requests that are planned for a milestone',
    access: 'anyone',
    parameters: { id: PROJECT_ID, milestone_id: pathId('Numeric id of the milestone') },
    items: ListedMergeRequestSchema,
    guard: found(
      'Milestone',
      'milestone_id',
      inProject(parts.access, 'read_merge_requests'),
      ({ project }, id: number) => parts.milestoneReader.find(project.id, { id }),
    ),
    read: ({ actor, subject: { project, milestone }, page }) =>
      read(parts, actor, { ...NEWEST, projectId: project.id, milestoneId: milestone.id }, page),
    present: (mergeRequest, { subject: { project } }) =>
      presentListedMergeRequest(mergeRequest, parts.urls, { project: project.fullPath }),
  });

export const listGroupMilestoneMergeRequests = (parts: Parts) =>
  list(`${GROUP_MILESTONE}/merge_requests`, 'listGroupMilestoneMergeRequests', {
    summary: 'Merge requests of all projects that are planned for a milestone of a group',
    access: 'anyone',
    parameters: GROUP_MILESTONE_IN_PATH,
    items: ListedMergeRequestSchema,
    guard: inGroupMilestone(parts, 'read_group'),
    read: ({ actor, subject: { milestone }, page }) =>
      read(parts, actor, { ...NEWEST, milestoneId: milestone.id }, page),
    present: (mergeRequest, { subject: { group } }) =>
      presentListedMergeRequest(mergeRequest, parts.urls, { group: group.fullPath }),
  });

const ofIssue = (
  parts: Parts,
  {
    verb,
    operationId,
    summary,
    closing,
  }: Readonly<Record<'verb' | 'operationId' | 'summary', string>> & { readonly closing: boolean },
) =>
  list(`/projects/:id/issues/:iid/${verb}`, operationId, {
    summary,
    access: 'anyone',
    parameters: { id: PROJECT_ID, iid: pathId('Number of the issue within the project') },
    items: ListedMergeRequestSchema,
    guard: async ({ actor, path }) => {
      const { project } = await parts.access.project(actor, path['id'], 'read_issues');
      const iid = orNotFound(identifierIn(path['iid']));
      return orNotFound(await parts.issueFinder.find(actor, String(project.id), iid));
    },
    read: ({ actor, subject: { issue }, page }) =>
      read(parts, actor, { ...NEWEST, issue: { id: issue.id, closing } }, page),
    present: (mergeRequest, { subject: { project } }) =>
      presentListedMergeRequest(mergeRequest, parts.urls, { project: project.fullPath }),
  });

const RELATED = {
  verb: 'related_merge_requests',
  operationId: 'listRelatedMergeRequests',
  summary: 'Merge requests that name an issue',
  closing: false,
} as const;
const CLOSED_BY = {
  verb: 'closed_by',
  operationId: 'listClosingMergeRequests',
  summary: 'Merge requests that close an issue when they are merged',
  closing: true,
} as const;

export const createMergeRequestListRoutes = (parts: Parts): readonly Route[] => [
  listMergeRequests(parts),
  listGroupMergeRequests(parts),
  listProjectMergeRequests(parts),
  listCommitMergeRequests(parts),
  listMilestoneMergeRequests(parts),
  listGroupMilestoneMergeRequests(parts),
  ofIssue(parts, RELATED),
  ofIssue(parts, CLOSED_BY),
];
