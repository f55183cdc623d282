import { Type } from '@sinclair/typebox';
import type { NamedIssue, Person } from '../../../../../application/review/ports/merge-request-ports.js';
import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { IssueSchema, presentIssue } from '../issues/issue-schema.js';
import { distinctPeople } from '../users/distinct-people.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { findMergeRequest, IN_PATH, ONE, type MergeRequestRoutesParts } from './merge-request-parts.js';

type Parts = MergeRequestRoutesParts;

const { list } = routesOf({ tag: 'Merge requests' });

const involved = async (parts: Parts, { mergeRequest }: VisibleMergeRequest): Promise<readonly Person[]> => {
  const { author, assignees, reviewers, mergedBy } = mergeRequest;
  const others = await parts.mergeRequestReader.inDiscussion(mergeRequest.id);
  return distinctPeople([author, ...assignees, ...reviewers, mergedBy, ...others]);
};

export const listMergeRequestParticipants = (parts: Parts) =>
  list(`${ONE}/participants`, 'listMergeRequestParticipants', {
    summary: 'Who takes part in a merge request, or is mentioned there',
    access: 'anyone',
    parameters: IN_PATH,
    items: BasicUserSchema,
    guard: findMergeRequest(parts),
    read: async ({ subject, page }) => pageOfList(await involved(parts, subject), page),
    present: (person) => presentPerson(person, parts.urls),
  });

export const listMergeRequestReviewers = (parts: Parts) =>
  list(`${ONE}/reviewers`, 'listMergeRequestReviewers', {
    summary: 'Who was asked to look at a merge request, and whether they approved it',
    access: 'anyone',
    parameters: IN_PATH,
    items: Type.Object({
      user: BasicUserSchema,
      state: Type.String({ description: '`unreviewed` or `approved`' }),
      created_at: Type.String({ format: 'date-time' }),
    }),
    guard: findMergeRequest(parts),
    read: async ({ subject: { mergeRequest }, page }) => {
      const approved = new Set(
        (await parts.mergeRequestReader.approvals(mergeRequest.id)).map(({ person }) => person.id),
      );
      const shown = mergeRequest.reviewers.map((person) => ({ person, approved: approved.has(person.id) }));
      return pageOfList(shown, page);
    },
    present: ({ person, approved }, { subject: { mergeRequest } }) => ({
      user: presentPerson(person, parts.urls),
      state: approved ? 'approved' : 'unreviewed',
      created_at: mergeRequest.createdAt.toISOString(),
    }),
  });

const issuesOf = (
  parts: Parts,
  {
    verb,
    operationId,
    summary,
    read,
  }: Readonly<Record<'verb' | 'operationId' | 'summary', string>> & {
    readonly read: (id: number) => Promise<readonly NamedIssue[]>;
  },
) =>
  list(`${ONE}/${verb}`, operationId, {
    summary,
    access: 'anyone',
    parameters: IN_PATH,
    items: IssueSchema,
    guard: findMergeRequest(parts),
    read: async ({ actor, subject: { mergeRequest }, page }) => {
      const seen = [];
      for (const { projectId, iid } of await read(mergeRequest.id)) {
        const found = await parts.issueFinder.find(actor, String(projectId), iid);
        seen.push(found && (await parts.planningReader.findIssue(projectId, iid, parts.access.viewer(actor))));
      }
      return pageOfList(
        seen.filter((issue) => issue !== undefined),
        page,
      );
    },
    present: (issue, { subject: { mergeRequest } }) =>
      presentIssue(issue, parts.urls, { project: mergeRequest.projectPath }),
  });

export const listClosedIssues = (parts: Parts) =>
  issuesOf(parts, {
    verb: 'closes_issues',
    operationId: 'listIssuesThatMergeRequestCloses',
    summary: 'Issues that a merge request closes when it is merged',
    read: (id) => parts.mergeRequestReader.closedIssues(id),
  });

export const listRelatedIssues = (parts: Parts) =>
  issuesOf(parts, {
    verb: 'related_issues',
    operationId: 'listIssuesThatMergeRequestNames',
    summary: 'Issues that a merge request names',
    read: (id) => parts.mergeRequestReader.namedIssues(id),
  });

/** Who and what a merge request is about, beside its code. */
export const createMergeRequestPartyRoutes = (parts: Parts): readonly Route[] =>
  [listMergeRequestParticipants, listMergeRequestReviewers, listClosedIssues, listRelatedIssues].map((make) =>
    make(parts),
  );
