import type { Written } from '../../../../../application/collaboration/quick-actions.js';
import { partyOf } from '../../../../../application/review/visible-merge-request.js';
import { mayChange } from '../../../../../domain/review/merge-request.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { field, pathNumber } from '../form-fields.js';
import { askedState } from '../comments/asked-state.js';
import { addCommentEditing } from '../comments/comment-editing.js';
import { addressOfNote } from '../comments/comment-page.js';
import type { FoundToDiscuss } from '../comments/find-to-discuss.js';
import { addReactions } from '../comments/reactions.js';
import { withOutcomes } from '../comments/written-notice.js';
import { textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { withAttached } from '../uploads/attached-files.js';
import { isForReview, keepForReview } from './draft-pages.js';
import { orShowAgain } from './merge-request-acts.js';
import { showMergeRequest } from './merge-request-page.js';
import {
  findMergeRequest,
  findMergeRequestToChange,
  findMergeRequestToDiscuss,
  MERGE_REQUEST,
  TAB,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';

const THREAD = `${MERGE_REQUEST}/threads/:thread`;

/** A note on the page that a form of a thread was on. */
const whereOf = ({ request }: PageContext, address: string, noteId: number): string =>
  field(request, 'on') === 'changes' ? `${address}/diffs#note_${noteId}` : addressOfNote(address, noteId);

const answer = ({ browser, response }: PageContext, notice: string, to: string): void => {
  tell(response, browser, notice);
  response.redirect(303, to);
};

/** What the button of a comment makes of the merge request. @throws Forbidden for who may not. */
const permittedState = async (parts: MergeRequestPagesParts, context: PageContext) => {
  const stateEvent = askedState(context);
  if (stateEvent === undefined) return undefined;
  const { mergeRequest, place } = await findMergeRequestToChange(parts, context);
  if (!mayChange(mergeRequest, partyOf(actorOf(context.browser), place))) throw new Forbidden();
  return stateEvent;
};

/** What is said of a merge request: comments, threads, and whether what they ask for is done. */
export const addThreadPages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  const { notes, discussions } = parts;

  const answerWritten = (
    context: PageContext,
    { address }: FoundToDiscuss,
    notice: string,
    { result: id, outcomes }: Written<number>,
  ): void => {
    const to = id === undefined ? address : whereOf(context, address, id);
    answer(context, withOutcomes(id === undefined ? '' : notice, outcomes), to);
  };

  const preview = async (context: PageContext, { place }: FoundToDiscuss): Promise<void> =>
    showMergeRequest(parts, context, await previewOf(parts, context, place, textField(context, 'body')));

  pages.postText(`${MERGE_REQUEST}/notes`, async (context) => {
    const found = await findMergeRequestToDiscuss(parts, context);
    if (isPreview(context)) return preview(context, found);
    await orShowAgain(parts, context, async () => {
      if (isForReview(context)) return keepForReview(parts, context, found);
      const author = actorOf(context.browser);
      const asThread = field(context.request, 'kind') === 'thread';
      const stateEvent = await permittedState(parts, context);
      const written = await withAttached(parts, context, { ...found.place, text: 'body' }, () => {
        const body = textField(context, 'body');
        return asThread ? discussions.begin(author, found, body) : notes.add(author, found, body, { stateEvent });
      });
      answerWritten(context, found, asThread ? 'Thread started.' : 'Comment added.', written);
    });
  });

  pages.postText(`${THREAD}/notes`, async (context) => {
    const found = await findMergeRequestToDiscuss(parts, context);
    if (isPreview(context)) return preview(context, found);
    await orShowAgain(parts, context, async () => {
      const first = pathNumber(context.request, 'thread');
      if (isForReview(context)) return keepForReview(parts, context, found, { answers: first });
      const resolves = field(context.request, 'resolves') === 'true';
      const written = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        discussions.reply(
          actorOf(context.browser),
          found,
          { firstNoteId: first, resolves },
          textField(context, 'body'),
        ),
      );
      answerWritten(context, found, 'Reply added.', written);
    });
  });

  pages.post(`${THREAD}/resolution`, 'signed_in', async (context) => {
    const found = await findMergeRequestToDiscuss(parts, context);
    await orShowAgain(parts, context, async () => {
      const first = pathNumber(context.request, 'thread');
      const resolved = field(context.request, 'resolved') === 'true';
      await discussions.resolve(actorOf(context.browser), found, first, resolved);
      answer(context, resolved ? 'Thread resolved.' : 'Thread reopened.', whereOf(context, found.address, first));
    });
  });

  leadBack(pages, parts);
  const find = (context: PageContext) => findMergeRequestToDiscuss(parts, context);
  addCommentEditing(pages, parts, { path: MERGE_REQUEST, tab: TAB, find });
  addReactions(pages, parts, { path: MERGE_REQUEST, find });
};

/** Somebody who signs in again, or reloads what a form led to, comes this way. */
const leadBack = (pages: Pages, parts: MergeRequestPagesParts): void => {
  for (const form of [`${MERGE_REQUEST}/notes`, `${THREAD}/notes`, `${THREAD}/resolution`])
    pages.get(form, 'anyone', async (context) => {
      const { address } = await findMergeRequest(parts, context);
      context.response.redirect(303, address);
    });
};
