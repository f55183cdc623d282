import type { BoardList } from '../../../../../domain/planning/board.js';
import { Invalid, NotPossible } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { addressOfBoard, BOARD, findBoard, type BoardPagesParts, type FoundBoard } from './board-pages-parts.js';
import { showBoard } from './show-board.js';

type Found = FoundBoard<'manage_boards'>;
type FoundList = Found & { readonly list: BoardList };

/** The lists of a board: adding, moving and removing them. Their forms stand on the board itself. */
export const addListPages = (pages: Pages, parts: BoardPagesParts): void => {
  const { boards, planningOverview } = parts;
  const find = (context: PageContext): Promise<Found> => findBoard(parts, context, 'manage_boards');

  addFormPage<Found>(pages, {
    path: `${BOARD}/lists`,
    find,
    show: (context, found, refusal) => showBoard(parts, context, found, refusal),
    act: async (context, { place, board }) => {
      const name = field(context.request, 'new_list').trim();
      const [label] = await planningOverview.labelsNamed(place.project.id, [name]);
      if (label === undefined) throw new Invalid({ new_list: ['is no label of this project'] });
      await boards.addList(place, board.id, label.id);
      return { notice: `List “${label.name}” added.`, to: addressOfBoard(context, { place, board }) };
    },
  });

  addFormPage<FoundList>(pages, {
    path: `${BOARD}/lists/:list_id`,
    find: async (context) => {
      const found = await find(context);
      const id = pathNumber(context.request, 'list_id');
      return {
        ...found,
        list: orNotFound(
          found.board.lists.find((each) => each.id === id),
          'List',
        ),
      };
    },
    show: (context, found, refusal) => showBoard(parts, context, found, refusal),
    act: async (context, found) => ({
      notice: await change(parts, found, field(context.request, 'change')),
      to: addressOfBoard(context, found),
    }),
  });
};

/** @returns what was done. @throws NotPossible for one that is the first or the last already. */
const change = async ({ boards }: BoardPagesParts, { place, board, list }: FoundList, to: string): Promise<string> => {
  const { name } = list.label;
  if (to === 'remove') {
    await boards.removeList(place, board.id, list.id);
    return `List “${name}” removed. Its issues keep the label.`;
  }
  if (to !== 'left' && to !== 'right') throw new NotPossible('A list is moved to the left or to the right.');
  const position = board.lists.indexOf(list) + (to === 'left' ? -1 : 1);
  if (position < 0) throw new NotPossible('It is the first list already.');
  await boards.moveList(place, board.id, list.id, position);
  return `List “${name}” moved.`;
};
