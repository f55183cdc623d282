import type { Discussions } from '../../../../../application/collaboration/discussions.js';
import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { DiscussionReader } from '../../../../../application/collaboration/ports/discussion-ports.js';
import type { DraftNotes } from '../../../../../application/collaboration/draft-notes.js';
import type { DraftNoteReader } from '../../../../../application/collaboration/ports/draft-ports.js';
import type { PublishDrafts, PublishingRepositories } from '../../../../../application/collaboration/publish-drafts.js';
import type { ApprovingRepositories } from '../../../../../application/review/approvals.js';
import type { TimeReader } from '../../../../../application/collaboration/ports/time-ports.js';
import type { Subjects } from '../../../../../application/collaboration/subjects.js';
import type { ResourceEventReader } from '../../../../../application/planning/ports/resource-event-ports.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type {
  ChangeableMergeRequest,
  VisibleMergeRequest,
} from '../../../../../application/review/visible-merge-request.js';
import type { MergeRequestDetails } from '../../../../../application/review/ports/merge-request-ports.js';
import type { ApplySuggestions } from '../../../../../application/review/apply-suggestions.js';
import type { PreviewChanges } from '../../../../../application/review/preview-changes.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { ProjectRelationsReader } from '../../../../../application/workspace/ports/project-relations.js';
import type { Uploads } from '../../../../../application/uploads/uploads.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import { freshened, type MergeRequestRoutesParts } from '../../api-v4/merge-requests/merge-request-parts.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { DescriptionTemplateParts } from '../description-templates.js';
import type { ReactionParts } from '../comments/reactions.js';
import { findToDiscuss, type FoundToDiscuss } from '../comments/find-to-discuss.js';
import { pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import { projectOfPage } from '../project-of-page.js';

/** In one unit of work a review is published, and approves. */
type ReviewingRepositories = PublishingRepositories & ApprovingRepositories;

export interface MergeRequestPagesParts extends MergeRequestRoutesParts, DescriptionTemplateParts, ReactionParts {
  readonly reader: WorkspaceReader;
  readonly relations: ProjectRelationsReader;
  readonly planningOverview: PlanningOverview;
  readonly notes: Notes;
  readonly timeReader: TimeReader;
  readonly resourceEventReader: Pick<ResourceEventReader, 'changes'>;
  readonly discussions: Discussions;
  readonly discussionReader: DiscussionReader;
  readonly draftNotes: DraftNotes;
  readonly draftNoteReader: DraftNoteReader;
  readonly publishDrafts: Pick<PublishDrafts<ReviewingRepositories>, 'all'>;
  readonly subjects: Subjects;
  readonly previewChanges: PreviewChanges;
  readonly applySuggestions: ApplySuggestions;
  readonly uploads: Uploads;
  readonly markdown: ProjectMarkdown;
}

export const MERGE_REQUESTS = '/*path/-/merge_requests';
export const MERGE_REQUEST = `${MERGE_REQUESTS}/:iid`;

/** What the tab of a project is called. */
export const TAB = 'merge_requests';

export const addressOfMergeRequests = ({ fullPath }: { readonly fullPath: string }): string =>
  `/${fullPath}/-/merge_requests`;

interface Found {
  readonly address: string;
}

export type FoundMergeRequest = VisibleMergeRequest & Found;
export type FoundToChange = ChangeableMergeRequest &
  Found & { readonly place: PermittedProject<'open_merge_requests'> };

export const findMergeRequest = async (
  { access, mergeRequests }: MergeRequestPagesParts,
  context: PageContext,
): Promise<FoundMergeRequest> => {
  const place = await projectOfPage(access, context, 'read_merge_requests');
  const iid = pathNumber(context.request, 'iid');
  return { ...(await mergeRequests.find(place, iid)), address: `${addressOfMergeRequests(place.project)}/${iid}` };
};

/** For who is about to change it. */
export const findMergeRequestToChange = async (
  { access, mergeRequests }: MergeRequestPagesParts,
  context: PageContext,
): Promise<FoundToChange> => {
  const place = await projectOfPage(access, context, 'open_merge_requests');
  const iid = pathNumber(context.request, 'iid');
  const found = await mergeRequests.findToChange(place, iid);
  return { ...found, place, address: `${addressOfMergeRequests(place.project)}/${iid}` };
};

/** For who is about to comment on it. */
export const findMergeRequestToDiscuss = (
  parts: MergeRequestPagesParts,
  context: PageContext,
): Promise<FoundToDiscuss> =>
  findToDiscuss(parts, context, {
    kind: 'merge_request',
    addressOf: ({ project }) => addressOfMergeRequests(project),
  });

/** As it is now: how it stands is found out first, where nobody has since a branch moved. */
export const asItIs = async (
  parts: MergeRequestPagesParts,
  { mergeRequest }: VisibleMergeRequest,
): Promise<MergeRequestDetails> => orNotFound(await freshened(parts, mergeRequest));
