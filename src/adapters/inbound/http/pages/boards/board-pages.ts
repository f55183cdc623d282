import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { addBoardFormPages } from './board-form-pages.js';
import { BOARD, BOARDS, findBoard, type BoardPagesParts } from './board-pages-parts.js';
import { addCardPages } from './card-pages.js';
import { addListPages } from './list-pages.js';
import { showBoard } from './show-board.js';

/** The issues of a project in columns, in the order in which addresses are matched. */
export const addBoardPages = (pages: Pages, parts: BoardPagesParts): void => {
  const tab = { name: 'boards', label: 'Boards', to: 'boards', order: 31, within: 'planning' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_issues' });

  pages.get(BOARDS, 'anyone', async (context) => {
    const place = await projectOfPage(parts.access, context, 'read_issues');
    const [board] = await parts.boards.list(place);
    await showBoard(parts, context, { place, board });
  });
  addBoardFormPages(pages, parts);
  addListPages(pages, parts);
  addCardPages(pages, parts);
  pages.get(BOARD, 'anyone', async (context) => {
    await showBoard(parts, context, await findBoard(parts, context, 'read_issues'));
  });
};
