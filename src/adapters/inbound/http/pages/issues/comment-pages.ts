import { addCommentEditing } from '../comments/comment-editing.js';
import { textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { problemsOf, type Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { showIssue } from './issue-page.js';
import { findIssueToDiscuss, ISSUE, type IssuePagesParts } from './issue-pages-parts.js';

/** Comments on issues: writing, editing and removing them. */
export const addCommentPages = (pages: Pages, parts: IssuePagesParts): void => {
  pages.postLarge(`${ISSUE}/notes`, async (context) => {
    const found = await findIssueToDiscuss(parts, context);
    try {
      const id = await parts.notes.add(actorOf(context.browser), found, textField(context, 'body'));
      tell(context.response, context.browser, 'Comment added.');
      context.response.redirect(303, `${found.address}#note_${id}`);
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      await showIssue(parts, context, { problems, fieldIds: { note: 'body' }, fieldLabels: { note: 'The comment' } });
    }
  });

  const find = (context: Parameters<typeof findIssueToDiscuss>[1]) => findIssueToDiscuss(parts, context);
  addCommentEditing(pages, parts, { path: ISSUE, tab: 'issues', find });
};
