import type { BoardRepository } from '../../../../../application/planning/ports/board-ports.js';
import { LABEL_NOT_FOUND, type Board, type BoardList } from '../../../../../domain/planning/board.js';
import type { Label } from '../../../../../domain/planning/label.js';
import { NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toLabel } from './knex-label-repository.js';
import { useLabels } from './use-labels.js';

type Row = RowOf<'boards'>;
type ListRow = RowOf<'labels'> & { readonly board_id: number; readonly list_id: number };

const toBoard = ({ id, project_id: projectId, name }: Row, lists: readonly BoardList[]): Board => ({
  id,
  projectId,
  name,
  lists,
});

/** For a repository and a reader alike. */
export class KnexBoards implements BoardRepository {
  constructor(private readonly session: Session) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`boards of ${projectId}`);
  }

  async ofProject(projectId: ProjectId): Promise<readonly Board[]> {
    const rows = await this.session.query('boards').where({ project_id: projectId }).orderBy('id');
    return this.#withLists(rows);
  }

  async find(projectId: ProjectId, id: number): Promise<Board | undefined> {
    const rows = await this.session.query('boards').where({ project_id: projectId, id });
    return (await this.#withLists(rows))[0];
  }

  async add(projectId: ProjectId, name: string, at: Date): Promise<Board> {
    const { query, dialect } = this.session;
    const written = dialect.writeInstant(at);
    const [row] = await query('boards')
      .insert({ project_id: projectId, name, created_at: written, updated_at: written })
      .returning('*');
    return toBoard(row!, []);
  }

  async rename(id: number, name: string, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('boards')
      .where({ id })
      .update({ name, updated_at: dialect.writeInstant(at) });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('boards').where({ id }).delete();
  }

  async addList(
    { id: boardId, projectId }: Pick<Board, 'id' | 'projectId'>,
    { name }: Pick<Label, 'name'>,
  ): Promise<number> {
    const { query } = this.session;
    // Of one of a group the project may have no row yet.
    const [labelId] = await useLabels(this.session, { projectId }, [name]);
    if (labelId === undefined) throw new NotPossible(LABEL_NOT_FOUND);
    const last = await query('board_lists').where({ board_id: boardId }).orderBy('position', 'desc').first('position');
    const position = last === undefined ? 0 : last.position + 1;
    const [row] = await query('board_lists').insert({ board_id: boardId, label_id: labelId, position }).returning('id');
    return row!.id;
  }

  async orderLists(ids: readonly number[]): Promise<void> {
    for (const [position, id] of ids.entries())
      await this.session.query('board_lists').where({ id }).update({ position });
  }

  async removeList(id: number): Promise<void> {
    await this.session.query('board_lists').where({ id }).delete();
  }

  async #withLists(rows: readonly Row[]): Promise<readonly Board[]> {
    if (rows.length === 0) return [];
    const found = (await this.session
      .query('board_lists')
      .join('labels', 'labels.id', 'board_lists.label_id')
      .whereIn(
        'board_id',
        rows.map(({ id }) => id),
      )
      .orderBy('position')
      .orderBy('board_lists.id')
      .select('labels.*', 'board_id', { list_id: 'board_lists.id' })) as unknown as readonly ListRow[];
    const lists = Map.groupBy(found, ({ board_id: boardId }) => boardId);
    return rows.map((row) =>
      toBoard(
        row,
        (lists.get(row.id) ?? []).map((list) => ({ id: list.list_id, label: toLabel(list) })),
      ),
    );
  }
}
