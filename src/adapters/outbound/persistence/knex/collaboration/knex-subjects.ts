import type { Knex } from 'knex';
import type {
  SubjectDetails,
  SubjectRepository,
} from '../../../../../application/collaboration/ports/subject-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import type { Session } from '../session.js';
import type { StoredSubjectKind } from './subject-kind.js';

/** For repositories and readers alike. */
export class KnexSubjects implements SubjectRepository {
  constructor(
    private readonly session: Session,
    private readonly kinds: readonly StoredSubjectKind[],
  ) {}

  async find(id: number): Promise<SubjectDetails | undefined> {
    const row = await this.session.query('subjects').where({ id }).first('kind');
    return row && this.#kind(row.kind)?.find(this.session, id);
  }

  participants({ kind, id }: Pick<Subject, 'kind' | 'id'>): readonly Knex.QueryBuilder[] {
    return this.#kind(kind)?.participants(this.session.query, id) ?? [];
  }

  /** Queries of `id`, one a kind: those of some subjects that the viewer may see. */
  visibleAmong(viewer: Viewer, ids: Knex.QueryBuilder): readonly Knex.QueryBuilder[] {
    return this.kinds.map((kind) => kind.visibleAmong(this.session.query, viewer, ids));
  }

  async removeOfProject(projectId: ProjectId, limit: number): Promise<number> {
    const { query } = this.session;
    const subjects = query('subjects').where({ project_id: projectId });
    const notes = query('notes').whereIn('subject_id', subjects.clone().select('id')).limit(limit).select('id');
    if ((await query('notes').whereIn('id', notes).delete()) === limit) return limit;
    return query('subjects').whereIn('id', subjects.limit(limit).select('id')).delete();
  }

  #kind(wanted: Subject['kind']): StoredSubjectKind | undefined {
    return this.kinds.find(({ kind }) => kind === wanted);
  }
}
