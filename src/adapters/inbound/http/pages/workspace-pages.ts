import type { Pages } from './page.js';
import { addExplorePages } from './workspace/explore-pages.js';
import { addGroupPage } from './workspace/group-page.js';
import { addMemberPages } from './workspace/member-pages.js';
import { addPersonPage } from './workspace/person-page.js';
import { addProjectPage } from './workspace/project-page.js';
import type { WorkspacePagesParts } from './workspace/workspace-pages-parts.js';

/** In the order in which addresses are matched: what nothing else is called is a person, or the path of a project. */
export const addWorkspacePages = (pages: Pages, parts: WorkspacePagesParts): void => {
  addExplorePages(pages, parts);
  addMemberPages(pages, parts);
  addGroupPage(pages, parts);
  addPersonPage(pages, parts);
  addProjectPage(pages, parts);
};
