import type { MergeRequestDetails } from '../../../../../application/review/ports/merge-request-ports.js';
import { together } from '../../../../../application/shared/together.js';
import { mayResolve } from '../../../../../domain/collaboration/discussion.js';
import { mayChangeNote, mayComment, type ChangeableNote } from '../../../../../domain/collaboration/note.js';
import { isDraft, mayApprove, mayChange } from '../../../../../domain/review/merge-request.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { CodeAddresses } from '../code/code-addresses.js';
import { inOrder, readLines } from '../comments/changes.js';
import { linesFrom, readCommentPage, textsFrom } from '../comments/comment-page.js';
import { readReactions } from '../comments/reactions.js';
import { notesIn, renderThreads, showThreads, withTasksOfNotes, type ShownThread } from '../comments/threads.js';
import { field } from '../form-fields.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { chipsOf } from '../labels/label-chips.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { readTime } from '../tracked-time.js';
import { withTasks } from '../tasks.js';
import { mergeBoxOf, openSource, rightsInSource, type Placed } from './merge-box.js';
import {
  asItIs,
  findMergeRequest,
  MERGE_REQUEST,
  TAB,
  type FoundMergeRequest,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';
import { pendingReviewOf } from './pending-review.js';

/** A merge request: what it is about, whether it can be merged, and what is said of it. */
export const addMergeRequestPage = (pages: Pages, parts: MergeRequestPagesParts): void => {
  pages.get(MERGE_REQUEST, 'anyone', (context) => showMergeRequest(parts, context));
};

/** @param extra what a form that was refused has to say. */
export const showMergeRequest = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  extra: object = {},
): Promise<void> => {
  const found = await findMergeRequest(parts, context);
  const mergeRequest = await asItIs(parts, found);
  const { place, address } = found;
  const [threads, lines, approvals, issues, time, pending] = await together([
    readThreads(parts, context, mergeRequest, address),
    readLines(parts.resourceEventReader, mergeRequest),
    parts.mergeRequestReader.approvals(mergeRequest.id),
    parts.mergeRequestReader.closedIssues(mergeRequest.id),
    readTime(parts, mergeRequest.id),
    pendingReviewOf(parts, context, found),
  ]);
  const { after } = threads.from;
  const changes = changeRightsOf(context, found, mergeRequest);
  const description = withTasks(threads.description, 'tasks', changes.mayChange);
  // None of this needs what another part finds, and each would wait for its round trips.
  const [rendered, seen, frame, chips, box, source, rights, reactions] = await together([
    renderThreads(withTasksOfNotes(threads.threads, changes.mayChangeNote), [description], (all) =>
      parts.markdown.renderAll(all, context.browser, place),
    ),
    together(
      issues.map(({ projectId, iid }) => parts.issueFinder.find(actorFor(context.browser), String(projectId), iid)),
    ),
    frameOf(parts, context, found, mergeRequest),
    chipsOf(parts.planningOverview, mergeRequest),
    mergeBoxOf(parts, context, { place, mergeRequest }),
    sourceOf(parts, context, { place, mergeRequest }),
    rightsOf(parts, context, found, mergeRequest),
    readReactions(parts, context, { id: mergeRequest.id, kind: 'merge_request', place }, notesIn(threads.threads)),
  ]);
  await sendProjectPage(context, place, 'merge-request', {
    ...frame,
    part: 'overview',
    description: rendered.others[0],
    threads: rendered.threads,
    reactions,
    pending,
    story: inOrder(
      await linesFrom(lines, parts.noteReader, { id: mergeRequest.id, after, begins: beganAt(threads.threads[0]) }),
      {
        said: rendered.threads,
        at: beganAt,
        more: threads.more,
      },
    ),
    pager: threads.pager,
    whole: parts.urls.api(`/projects/${mergeRequest.projectId}/merge_requests/${mergeRequest.iid}`),
    ...{ chips, box, approvals, time },
    closes: issues.filter((_issue, index) => seen[index] !== undefined),
    source,
    ...rights,
    hasApproved: approvals.some(({ person }) => person.id === context.browser.user?.id),
    ...typedIn(context),
    address,
    ...extra,
  });
};

