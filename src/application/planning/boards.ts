import {
  checkBoard,
  DEFAULT_BOARD_NAME,
  LABEL_NOT_FOUND,
  MAX_BOARD_LISTS,
  MAX_BOARDS,
  movedWithin,
  type Board,
  type BoardList,
} from '../../domain/planning/board.js';
import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { BoardReader, BoardRepository } from './ports/board-ports.js';
import type { LabelRepository } from './ports/planning-repositories.js';

interface Needs {
  readonly boards: BoardRepository;
  readonly labels: LabelRepository;
}

type Reader = Permitted<'read_issues' | 'manage_boards'>;
type Manager = Permitted<'manage_boards'>;

/** The boards of a project, and their lists. */
export class Boards {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: BoardReader,
    private readonly clock: Clock,
  ) {}

  /** Never none: the first that somebody asks for where there is none is made then. */
  async list({ project }: Reader): Promise<readonly [Board, ...Board[]]> {
    const [first, ...others] = await this.reader.ofProject(project.id);
    if (first !== undefined) return [first, ...others];
    return this.unitOfWork.execute(async ({ boards }) => {
      await boards.hold(project.id);
      const [made, ...more] = await boards.ofProject(project.id);
      return [made ?? (await boards.add(project.id, DEFAULT_BOARD_NAME, this.clock.now())), ...more];
    });
  }

  find({ project }: Reader, id: number): Promise<Board | undefined> {
    return this.reader.find(project.id, id);
  }

  /** @throws Invalid, NotPossible where there are enough. */
  async create({ project }: Manager, name: string): Promise<Board> {
    check({ name });
    return this.unitOfWork.execute(async ({ boards }) => {
      await boards.hold(project.id);
      if ((await boards.ofProject(project.id)).length >= MAX_BOARDS)
        throw new NotPossible(`A project has no more than ${MAX_BOARDS} boards.`);
      return boards.add(project.id, name, this.clock.now());
    });
  }

  /** @throws Invalid, NotFound "Board". */
  async rename({ project }: Manager, id: number, name: string): Promise<Board> {
    check({ name });
    return this.unitOfWork.execute(async ({ boards }) => {
      const board = await held(boards, project.id, id);
      await boards.rename(id, name, this.clock.now());
      return { ...board, name };
    });
  }

  /** @throws NotFound "Board". */
  async remove({ project }: Manager, id: number): Promise<void> {
    await this.unitOfWork.execute(async ({ boards }) => {
      await held(boards, project.id, id);
      await boards.remove(id);
    });
  }

  /** Adds a list of a label, the last one. @returns all lists. @throws NotFound "Board", NotPossible. */
  async addList({ project }: Manager, boardId: number, labelId: number): Promise<readonly BoardList[]> {
    return this.unitOfWork.execute(async ({ boards, labels }) => {
      const board = await held(boards, project.id, boardId);
      const { lists } = board;
      const label = await labels.find(project.id, labelId);
      if (label === undefined) throw new NotPossible(LABEL_NOT_FOUND);
      if (lists.some((list) => list.label.id === labelId)) throw new NotPossible('Label has already been taken');
      if (lists.length >= MAX_BOARD_LISTS) throw new NotPossible(`A board has no more than ${MAX_BOARD_LISTS} lists.`);
      return [...lists, { id: await boards.addList(board, label), label }];
    });
  }

  /** @param position counted from 0. @returns the lists in their new order. @throws NotFound "Board", "List"; NotPossible. */
  async moveList({ project }: Manager, boardId: number, id: number, position: number): Promise<readonly BoardList[]> {
    return this.unitOfWork.execute(async ({ boards }) => {
      const { lists } = await held(boards, project.id, boardId);
      const moved = movedWithin(lists, listIn(lists, id), position);
      if (position >= lists.length) throw new NotPossible('List could not be moved!');
      await boards.orderLists(moved.map((list) => list.id));
      return moved;
    });
  }

  /** Its issues keep the label. @throws NotFound "Board", "List". */
  async removeList({ project }: Manager, boardId: number, id: number): Promise<void> {
    await this.unitOfWork.execute(async ({ boards }) => {
      const { lists } = await held(boards, project.id, boardId);
      await boards.removeList(listIn(lists, id).id);
    });
  }
}

const held = async (boards: BoardRepository, projectId: ProjectId, id: number): Promise<Board> => {
  await boards.hold(projectId);
  const board = await boards.find(projectId, id);
  if (board === undefined) throw new NotFound('Board');
  return board;
};

const listIn = (lists: readonly BoardList[], id: number): BoardList => {
  const list = lists.find((each) => each.id === id);
  if (list === undefined) throw new NotFound('List');
  return list;
};

const check = (board: Pick<Board, 'name'>): void => {
  const problems = new ProblemCollector();
  checkBoard(problems, board);
  problems.refuse();
};
