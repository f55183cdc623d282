import type { Pages } from '../page.js';
import { addDraftPages } from './draft-pages.js';
import { addLineThreadPages } from './line-thread-pages.js';
import { addMergeRequestActs } from './merge-request-acts.js';
import { addMergeRequestCodePages } from './merge-request-code-pages.js';
import { addMergeRequestFormPages } from './merge-request-form-pages.js';
import {
  addGroupMergeRequestsPage,
  addMergeRequestListPage,
  addOwnMergeRequestsPage,
} from './merge-request-list-page.js';
import { addMergeRequestPage } from './merge-request-page.js';
import { addMergeRequestPipelinePages } from './merge-request-pipeline-pages.js';
import type { MergeRequestPagesParts } from './merge-request-pages-parts.js';
import { addNewMergeRequestPage } from './new-merge-request-page.js';
import { addReviewPages } from './review-pages.js';
import { addThreadPages } from './thread-pages.js';

/** Merge requests, in the order in which addresses are matched. */
export const addMergeRequestPages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  addOwnMergeRequestsPage(pages, parts);
  addGroupMergeRequestsPage(pages, parts);
  addMergeRequestListPage(pages, parts);
  addNewMergeRequestPage(pages, parts);
  addMergeRequestFormPages(pages, parts);
  addMergeRequestCodePages(pages, parts);
  addMergeRequestPipelinePages(pages, parts);
  addThreadPages(pages, parts);
  addLineThreadPages(pages, parts);
  addDraftPages(pages, parts);
  addReviewPages(pages, parts);
  addMergeRequestActs(pages, parts);
  addMergeRequestPage(pages, parts);
};
