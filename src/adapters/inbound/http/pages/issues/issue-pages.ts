import type { Pages } from '../page.js';
import { addCommentPages } from './comment-pages.js';
import { addIssueFormPages } from './issue-form-pages.js';
import { addGroupIssuesPage, addIssueListPage } from './issue-list-page.js';
import { addIssueLinkPages } from './issue-link-pages.js';
import { addIssueMovePages } from './issue-move-pages.js';
import { addIssuePage } from './issue-page.js';
import type { IssuePagesParts } from './issue-pages-parts.js';

/** Issues and incidents, in the order in which addresses are matched. */
export const addIssuePages = (pages: Pages, parts: IssuePagesParts): void => {
  addGroupIssuesPage(pages, parts);
  addIssueListPage(pages, parts);
  addIssueFormPages(pages, parts);
  addIssueMovePages(pages, parts);
  addIssueLinkPages(pages, parts);
  addCommentPages(pages, parts);
  addIssuePage(pages, parts);
};
