import type { Pages } from '../page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { addArchivePage, type ArchivePageParts } from './archive-page.js';
import { addCommitCommentPages } from './commit-comment-pages.js';
import { addCommitPage, type CommitPageParts } from './commit-page.js';
import { addEditPages } from './edit-pages.js';
import { addFilePages } from './file-pages.js';
import { addFolderPages } from './folder-pages.js';
import { addCommitPages, addComparePages } from './history-pages.js';
import { addPickPage } from './pick-page.js';
import { addRefPages } from './ref-pages.js';
import { addSearchPages } from './search-pages.js';
import { addUploadPages } from './upload-pages.js';

/** The code of projects. */
export const addCodePages = (pages: Pages, parts: CodeWritingPagesParts & ArchivePageParts & CommitPageParts): void => {
  addFolderPages(pages, parts);
  addFilePages(pages, parts);
  addCommitPages(pages, parts);
  addCommitPage(pages, parts);
  addPickPage(pages, parts);
  addCommitCommentPages(pages, parts);
  addComparePages(pages, parts);
  addRefPages(pages, parts);
  addSearchPages(pages, parts);
  addEditPages(pages, parts);
  addUploadPages(pages, parts);
  addArchivePage(pages, parts);
};
