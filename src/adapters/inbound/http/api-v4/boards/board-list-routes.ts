import type { BoardList } from '../../../../../domain/planning/board.js';
import { MAX_BOARD_LISTS } from '../../../../../domain/planning/board.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { found } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { identifier, integer, pathId } from '../../validation/parameters.js';
import { BOARD, BOARD_IN_PATH, inBoard, type BoardRoutesParts } from './board-routes.js';
import { BoardListSchema, presentBoardList } from './board-schema.js';

type Parts = BoardRoutesParts;

const ALL = `${BOARD}/lists`;
const ONE = `${ALL}/:list_id`;
const IN_PATH = { ...BOARD_IN_PATH, list_id: pathId('Numeric id of the list') };

const { list, get, post, put, remove } = routesOf({ tag: 'Issue boards' });

const inList = <P extends 'read_issues' | 'manage_boards'>(parts: Parts, permission: P) =>
  found('List', 'list_id', inBoard(parts, permission), ({ board }, id) =>
    Promise.resolve(board.lists.find((each) => each.id === id)),
  );

const presentAmong = (lists: readonly BoardList[], id: number) => {
  const position = lists.findIndex((each) => each.id === id);
  const shown = lists[position];
  // Somebody has removed it since.
  if (shown === undefined) throw new NotFound('List');
  return presentBoardList(shown, position);
};

const listBoardLists = (parts: Parts) =>
  list(ALL, 'listBoardLists', {
    summary: 'Lists of an issue board, from the left',
    description: 'Without the columns of open and of closed issues, which every board has.',
    access: 'anyone',
    parameters: BOARD_IN_PATH,
    items: BoardListSchema,
    guard: inBoard(parts, 'read_issues'),
    read: ({ subject: { board }, page }) => Promise.resolve(pageOfList(board.lists.map(presentBoardList), page)),
    present: (shown) => shown,
  });

const getBoardList = (parts: Parts) =>
  get(ONE, 'getBoardList', {
    summary: 'One list of an issue board',
    access: 'anyone',
    parameters: IN_PATH,
    answer: BoardListSchema,
    guard: inList(parts, 'read_issues'),
    handle: ({ subject }) => presentAmong(subject.board.lists, subject.list.id),
  });

const createBoardList = (parts: Parts) =>
  post(ALL, 'createBoardList', {
    summary: 'Add a list of the issues that have a label (reporters)',
    description: `It comes last. A board has at most ${MAX_BOARD_LISTS}.`,
    access: 'user',
    parameters: { ...BOARD_IN_PATH, label_id: identifier('Id of a label of the project') },
    answer: BoardListSchema,
    guard: inBoard(parts, 'manage_boards'),
    handle: async ({ subject, parameters: { label_id: labelId } }) => {
      const lists = await parts.boards.addList(subject, subject.board.id, labelId);
      return presentAmong(lists, lists.at(-1)?.id ?? 0);
    },
  });

const moveBoardList = (parts: Parts) =>
  put(ONE, 'moveBoardList', {
    summary: 'Move a list of an issue board (reporters)',
    access: 'user',
    parameters: {
      ...IN_PATH,
      position: integer({ minimum: 0, maximum: 2_147_483_647, description: 'Counted from 0, from the left' }),
    },
    answer: BoardListSchema,
    guard: inList(parts, 'manage_boards'),
    handle: async ({ subject, parameters: { position } }) => {
      const { board, list: moved } = subject;
      return presentAmong(await parts.boards.moveList(subject, board.id, moved.id, position), moved.id);
    },
  });

const removeBoardList = (parts: Parts) =>
  remove(ONE, 'removeBoardList', {
    summary: 'Remove a list from an issue board (reporters)',
    description: 'Its issues keep the label.',
    access: 'user',
    parameters: IN_PATH,
    guard: inList(parts, 'manage_boards'),
    handle: ({ subject }) => parts.boards.removeList(subject, subject.board.id, subject.list.id),
  });

/** The lists of issue boards. */
export const createBoardListRoutes = (parts: Parts): readonly Route[] =>
  [listBoardLists, getBoardList, createBoardList, moveBoardList, removeBoardList].map((make) => make(parts));
