import { mayResolve } from '../../../../../domain/collaboration/discussion.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { committerOf, permitSource } from '../../api-v4/merge-requests/merging-routes.js';
import { addressOfNote } from '../comments/comment-page.js';
import { queryOf, saidIn } from '../comments/said-line.js';
import { withOutcomes } from '../comments/written-notice.js';
import { pathNumber } from '../form-fields.js';
import { refusalOf, textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { isForReview, keepForReview } from './draft-pages.js';
import { orShowAgain } from './merge-request-acts.js';
import { showChanges } from './merge-request-code-pages.js';
import {
  findMergeRequest,
  findMergeRequestToChange,
  findMergeRequestToDiscuss,
  MERGE_REQUEST,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';

const LINES = `${MERGE_REQUEST}/line_threads`;
const APPLY = `${MERGE_REQUEST}/suggestions/:id/apply`;
const MAY_NOT_PUSH = 'You may not push to the source branch.';

/** Comments on lines of a merge request, and what they suggest. */
export const addLineThreadPages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  pages.postText(LINES, async (context) => {
    const found = await findMergeRequestToDiscuss(parts, context);
    const { browser, response } = context;
    if (isPreview(context))
      return showChanges(parts, context, await previewOf(parts, context, found.place, textField(context, 'body')));
    try {
      const position = saidIn(context);
      if (isForReview(context)) return await keepForReview(parts, context, found, { position });
      const written = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        parts.discussions.begin(actorOf(browser), found, textField(context, 'body'), { position }),
      );
      const { result: id, outcomes } = written;
      tell(response, browser, withOutcomes(id === undefined ? '' : 'Thread started.', outcomes));
      const shown = `${found.address}/diffs${queryOf(context, ['version', 'view'])}`;
      response.redirect(303, id === undefined ? shown : `${shown}#note_${id}`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || response.headersSent) throw error;
      const { status, ...reason } = refusal;
      response.status(status);
      await showChanges(parts, context, {
        fieldIds: { note: 'line-body', attachments: 'line-attachments' },
        fieldLabels: { note: 'The comment', ...ATTACHMENTS_LABEL },
        ...reason,
      });
    }
  });

  pages.post(APPLY, 'signed_in', async (context) => {
    const found = await findMergeRequestToChange(parts, context);
    await orShowAgain(parts, context, async () => {
      const id = pathNumber(context.request);
      const actor = actorOf(context.browser);
      const permitted = await permitSource(parts, actor, found, MAY_NOT_PUSH);
      await parts.applySuggestions.execute(await committerOf(parts, actor), found, permitted, { ids: [id] });
      const [named] = await parts.noteReader.findSuggestions([id]);
      const noteId = orNotFound(named).noteId;
      await resolveThreadOf(parts, context, noteId);
      tell(context.response, context.browser, 'Suggestion applied.');
      context.response.redirect(303, addressOfNote(found.address, noteId));
    });
  });

  // Somebody who signs in again, or reloads what a form led to, comes this way.
  pages.get(LINES, 'anyone', async (context) => {
    const { address } = await findMergeRequest(parts, context);
    context.response.redirect(303, `${address}/diffs${queryOf(context, ['version', 'view', 'line'])}`);
  });
  pages.get(APPLY, 'anyone', async (context) => {
    const { address } = await findMergeRequest(parts, context);
    context.response.redirect(303, address);
  });
};

/** What it asked for is done; where they may not say so, it stays open. */
const resolveThreadOf = async (parts: MergeRequestPagesParts, context: PageContext, noteId: number): Promise<void> => {
  const actor = actorOf(context.browser);
  const found = await findMergeRequestToDiscuss(parts, context);
  if (!mayResolve(found.subject, { userId: actor.id, level: found.level })) return;
  const placed = await parts.discussionReader.ofNote(found.subject.id, noteId);
  if (placed !== undefined) await parts.discussions.resolve(actor, found, placed, true);
};
