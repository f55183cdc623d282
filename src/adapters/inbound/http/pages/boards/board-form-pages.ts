import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { field } from '../form-fields.js';
import { addFormPage, typed, type Refusal } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import {
  addressOfBoard,
  addressOfBoards,
  BOARD,
  BOARDS,
  findBoard,
  type BoardPagesParts,
  type FoundBoard,
} from './board-pages-parts.js';

type Place = PermittedProject<'manage_boards'>;

interface Shown extends Refusal {
  readonly title: string;
  readonly button: string;
  readonly name: string;
  readonly cancel: string;
}

const show = (context: PageContext, place: Place, { name, ...shown }: Shown): Promise<void> =>
  sendProjectPage(context, place, 'board-form', { tab: 'boards', form: typed(context, { name }), ...shown });

const nameIn = ({ request }: PageContext): string => field(request, 'name').trim();

/** Making, renaming and removing boards. */
export const addBoardFormPages = (pages: Pages, parts: BoardPagesParts): void => {
  const find = (context: PageContext) => findBoard(parts, context, 'manage_boards');

  addFormPage<Place>(pages, {
    path: `${BOARDS}/new`,
    find: (context) => projectOfPage(parts.access, context, 'manage_boards'),
    show: (context, place, refusal) =>
      show(context, place, {
        title: 'New board',
        button: 'Create board',
        name: '',
        cancel: addressOfBoards(place),
        ...refusal,
      }),
    act: async (context, place) => {
      const board = await parts.boards.create(place, nameIn(context));
      return { notice: `Board “${board.name}” created.`, to: addressOfBoard(context, { place, board }) };
    },
  });

  addFormPage<FoundBoard<'manage_boards'>>(pages, {
    path: `${BOARD}/edit`,
    find,
    show: (context, { place, board }, refusal) =>
      show(context, place, {
        title: 'Rename board',
        button: 'Save changes',
        name: board.name,
        cancel: addressOfBoard(context, { place, board }),
        ...refusal,
      }),
    act: async (context, { place, board }) => {
      const { name } = await parts.boards.rename(place, board.id, nameIn(context));
      return { notice: `Board “${name}” saved.`, to: addressOfBoard(context, { place, board }) };
    },
  });

  addRemovalPage<FoundBoard<'manage_boards'>>(pages, {
    path: `${BOARD}/remove`,
    find,
    ask: async (context, { place, board }) => ({
      title: `Remove the board ${board.name}?`,
      consequences: ['Its lists go with it.', 'The issues on it stay, with their labels.'],
      button: 'Remove board',
      cancel: addressOfBoard(context, { place, board }),
      frame: await context.places.ofProject(context.browser, place, 'boards'),
    }),
    act: async (_context, { place, board }) => {
      await parts.boards.remove(place, board.id);
      return { notice: `Board “${board.name}” removed.`, to: addressOfBoards(place) };
    },
  });
};
