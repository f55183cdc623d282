import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { TimeReader } from '../../../../../application/collaboration/ports/time-ports.js';
import type { Subjects } from '../../../../../application/collaboration/subjects.js';
import type { Subscriptions } from '../../../../../application/collaboration/subscriptions.js';
import type { IssueLinks } from '../../../../../application/planning/issue-links.js';
import type { IssueMoves } from '../../../../../application/planning/issue-moves.js';
import type { Issues } from '../../../../../application/planning/issues.js';
import type { ChangeableIssue, VisibleIssue } from '../../../../../application/planning/visible-issue.js';
import type { IssueLinkReader } from '../../../../../application/planning/ports/issue-links.js';
import type { ResourceEventReader } from '../../../../../application/planning/ports/resource-event-ports.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { MergeRequestReader } from '../../../../../application/review/ports/merge-request-ports.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Uploads } from '../../../../../application/uploads/uploads.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WebUrls } from '../../web-urls.js';
import type { DescriptionTemplateParts } from '../description-templates.js';
import type { ReactionParts } from '../comments/reactions.js';
import { findToDiscuss, type FoundToDiscuss } from '../comments/find-to-discuss.js';
import { pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import { projectPath } from '../project-path.js';

export interface IssuePagesParts extends DescriptionTemplateParts, ReactionParts {
  readonly reader: WorkspaceReader;
  readonly users: UserReader;
  readonly issues: Issues;
  readonly issueLinks: IssueLinks;
  readonly issueLinkReader: IssueLinkReader;
  readonly issueMoves: IssueMoves;
  readonly notes: Notes;
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
  readonly timeReader: TimeReader;
  readonly resourceEventReader: Pick<ResourceEventReader, 'changes'>;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'listHeads'>;
  readonly subjects: Subjects;
  readonly subscriptions: Subscriptions;
  readonly uploads: Uploads;
  readonly markdown: ProjectMarkdown;
  readonly urls: WebUrls;
}

export const ISSUES = '/*path/-/issues';
export const ISSUE = `${ISSUES}/:iid`;

export const addressOfIssues = ({ project }: Pick<PermittedProject<'read_issues'>, 'project'>): string =>
  `/${project.fullPath}/-/issues`;

interface Found {
  readonly address: string;
}

export type FoundIssue = VisibleIssue & Found & { readonly place: PermittedProject<'read_issues'> };
export type FoundToChange = ChangeableIssue & Found & { readonly place: PermittedProject<'write_issues'> };

export const findIssue = async ({ access, issues }: IssuePagesParts, context: PageContext): Promise<FoundIssue> => {
  const actor = actorFor(context.browser);
  const place = await access.project(actor, projectPath(context.request), 'read_issues');
  const iid = pathNumber(context.request, 'iid');
  return { ...(await issues.find(actor, place, iid)), place, address: `${addressOfIssues(place)}/${iid}` };
};

/** For who is about to change it. */
export const findIssueToChange = async (
  { access, issues }: IssuePagesParts,
  context: PageContext,
): Promise<FoundToChange> => {
  const actor = actorFor(context.browser);
  const place = await access.project(actor, projectPath(context.request), 'write_issues');
  const iid = pathNumber(context.request, 'iid');
  return { ...(await issues.findToChange(actor, place, iid)), place, address: `${addressOfIssues(place)}/${iid}` };
};

/** For who is about to comment on it. */
export const findIssueToDiscuss = (parts: IssuePagesParts, context: PageContext): Promise<FoundToDiscuss> =>
  findToDiscuss(parts, context, { kind: 'issue', addressOf: addressOfIssues });
