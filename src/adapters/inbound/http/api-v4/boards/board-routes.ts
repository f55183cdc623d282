import { Type } from '@sinclair/typebox';
import type { Boards } from '../../../../../application/planning/boards.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_BOARD_NAME, MAX_BOARDS } from '../../../../../domain/planning/board.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { BoardSchema, presentBoard } from './board-schema.js';

export interface BoardRoutesParts {
  readonly access: WorkspaceAccess;
  readonly boards: Boards;
  readonly urls: WebUrls;
}
type Parts = BoardRoutesParts;

const ALL = '/projects/:id/boards';
export const BOARD = `${ALL}/:board_id`;
export const BOARD_IN_PATH = { id: PROJECT_ID, board_id: pathId('Numeric id of the board') };
const ALWAYS_THERE = Type.Optional(Type.Boolean({ description: 'Changes nothing: the column is always there' }));

const { list, get, post, put, remove } = routesOf({ tag: 'Issue boards' });

export const inBoard = <P extends 'read_issues' | 'manage_boards'>({ access, boards }: Parts, permission: P) =>
  found('Board', 'board_id', inProject(access, permission), (place, id) => boards.find(place, id));

const listBoards = ({ access, boards, urls }: Parts) =>
  list(ALL, 'listBoards', {
    summary: 'Issue boards of a project',
    description: 'Never none: a project has one before anybody makes any.',
    access: 'anyone',
    parameters: { id: PROJECT_ID },
    items: BoardSchema,
    guard: inProject(access, 'read_issues'),
    read: async ({ subject, page }) => pageOfList(await boards.list(subject), page),
    present: (board, { subject: { project } }) => presentBoard(board, project, urls),
  });

const getBoard = (parts: Parts) =>
  get(BOARD, 'getBoard', {
    summary: 'One issue board',
    access: 'anyone',
    parameters: BOARD_IN_PATH,
    answer: BoardSchema,
    guard: inBoard(parts, 'read_issues'),
    handle: ({ subject: { board, project } }) => presentBoard(board, project, parts.urls),
  });

const createBoard = ({ access, boards, urls }: Parts) =>
  post(ALL, 'createBoard', {
    summary: 'Make an issue board (reporters)',
    description: `A project has at most ${MAX_BOARDS}.`,
    access: 'user',
    parameters: { id: PROJECT_ID, name: text(MAX_BOARD_NAME, 'What it is called') },
    answer: BoardSchema,
    guard: inProject(access, 'manage_boards'),
    handle: async ({ subject, parameters: { name } }) =>
      presentBoard(await boards.create(subject, name), subject.project, urls),
  });

const editBoard = (parts: Parts) =>
  put(BOARD, 'editBoard', {
    summary: 'Rename an issue board (reporters)',
    access: 'user',
    parameters: {
      ...BOARD_IN_PATH,
      name: Type.Optional(text(MAX_BOARD_NAME, 'What it is called')),
      hide_backlog_list: ALWAYS_THERE,
      hide_closed_list: ALWAYS_THERE,
    },
    answer: BoardSchema,
    guard: inBoard(parts, 'manage_boards'),
    handle: async ({ subject, parameters: { name } }) => {
      const { board } = subject;
      const renamed = name === undefined ? board : await parts.boards.rename(subject, board.id, name);
      return presentBoard(renamed, subject.project, parts.urls);
    },
  });

const removeBoard = (parts: Parts) =>
  remove(BOARD, 'removeBoard', {
    summary: 'Remove an issue board (reporters)',
    description: 'Its issues stay, with their labels.',
    access: 'user',
    parameters: BOARD_IN_PATH,
    guard: inBoard(parts, 'manage_boards'),
    handle: ({ subject }) => parts.boards.remove(subject, subject.board.id),
  });

/** The issue boards of a project. */
export const createBoardRoutes = (parts: Parts): readonly Route[] =>
  [listBoards, getBoard, createBoard, editBoard, removeBoard].map((make) => make(parts));
