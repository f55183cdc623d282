import { MOST_COUNTED_CARDS, type BoardColumn } from '../../../../../application/planning/ports/board-ports.js';
import type { Board, Column } from '../../../../../domain/planning/board.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import type { Refusal } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { addressOfIssues } from '../issues/issue-pages-parts.js';
import { keptOf } from '../list-sorting.js';
import type { PageContext } from '../page-context.js';
import { allowLiveScript } from '../page-headers.js';
import { actorFor } from '../page-request.js';
import { OFFERED } from '../planning-choices.js';
import { addressOfBoards, boardFilters, queryOf, type BoardPagesParts, type FoundBoard } from './board-pages-parts.js';

/** So many cards of each column are shown. */
const CARDS = 20;

type Filters = ReturnType<typeof boardFilters>;

/** What a column is called. */
export const nameOfColumn = ({ lists }: Board, column: Column): string => {
  if (column === 'open') return 'Open';
  if (column === 'closed') return 'Closed';
  return lists.find(({ id }) => id === column)?.label.name ?? '';
};

/** The issue list that goes on where a column ends; that of the open ones has those of other columns, too. */
const moreOf = ({ lists }: Board, column: Column, { search, label }: Filters): string => {
  const own = lists.find(({ id }) => id === column)?.label.name ?? '';
  const labels = [...new Set([label, own].filter((name) => name !== ''))].join(',');
  return queryOf(keptOf({ state: column === 'closed' ? 'closed' : 'opened', search, label: labels }));
};

/** A board as it is shown: what stands in its columns, and for whoever manages boards how that is changed. */
export const showBoard = async (
  parts: BoardPagesParts,
  context: PageContext,
  { place, board }: FoundBoard<'read_issues' | 'manage_boards'>,
  refusal: Refusal = {},
): Promise<void> => {
  const { access, boards, boardColumnReader, planningReader } = parts;
  const { project, level } = place;
  const { browser } = context;
  const filters = boardFilters(context);
  const { search, label } = filters;
  const columns = boardColumnReader.columns({
    board,
    filters: {
      viewer: access.viewer(actorFor(browser)),
      ...given({ search: search || undefined, labels: label === '' ? undefined : [label] }),
    },
    limit: CARDS,
  });
  const shown = ({ column, count, ...rest }: BoardColumn) => ({
    ...rest,
    id: column,
    name: nameOfColumn(board, column),
    color: board.lists.find(({ id }) => id === column)?.label.color,
    count: count > MOST_COUNTED_CARDS ? `${MOST_COUNTED_CARDS}+` : String(count),
    more: addressOfIssues(place) + moreOf(board, column, filters),
  });
  const manages = browser.user !== undefined && isOffered(project, level, 'manage_boards');
  if (manages) allowLiveScript(context.response);
  await sendProjectPage(context, place, 'board', {
    tab: 'boards',
    title: `${board.name}, a board of ${project.name}`,
    board,
    boards: boards.list(place),
    all: addressOfBoards(place),
    address: `${addressOfBoards(place)}/${board.id}`,
    asked: queryOf(keptOf(filters)),
    filters,
    manages,
    drags: manages,
    labels: planningReader.listLabels(project.id, OFFERED).then(({ items }) => items.map(({ name }) => name)),
    columns: columns.then((found) => found.map(shown)),
    ...refusal,
  });
};
