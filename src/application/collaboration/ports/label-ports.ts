import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Subject } from '../../../domain/shared/subject.js';

export interface SubjectLabelRepository {
  /** The names of the labels that a subject has. */
  namesOf(subjectId: number): Promise<readonly string[]>;
  /**
   * Gives a subject these labels of its project, or of the nearest group above that has one, and takes all others away.
   *
   * @param color of the labels that are created because there are none yet; with null these are ignored.
   * @returns the ids of those that it has now, of those of them that it did not have, and of those that it no longer has.
   */
  set(
    subject: Pick<Subject, 'id' | 'projectId'>,
    names: readonly string[],
    color: string | null,
    at: Date,
  ): Promise<{
    readonly all: readonly number[];
    readonly added: readonly number[];
    readonly removed: readonly number[];
  }>;
  /** The labels that these names mean in a project, created where there are none yet. @returns their ids. */
  ensure(projectId: ProjectId, names: readonly string[], color: string, at: Date): Promise<readonly number[]>;
  /** Makes labels of groups that a subject has labels of another project, where these groups are not above that one. */
  copyThoseOfGroups(subjectId: number, projectId: ProjectId): Promise<void>;
  /** Gives labels of their project to subjects that have none yet. */
  give(subjectIds: readonly number[], labelIds: readonly number[]): Promise<void>;
}
