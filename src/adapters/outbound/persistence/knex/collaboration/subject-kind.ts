import type { Knex } from 'knex';
import type { SubjectDetails } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import type { Session } from '../session.js';

/** What each kind of subject contributes: how it is read from its own tables. */
export interface StoredSubjectKind {
  readonly kind: SubjectKind;
  /** A query of `id`: the rows of some subjects in its own table, which works hold that change one. */
  readonly ownRows: (query: Knex, ids: readonly number[]) => Knex.QueryBuilder;
  /** Those of some that are there, by one statement a table, in any order. */
  findAll(session: Session, ids: readonly number[]): Promise<readonly SubjectDetails[]>;
  /** A query of `id`: those of some subjects that the viewer may see. @param ids a query of them. */
  visibleAmong(query: Knex, viewer: Viewer, ids: Knex.QueryBuilder): Knex.QueryBuilder;
  /** Queries of `user_id`: whoever takes part in a subject by what its own tables say, as its author does. */
  participants(query: Knex, id: number): readonly Knex.QueryBuilder[];
}
