import type {
  CodeWork,
  CodeWorkRepository,
  CodeWorkRequest,
  HoldOfWork,
} from '../../../../../application/repositories/ports/repository-repositories.js';
import type { Session } from '../session.js';

export class KnexCodeWorkRepository implements CodeWorkRepository {
  constructor(
    private readonly session: Session,
    private readonly noteWork: () => void,
  ) {}

  async add({ projectId, userId, kind, payload }: CodeWorkRequest, at: Date): Promise<void> {
    const now = this.session.dialect.writeInstant(at);
    await this.session.run(
      `insert into code_works (project_id, user_id, kind, payload, attempts, run_at, created_at)
       values (?, ?, ?, ?, 0, ?, ?)`,
      [projectId, userId, kind, JSON.stringify(payload), now, now],
    );
    this.noteWork();
  }

  async take({ holder, now, until, begunUntil }: HoldOfWork): Promise<CodeWork | undefined> {
    const { query, dialect } = this.session;
    const due = query('code_works')
      .where('run_at', '<=', dialect.writeInstant(now))
      .whereNotExists(this.#before(now, begunUntil))
      .orderBy('run_at')
      .orderBy('id')
      .limit(1);
    const [row] = await dialect.holdRows(due);
    if (row === undefined) return undefined;
    await this.session.run('update code_works set held_by = ?, run_at = ? where id = ?', [
      holder,
      dialect.writeInstant(until),
      row.id,
    ]);
    const { id, attempts, project_id: projectId, user_id: userId, kind } = row;
    return { id, attempts, projectId, userId, kind, payload: JSON.parse(row.payload) as unknown } as CodeWork;
  }

  /** Due or begun before it: of two pushes the first has the first pipeline, whoever makes them. */
  #before(now: Date, begunUntil: Date) {
    const { query, dialect } = this.session;
    return query({ before: 'code_works' })
      .whereRaw('before.project_id = code_works.project_id and before.kind = code_works.kind')
      .whereRaw('before.id < code_works.id')
      .where(
        (either) =>
          void either
            .where('before.run_at', '<=', dialect.writeInstant(now))
            .orWhere(
              (begun) =>
                void begun.whereNotNull('before.held_by').where('before.run_at', '>', dialect.writeInstant(begunUntil)),
            ),
      )
      .select('before.id');
  }

  async finish(id: number, holder: string): Promise<boolean> {
    const finished = await this.session.run('delete from code_works where id = ? and held_by = ? returning id', [
      id,
      holder,
    ]);
    return finished.length === 1;
  }

  async postpone(id: number, runAt: Date): Promise<void> {
    await this.session
      .query('code_works')
      .where({ id })
      .update({ held_by: null, run_at: this.session.dialect.writeInstant(runAt) })
      .increment('attempts', 1);
  }
}
