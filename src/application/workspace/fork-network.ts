import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Actor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { ProjectRelationsReader } from './ports/project-relations.js';
import type { WorkspaceAccess } from './workspace-access.js';

/** Which projects belong together by forks, as far as somebody sees it. */
export class ForkNetwork {
  constructor(
    private readonly access: WorkspaceAccess,
    private readonly relations: Pick<ProjectRelationsReader, 'relationsOf'>,
  ) {}

  /** Whether one project is a fork of the other, or both are of a third that they see. */
  async areRelated(actor: Actor, one: ProjectId, other: ProjectId): Promise<boolean> {
    const found = await this.relations.relationsOf(this.access.viewer(actor), [one, other]);
    const sourceOf = (id: ProjectId) => found.get(id)?.forkedFrom?.project.id ?? id;
    return sourceOf(one) === sourceOf(other) || sourceOf(one) === other || sourceOf(other) === one;
  }

  /**
   * The code of a project that is related to this one, or of this one itself. Undefined for any other, seen or not: nobody learns which are
   * there.
   * @param name the number, or the full path.
   * @throws Forbidden for who sees the project, and may not read its code.
   */
  async codeOf(actor: Actor, { id }: Project, name: string): Promise<Permitted<'read_code'> | undefined> {
    try {
      const seen = await this.access.project(actor, name, 'read_project');
      const isRelated = seen.project.id === id || (await this.areRelated(actor, seen.project.id, id));
      return isRelated ? this.access.also(actor, seen, 'read_code') : undefined;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}
