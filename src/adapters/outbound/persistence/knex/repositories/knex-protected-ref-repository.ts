import type { ProtectedRefRepository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type {
  ProtectedBranch,
  ProtectedTag,
  ProtectionLevel,
} from '../../../../../domain/repositories/protected-ref.js';
import { Conflict, Unprocessable } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type BranchRow = Pick<RowOf<'protected_branches'>, 'id' | 'name' | 'push_level' | 'merge_level' | 'allow_force_push'>;

type TagRow = Pick<RowOf<'protected_tags'>, 'id' | 'name' | 'create_level'>;

export class KnexProtectedRefRepository implements ProtectedRefRepository {
  constructor(private readonly session: Session) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`protected refs of ${projectId}`);
  }

  async branchesOf(projectId: ProjectId): Promise<readonly (ProtectedBranch & { readonly id: number })[]> {
    const rows = await this.session.run<BranchRow>(
      `select id, name, push_level, merge_level, allow_force_push from protected_branches where project_id = ? order by name`,
      [projectId],
    );
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      pushLevel: row.push_level as ProtectionLevel,
      mergeLevel: row.merge_level as ProtectionLevel,
      allowForcePush: Boolean(row.allow_force_push),
    }));
  }

  async tagsOf(projectId: ProjectId): Promise<readonly (ProtectedTag & { readonly id: number })[]> {
    const rows = await this.session.run<TagRow>(
      'select id, name, create_level from protected_tags where project_id = ? order by name',
      [projectId],
    );
    return rows.map((row) => ({ id: row.id, name: row.name, createLevel: row.create_level as ProtectionLevel }));
  }

  async addBranch(projectId: ProjectId, branch: ProtectedBranch, at: Date): Promise<number> {
    const insert = this.session
      .query('protected_branches')
      .insert({
        project_id: projectId,
        name: branch.name,
        push_level: branch.pushLevel,
        merge_level: branch.mergeLevel,
        allow_force_push: branch.allowForcePush,
        created_at: this.session.dialect.writeInstant(at),
      })
      .returning('id');
    const [row] = (await onUniqueViolation(insert, {
      protected_branches_project_id_name_unique: () => new Conflict(`Protected branch '${branch.name}' already exists`),
    })) as { id: number }[];
    return row!.id;
  }

  async updateBranch(
    projectId: ProjectId,
    name: string,
    { pushLevel, mergeLevel, allowForcePush }: Partial<Omit<ProtectedBranch, 'name'>>,
  ): Promise<boolean> {
    const changes = {
      ...(pushLevel === undefined ? {} : { push_level: pushLevel }),
      ...(mergeLevel === undefined ? {} : { merge_level: mergeLevel }),
      ...(allowForcePush === undefined ? {} : { allow_force_push: allowForcePush }),
    };
    const row = this.session.query('protected_branches').where({ project_id: projectId, name });
    if (Object.keys(changes).length === 0) return (await row.first('id')) !== undefined;
    return (await row.update(changes)) === 1;
  }

  async removeBranch(projectId: ProjectId, name: string): Promise<boolean> {
    return (await this.session.query('protected_branches').where({ project_id: projectId, name }).delete()) === 1;
  }

  async addTag(projectId: ProjectId, tag: ProtectedTag, at: Date): Promise<number> {
    const insert = this.session
      .query('protected_tags')
      .insert({
        project_id: projectId,
        name: tag.name,
        create_level: tag.createLevel,
        created_at: this.session.dialect.writeInstant(at),
      })
      .returning('id');
    const [row] = (await onUniqueViolation(insert, {
      protected_tags_project_id_name_unique: () => new Unprocessable('Name has already been taken'),
    })) as { id: number }[];
    return row!.id;
  }

  async removeTag(projectId: ProjectId, name: string): Promise<boolean> {
    return (await this.session.query('protected_tags').where({ project_id: projectId, name }).delete()) === 1;
  }
}
