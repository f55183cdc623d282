import { Type } from '@sinclair/typebox';
import type { IssueLinks, LinkableIssue } from '../../../../../application/planning/issue-links.js';
import type { Issues } from '../../../../../application/planning/issues.js';
import type { IssueLinkReader, LinkedIssue } from '../../../../../application/planning/ports/issue-links.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { VisibleIssue } from '../../../../../application/planning/visible-issue.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { readFewAtATime } from '../../../../../application/shared/page-in-batches.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ISSUE_LINK_TYPES, seenFrom } from '../../../../../domain/planning/issue-link.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { namedBy, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { oneOf, parameters, pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { findIssue } from './find-issue.js';
import { IssueSchema, presentIssue, presentOwnIssue } from './issue-schema.js';

export interface IssueLinkRoutesParts {
  readonly access: WorkspaceAccess;
  readonly issues: Issues;
  readonly planningReader: PlanningReader;
  readonly issueLinks: IssueLinks;
  readonly issueLinkReader: IssueLinkReader;
  readonly urls: WebUrls;
}
type Parts = IssueLinkRoutesParts;

const TAG = 'Issues';
const { list, get, post } = routesOf({ tag: TAG });
const ALL = '/projects/:id/issues/:iid/links';
const ONE = `${ALL}/:issue_link_id`;
const IN_PATH = { id: PROJECT_ID, iid: pathId('Number of the issue within the project') };
const LINK_ID = { issue_link_id: pathId('Numeric id of the link') };

const LinkedIssueSchema = component(
  'schemas/LinkedIssue',
  Type.Object({
    ...IssueSchema.properties,
    issue_link_id: Type.Integer(),
    link_type: oneOf(ISSUE_LINK_TYPES),
    link_created_at: Type.String({ format: 'date-time' }),
    link_updated_at: Type.String({ format: 'date-time' }),
  }),
);

const IssueLinkSchema = component(
  'schemas/IssueLink',
  Type.Object({
    id: Type.Integer(),
    source_issue: IssueSchema,
    target_issue: IssueSchema,
    link_type: oneOf(ISSUE_LINK_TYPES),
  }),
);

/** An issue for callers who may link it. @throws NotFound, Forbidden. */
const findLinkable = async (
  { access, issues }: Parts,
  actor: Actor,
  project: string | undefined,
  iid: string | undefined,
): Promise<LinkableIssue> => {
  const place = await access.project(actor, project, 'read_issues');
  const found = await issues.find(actor, place, orNotFound(identifierIn(iid)));
  return { ...found, linking: await access.project(actor, project, 'link_issues') };
};

const findSource = (parts: Parts, { actor, path }: GuardContext) => findLinkable(parts, actor, path['id'], path['iid']);

/** Both issues of a link that is to be made; without a second where nothing is named that could be one. */
const findBoth = async (parts: Parts, context: GuardContext) => {
  const source = await findSource(parts, context);
  const [project, iid] = [namedBy(context, 'target_project_id'), namedBy(context, 'target_issue_iid')];
  if (project === undefined || iid === undefined) return { source };
  return { source, target: await findLinkable(parts, context.actor, project, iid) };
};

/** A link of the issue that the path names, whose other end the caller sees. */
const findLink = async <Found extends { readonly issue: { readonly id: number } }>(
  { access, issueLinkReader }: Parts,
  { actor, path }: GuardContext,
  found: Found,
) => {
  const id = orNotFound(identifierIn(path['issue_link_id']));
  const link = await issueLinkReader.find(found.issue.id, id, access.viewer(actor));
  return { found, link: orNotFound(link) };
};

const presentOther = async (
  { access, planningReader, urls }: Parts,
  actor: Actor,
  { issue: { projectPath: project } }: VisibleIssue,
  { other }: LinkedIssue,
) => {
  const issue = await planningReader.findIssue(other.projectId, other.iid, access.viewer(actor));
  return issue && presentIssue(issue, urls, { project });
};

const showLink = async (parts: Parts, actor: Actor, visible: VisibleIssue, link: LinkedIssue) => ({
  id: link.id,
  source_issue: presentOwnIssue(visible.issue, parts.urls),
  target_issue: orNotFound(await presentOther(parts, actor, visible, link), 'Issue'),
  link_type: seenFrom(visible.issue.id, link),
});

const listIssueLinks = (parts: Parts) =>
  list(ALL, 'listIssueLinks', {
    summary: 'Issues that an issue has to do with',
    access: 'anyone',
    parameters: IN_PATH,
    items: LinkedIssueSchema,
    guard: findIssue(parts),
    read: async ({ actor, subject, page }) => {
      const { issue } = subject;
      const { items, ...rest } = await parts.issueLinkReader.list(issue.id, parts.access.viewer(actor), page);
      const show = async (links: readonly LinkedIssue[]) => {
        const shown = await Promise.all(links.map((link) => presentOther(parts, actor, subject, link)));
        return links.flatMap((link, index) => {
          const other = shown[index];
          const at = link.createdAt.toISOString();
          const about = { issue_link_id: link.id, link_type: seenFrom(issue.id, link) };
          return other === undefined ? [] : [{ ...other, ...about, link_created_at: at, link_updated_at: at }];
        });
      };
      return { ...rest, batches: readFewAtATime(items, show) };
    },
    present: (shown) => shown,
  });

const getIssueLink = (parts: Parts) =>
  get(ONE, 'getIssueLink', {
    summary: 'One link of an issue',
    access: 'anyone',
    parameters: { ...IN_PATH, ...LINK_ID },
    answer: IssueLinkSchema,
    guard: async (context: GuardContext) => findLink(parts, context, await findIssue(parts)(context)),
    handle: ({ actor, subject: { found, link } }) => showLink(parts, actor, found, link),
  });

const createIssueLink = (parts: Parts) =>
  post(ALL, 'createIssueLink', {
    summary: 'Link an issue with another',
    description: 'For reporters of both projects. 409 where the two are linked already.',
    access: 'user',
    parameters: {
      ...IN_PATH,
      target_project_id: pathId('Number, or path of the project of the other issue'),
      target_issue_iid: pathId('Number of the other issue within its project'),
      link_type: oneOf(ISSUE_LINK_TYPES, { default: 'relates_to', description: 'What the issue is to the other' }),
    },
    answer: IssueLinkSchema,
    guard: (context: GuardContext) => findBoth(parts, context),
    handle: async ({ actor, subject: { source, target }, parameters: { link_type: type } }) => {
      const id = await parts.issueLinks.add(source, orNotFound(target, 'Issue'), type);
      const link = await parts.issueLinkReader.find(source.issue.id, id, parts.access.viewer(actor));
      return showLink(parts, actor, source, orNotFound(link));
    },
  });

const removeIssueLink = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeIssueLink',
    summary: 'Take back that an issue has to do with another',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...IN_PATH, ...LINK_ID }),
    responses: { 200: IssueLinkSchema },
    guard: async (context: GuardContext) => findLink(parts, context, await findSource(parts, context)),
    handle: async ({ actor, subject: { found, link } }) => {
      const body = await showLink(parts, actor, found, link);
      await parts.issueLinks.remove(found, link);
      return { body };
    },
  });

export const createIssueLinkRoutes = (parts: Parts): readonly Route[] =>
  [listIssueLinks, getIssueLink, createIssueLink, removeIssueLink].map((make) => make(parts));
