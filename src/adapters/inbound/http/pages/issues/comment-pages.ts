import { mayChangeIssue } from '../../../../../domain/planning/issue.js';
import { BadRequest, Forbidden } from '../../../../../domain/shared/domain-error.js';
import { addCommentEditing } from '../comments/comment-editing.js';
import { addressOfNote } from '../comments/comment-page.js';
import { addReactions } from '../comments/reactions.js';
import { withOutcomes } from '../comments/written-notice.js';
import { field } from '../form-fields.js';
import { textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import type { PageContext } from '../page-context.js';
import { problemsOf, type Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { showIssue } from './issue-page.js';
import { findIssueToChange, findIssueToDiscuss, ISSUE, type IssuePagesParts } from './issue-pages-parts.js';

const LABELS = { note: 'The comment', ...ATTACHMENTS_LABEL };

/**
 * One press closes or reopens an issue with a word why. Answers how, and what to say of it; it is done once that word is written.
 * @throws Forbidden before that for who may not.
 */
const askedState = async (parts: IssuePagesParts, context: PageContext) => {
  const stateEvent = (['close', 'reopen'] as const).find((each) => each === field(context.request, 'state_event'));
  if (stateEvent === undefined) return { change: () => Promise.resolve(), words: [] };
  const found = await findIssueToChange(parts, context);
  if (!mayChangeIssue(found.issue, found.party)) throw new Forbidden();
  return {
    change: () => parts.issues.edit(actorOf(context.browser), found, { stateEvent }),
    words: [stateEvent === 'close' ? 'Issue closed.' : 'Issue reopened.'],
  };
};

/** Comments on issues: writing, editing and removing them. */
export const addCommentPages = (pages: Pages, parts: IssuePagesParts): void => {
  pages.postText(`${ISSUE}/notes`, async (context) => {
    const found = await findIssueToDiscuss(parts, context);
    if (isPreview(context))
      return showIssue(parts, context, await previewOf(parts, context, found.place, textField(context, 'body')));
    const state = await askedState(parts, context);
    try {
      const { result: id, outcomes } = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        parts.notes.add(actorOf(context.browser), found, textField(context, 'body')),
      );
      await state.change();
      const done = [...(id === undefined ? [] : ['Comment added.']), ...state.words].join(' ');
      tell(context.response, context.browser, withOutcomes(done, outcomes));
      context.response.redirect(303, id === undefined ? found.address : addressOfNote(found.address, id));
    } catch (error) {
      const refusal = error instanceof BadRequest ? { problem: error.message } : { problems: problemsOf(error) };
      context.response.status(400);
      await showIssue(parts, context, { ...refusal, fieldIds: { note: 'body' }, fieldLabels: LABELS });
    }
  });

  const find = (context: Parameters<typeof findIssueToDiscuss>[1]) => findIssueToDiscuss(parts, context);
  addCommentEditing(pages, parts, { path: ISSUE, tab: 'issues', find });
  addReactions(pages, parts, { path: ISSUE, find });
};