/** What a form of a comment held that is shown again, and the thread that it was of. */
const typedIn = ({ request }: PageContext) => ({
  body: field(request, 'body'),
  resolves: field(request, 'resolves') === 'true',
  repliedTo: Number(request.params['thread'] ?? 0),
});

const beganAt = (thread: ShownThread | undefined): Date | undefined => thread?.notes[0]?.createdAt;

const readThreads = (
  { discussionReader }: MergeRequestPagesParts,
  context: PageContext,
  mergeRequest: MergeRequestDetails,
  address: string,
) => {
  const { id } = mergeRequest;
  return readCommentPage(context, { id, address, pages: discussionReader }, async (from) => {
    const { texts, description } = textsFrom(from, mergeRequest.description);
    const list = await discussionReader.list(id, from.request, from.after);
    return { ...(await showThreads(list, texts, from.wanted)), description };
  });
};

export const titleOf = ({ title, iid }: Pick<MergeRequestDetails, 'title' | 'iid'>): string => `${title} (!${iid})`;

/** What stands above each page of a merge request. */
export const frameOf = async (
  { mergeRequestReader }: MergeRequestPagesParts,
  context: PageContext,
  found: FoundMergeRequest,
  mergeRequest: MergeRequestDetails,
) => {
  const { browser } = context;
  const { place, address } = found;
  const { id, title } = mergeRequest;
  const version = await mergeRequestReader.newestVersion(id);
  const takesPart = browser.user !== undefined && !place.project.archived;
  return {
    tab: TAB,
    title: titleOf(mergeRequest),
    mergeRequest,
    draft: isDraft(title),
    newest: version,
    address,
    at: new CodeAddresses(place.project.fullPath),
    mayChange: changeRightsOf(context, found, mergeRequest).mayChange,
    mayRemove: takesPart && isOffered(place.project, place.level, 'remove_merge_requests'),
  };
};

/** Whether the reader may change its text, and which comments of it. */
const changeRightsOf = (
  { browser: { user } }: PageContext,
  { place: { project, level } }: FoundMergeRequest,
  mergeRequest: MergeRequestDetails,
) => {
  const party = user && { userId: user.id, level };
  const takesPart = party !== undefined && isOffered(project, level, 'open_merge_requests');
  return {
    mayChange: party !== undefined && !project.archived && mayChange(mergeRequest, party),
    mayChangeNote: (note: ChangeableNote) => takesPart && mayChangeNote(note, party),
  };
};

export const rightsOf = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  found: FoundMergeRequest,
  mergeRequest: MergeRequestDetails,
) => {
  const { place } = found;
  const { project, level } = place;
  const { user } = context.browser;
  const party = user && { userId: user.id, level };
  const takesPart = party !== undefined && isOffered(project, level, 'open_merge_requests');
  const concerned = { ...mergeRequest, assignees: [...mergeRequest.assignees, ...mergeRequest.reviewers] };
  const [inSource, subscribed] = await together([
    mergeRequest.state === 'opened'
      ? rightsInSource(parts, context, { place, mergeRequest })
      : Promise.resolve(undefined),
    user === undefined ? Promise.resolve(false) : parts.subscriptions.isSubscribed(user, concerned),
  ]);
  return {
    readOnly: project.archived,
    mayPush: user !== undefined && isOffered(project, level, 'push_code'),
    mayComment: takesPart && mayComment({ locked: mergeRequest.discussionLocked === true }, party),
    mayApprove: takesPart && mayApprove(mergeRequest, party),
    mayResolve: takesPart && mayResolve(mergeRequest, party),
    mayApply: inSource?.push === true,
    mayChangeNote: changeRightsOf(context, found, mergeRequest).mayChangeNote,
    subscribed,
  };
};

/** Where the source branch is, as far as the viewer may see it. */
const sourceOf = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  placed: Placed,
): Promise<{ readonly fork: boolean; readonly at?: CodeAddresses; readonly path?: string }> => {
  const { projectId, sourceProjectId } = placed.mergeRequest;
  const fork = sourceProjectId !== projectId;
  if (sourceProjectId === null) return { fork };
  const source = await openSource(parts, context, placed, 'read_code');
  if (source === undefined) return { fork };
  const { fullPath } = source.project;
  return { fork, at: new CodeAddresses(fullPath), path: fullPath };
};
