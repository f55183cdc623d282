import { together } from '../../../../../application/shared/together.js';
import { mayChangeNote, type ChangeableNote } from '../../../../../domain/collaboration/note.js';
import { mayChangeIssue } from '../../../../../domain/planning/issue.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { inOrder, readLines } from '../comments/changes.js';
import { linesFrom, readCommentPage, textsFrom } from '../comments/comment-page.js';
import { readReactions } from '../comments/reactions.js';
import { bodiesOf, showNotes, type ShownNote } from '../comments/show-notes.js';
import { field } from '../form-fields.js';
import { tell } from '../frame/notice.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { chipsOf } from '../labels/label-chips.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import type { ShownText } from '../page-texts.js';
import { readTime } from '../tracked-time.js';
import { tickTask, withTasks } from '../tasks.js';
import { codeOfIssue } from './code-of-issue.js';
import { LINK_WORDS, linkedIssues } from './linked-issues.js';
import { movesOf } from './moved-issue.js';
import { findIssue, findIssueToChange, ISSUE, type FoundIssue, type IssuePagesParts } from './issue-pages-parts.js';

/** An issue with its comments, and what is done to it with one press. */
export const addIssuePage = (pages: Pages, parts: IssuePagesParts): void => {
  const { issues, subscriptions } = parts;

  pages.get(ISSUE, 'anyone', (context) => showIssue(parts, context));

  pages.post(`${ISSUE}/state`, 'signed_in', async (context) => {
    const found = await findIssueToChange(parts, context);
    const stateEvent = field(context.request, 'state_event') === 'close' ? 'close' : 'reopen';
    await issues.edit(actorOf(context.browser), found, { stateEvent });
    const { iid } = found.issue;
    tell(context.response, context.browser, `Issue #${iid} ${stateEvent === 'close' ? 'closed' : 'reopened'}.`);
    context.response.redirect(303, found.address);
  });

  pages.post(`${ISSUE}/tasks`, 'signed_in', async (context) => {
    const found = await findIssueToChange(parts, context);
    await tickTask(context, {
      text: found.issue.description,
      to: `${found.address}#description`,
      save: (description, seenDescription) =>
        issues.edit(actorOf(context.browser), found, { description, seenDescription }),
    });
  });

  pages.post(`${ISSUE}/subscription`, 'signed_in', async (context) => {
    const { issue, address } = await findIssue(parts, context);
    const subscribed = field(context.request, 'subscribed') === 'true';
    await subscriptions.change(actorOf(context.browser), issue, subscribed);
    const words = subscribed ? 'You follow this issue.' : 'You no longer follow this issue.';
    tell(context.response, context.browser, words);
    context.response.redirect(303, address);
  });

  // Somebody who signs in again, or reloads what a form led to, comes this way.
  for (const form of ['state', 'tasks', 'subscription', 'notes', 'links'])
    pages.get(`${ISSUE}/${form}`, 'anyone', async (context) => {
      const { address } = await findIssue(parts, context);
      context.response.redirect(303, address);
    });
};

export const showIssue = async (parts: IssuePagesParts, context: PageContext, extra: object = {}): Promise<void> => {
  const { noteReader, resourceEventReader, subscriptions, urls } = parts;
  const found = await findIssue(parts, context);
  const { issue, party, address, place } = found;
  const { user } = context.browser;
  const [{ notes, more, pager, description, from }, lines, subscribed, moves, time, links, code] = await together([
    readCommentPage(context, { id: issue.id, address, pages: noteReader }, async (begin) => {
      const { texts, description: shown } = textsFrom(begin, issue.description);
      return { ...(await showNotes(noteReader, issue.id, texts, begin)), description: shown };
    }),
    readLines(resourceEventReader, issue),
    user === undefined ? Promise.resolve(false) : subscriptions.isSubscribed(user, issue),
    movesOf(parts, actorFor(context.browser), issue),
    readTime(parts, issue.id),
    linkedIssues(parts, actorFor(context.browser), issue),
    codeOfIssue(parts, context, found),
  ]);
  const readOnly = place.project.archived;
  const takesPart = user !== undefined && !readOnly;
  const mayChange = takesPart && mayChangeIssue(issue, party);
  const mayChangeComment = (note: ChangeableNote) =>
    takesPart && mayChangeNote(note, { userId: user.id, level: party.level });
  const completed = await complete(parts, context, found, {
    notes,
    texts: [withTasks(description, 'tasks', mayChange), ...bodiesOf(notes, mayChangeComment)],
  });
  await sendProjectPage(context, place, 'issue', {
    tab: 'issues',
    title: `${issue.title} (#${issue.iid})`,
    issue,
    address,
    ...completed,
    ...code,
    pager,
    moves,
    time,
    links,
    linkTypes: Object.entries(LINK_WORDS),
    ...offeredFor(found, takesPart),
    story: inOrder(
      await linesFrom(lines, noteReader, { id: issue.id, after: from.after, begins: notes[0]?.createdAt }),
      {
        said: completed.notes,
        at: ({ createdAt }) => createdAt,
        more,
      },
    ),
    takesQuickActions: true,
    stateAfter: mayChange ? (issue.state === 'opened' ? 'close' : 'reopen') : undefined,
    whole: urls.api(`/projects/${issue.projectId}/issues/${issue.iid}`),
    chips: chipsOf(parts.planningOverview, issue),
    mayChange,
    mayChangeNote: mayChangeComment,
    readOnly,
    subscribed,
    body: field(context.request, 'body'),
    ...extra,
  });
};

/** What the page offers besides changing it. */
const offeredFor = ({ issue, place: { project, level } }: FoundIssue, takesPart: boolean) => ({
  mayLink: takesPart && isOffered(project, level, 'link_issues'),
  mayMove: takesPart && issue.kind === 'issue' && isOffered(project, level, 'move_issues'),
  mayRemove: takesPart && isOffered(project, level, 'remove_issues'),
});

/** Texts with their HTML, and what was given to the issue and to its comments. */
const complete = async (
  parts: IssuePagesParts,
  context: PageContext,
  { issue, place }: FoundIssue,
  { texts, notes }: { readonly texts: readonly ShownText[]; readonly notes: readonly ShownNote[] },
) => {
  const [[description, ...bodies], reactions] = await together([
    parts.markdown.renderAll(texts, context.browser, place),
    readReactions(parts, context, { id: issue.id, kind: 'issue', place }, notes),
  ]);
  return {
    description,
    notes: notes.map((note, index) => ({ ...note, body: bodies[index] ?? note.body })),
    reactions,
  };
};
