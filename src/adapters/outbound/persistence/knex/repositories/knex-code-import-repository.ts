import type {
  AskedImport,
  CodeImport,
  CodeImportReader,
  CodeImportRepository,
  ImportHindrance,
  ImportLease,
} from '../../../../../application/repositories/ports/code-imports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexCodeImportRepository implements CodeImportRepository {
  constructor(
    private readonly session: Session,
    private readonly noteImport: () => void,
  ) {}

  async ask(ask: AskedImport, at: Date): Promise<void> {
    await this.session.query('code_imports').insert({ project_id: ask.projectId, ...this.#columnsOf(ask, at) });
    this.noteImport();
  }

  async askAgain(ask: AskedImport, at: Date): Promise<boolean> {
    const failed = this.session.query('code_imports').where({ project_id: ask.projectId }).whereNull('due_at');
    if ((await failed.update(this.#columnsOf(ask, at))) === 0) return false;
    this.noteImport();
    return true;
  }

  #columnsOf({ userId, remote }: AskedImport, at: Date) {
    return {
      user_id: userId,
      url: remote.url,
      sealed_credentials: remote.sealedCredentials,
      attempts: 0,
      due_at: this.session.dialect.writeInstant(at),
      held_by: null,
    };
  }

  async lease({ holder, now, until, exceptUsers }: ImportLease): Promise<CodeImport | undefined> {
    const { query, dialect } = this.session;
    const due = query('code_imports')
      .where('due_at', '<=', dialect.writeInstant(now))
      .where((one) => void one.whereNull('user_id').orWhereNotIn('user_id', [...exceptUsers]))
      .whereIn('project_id', this.#there())
      .orderBy('due_at')
      .limit(1);
    const [row] = await dialect.holdRows(due);
    if (row === undefined) return undefined;
    const attempts = row.attempts + 1;
    await query('code_imports')
      .where({ project_id: row.project_id })
      .update({ due_at: dialect.writeInstant(until), held_by: holder, attempts });
    const remote = { url: row.url, sealedCredentials: row.sealed_credentials };
    return { projectId: row.project_id, userId: row.user_id, remote, attempts };
  }

  async renew(projectId: ProjectId, holder: string, until: Date): Promise<boolean> {
    if ((await this.hindranceOf(projectId)) !== undefined) return false;
    const held = this.#held(projectId, holder).whereIn('project_id', this.#there());
    return (await held.update({ due_at: this.session.dialect.writeInstant(until) })) === 1;
  }

  async hindranceOf(projectId: ProjectId): Promise<ImportHindrance | undefined> {
    const { query } = this.session;
    const own = query('code_imports').where({ project_id: projectId });
    const archived = query('projects').whereIn('id', own.clone().select('project_id')).where({ archived: true });
    if ((await archived.first('id')) !== undefined) return 'archived';
    const blocked = query('users').whereIn('id', own.clone().select('user_id')).where({ state: 'blocked' });
    return (await blocked.first('id')) === undefined ? undefined : 'blocked';
  }

  async postpone(projectId: ProjectId, holder: string, dueAt: Date): Promise<void> {
    const due = this.session.dialect.writeInstant(dueAt);
    await this.#held(projectId, holder).update({ due_at: due, held_by: null });
  }

  async end(projectId: ProjectId, holder: string): Promise<boolean> {
    return (await this.#held(projectId, holder).delete()) === 1;
  }

  async giveUp(projectId: ProjectId, holder: string): Promise<boolean> {
    const nothing = { due_at: null, held_by: null, sealed_credentials: null };
    return (await this.#held(projectId, holder).update(nothing)) === 1;
  }

  /** Projects that are not about to be removed. */
  #there() {
    return this.session.query('projects').whereNull('removal_requested_at').select('id');
  }

  #held(projectId: ProjectId, holder: string) {
    return this.session.query('code_imports').where({ project_id: projectId, held_by: holder });
  }
}

export class KnexCodeImportReader implements CodeImportReader {
  constructor(private readonly session: Session) {}

  async urlOf(projectId: ProjectId): Promise<string | undefined> {
    const row = await this.session.query('code_imports').where({ project_id: projectId }).first('url');
    return row?.url;
  }
}
