import type { ChangeableIssue } from '../../../../../application/planning/visible-issue.js';
import type { Column } from '../../../../../domain/planning/board.js';
import { field, fieldNumber, idIn, pathNumber } from '../form-fields.js';
import { addFormPage } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { addressOfBoard, BOARD, findBoard, type BoardPagesParts, type FoundBoard } from './board-pages-parts.js';
import { nameOfColumn, showBoard } from './show-board.js';

type FoundCard = FoundBoard<'manage_boards'> & { readonly card: ChangeableIssue };

const columnIn = ({ request }: PageContext, name: string): Column => {
  const word = field(request, name);
  return word === 'open' || word === 'closed' ? word : idIn(word);
};

/** Between which cards it was dropped; of nobody where it only goes to another column. */
const besideIn = ({ request }: PageContext) => {
  const [above, below] = [fieldNumber(request, 'above'), fieldNumber(request, 'below')];
  if (above === 0 && below === 0) return {};
  return { beside: { ...(above > 0 && { before: above }), ...(below > 0 && { after: below }) } };
};

/** Moving the issues of a board from one of its columns to another. */
export const addCardPages = (pages: Pages, parts: BoardPagesParts): void =>
  addFormPage<FoundCard>(pages, {
    path: `${BOARD}/cards/:iid`,
    find: async (context) => {
      const found = await findBoard(parts, context, 'manage_boards');
      const writable = await projectOfPage(parts.access, context, 'write_issues');
      const iid = pathNumber(context.request, 'iid');
      return { ...found, card: await parts.issues.findToChange(actorFor(context.browser), writable, iid) };
    },
    show: (context, found, refusal) => showBoard(parts, context, found, refusal),
    act: async (context, found) => {
      const { place, board, card } = found;
      const [from, to] = [columnIn(context, 'from'), columnIn(context, 'to')];
      const move = { boardId: board.id, from, to, ...besideIn(context) };
      await parts.issueOrder.moveCard(actorOf(context.browser), place, card, move);
      const notice = `#${card.issue.iid} moved to “${nameOfColumn(board, to)}”.`;
      return { notice, to: addressOfBoard(context, found) };
    },
  });
