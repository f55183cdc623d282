import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { addCommentEditing } from '../comments/comment-editing.js';
import { addressOfNote } from '../comments/comment-page.js';
import { withOutcomes } from '../comments/written-notice.js';
import { textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import { problemsOf, type Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { showIssue } from './issue-page.js';
import { findIssueToDiscuss, ISSUE, type IssuePagesParts } from './issue-pages-parts.js';

const LABELS = { note: 'The comment', ...ATTACHMENTS_LABEL };

/** Comments on issues: writing, editing and removing them. */
export const addCommentPages = (pages: Pages, parts: IssuePagesParts): void => {
  pages.postText(`${ISSUE}/notes`, async (context) => {
    const found = await findIssueToDiscuss(parts, context);
    if (isPreview(context))
      return showIssue(parts, context, await previewOf(parts, context, found.place, textField(context, 'body')));
    try {
      const { result: id, outcomes } = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        parts.notes.add(actorOf(context.browser), found, textField(context, 'body')),
      );
      tell(context.response, context.browser, withOutcomes(id === undefined ? '' : 'Comment added.', outcomes));
      context.response.redirect(303, id === undefined ? found.address : addressOfNote(found.address, id));
    } catch (error) {
      const refusal = error instanceof BadRequest ? { problem: error.message } : { problems: problemsOf(error) };
      context.response.status(400);
      await showIssue(parts, context, { ...refusal, fieldIds: { note: 'body' }, fieldLabels: LABELS });
    }
  });

  const find = (context: Parameters<typeof findIssueToDiscuss>[1]) => findIssueToDiscuss(parts, context);
  addCommentEditing(pages, parts, { path: ISSUE, tab: 'issues', find });
};
