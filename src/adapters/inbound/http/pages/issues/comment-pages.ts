import { mayChangeIssue } from '../../../../../domain/planning/issue.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { askedState } from '../comments/asked-state.js';
import { addCommentEditing } from '../comments/comment-editing.js';
import { addressOfNote } from '../comments/comment-page.js';
import { addReactions } from '../comments/reactions.js';
import { withOutcomes } from '../comments/written-notice.js';
import { refusalOf, textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { showIssue } from './issue-page.js';
import { findIssueToChange, findIssueToDiscuss, ISSUE, type IssuePagesParts } from './issue-pages-parts.js';

const LABELS = { note: 'The comment', ...ATTACHMENTS_LABEL };

/** What the button of a comment makes of the issue. @throws Forbidden for who may not. */
const permittedState = async (parts: IssuePagesParts, context: PageContext) => {
  const stateEvent = askedState(context);
  if (stateEvent === undefined) return undefined;
  const { issue, party } = await findIssueToChange(parts, context);
  if (!mayChangeIssue(issue, party)) throw new Forbidden();
  return stateEvent;
};

/** Comments on issues: writing, editing and removing them. */
export const addCommentPages = (pages: Pages, parts: IssuePagesParts): void => {
  pages.postText(`${ISSUE}/notes`, async (context) => {
    const found = await findIssueToDiscuss(parts, context);
    if (isPreview(context))
      return showIssue(parts, context, await previewOf(parts, context, found.place, textField(context, 'body')));
    const stateEvent = await permittedState(parts, context);
    try {
      const { result: id, outcomes } = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        parts.notes.add(actorOf(context.browser), found, textField(context, 'body'), { stateEvent }),
      );
      tell(context.response, context.browser, withOutcomes(id === undefined ? '' : 'Comment added.', outcomes));
      context.response.redirect(303, id === undefined ? found.address : addressOfNote(found.address, id));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || context.response.headersSent) throw error;
      const { status, ...said } = refusal;
      context.response.status(status);
      await showIssue(parts, context, { ...said, fieldIds: { note: 'body' }, fieldLabels: LABELS });
    }
  });

  const find = (context: Parameters<typeof findIssueToDiscuss>[1]) => findIssueToDiscuss(parts, context);
  addCommentEditing(pages, parts, { path: ISSUE, tab: 'issues', find });
  addReactions(pages, parts, { path: ISSUE, find });
};
