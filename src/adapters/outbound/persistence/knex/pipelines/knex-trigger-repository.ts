import type { NewTrigger, TriggerRepository } from '../../../../../application/pipelines/ports/trigger-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexTriggerRepository implements TriggerRepository {
  constructor(private readonly session: Session) {}

  async holdAndCount(projectId: ProjectId): Promise<number> {
    await this.session.hold(`triggers of ${projectId}`);
    const [row] = await this.session.query('pipeline_triggers').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async add({ projectId, description, ownerId, createdAt, tokenDigest, sealedToken }: NewTrigger): Promise<number> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(createdAt);
    const [row] = await query('pipeline_triggers')
      .insert({
        project_id: projectId,
        description,
        owner_id: ownerId,
        token_digest: tokenDigest,
        sealed_token: sealedToken,
        created_at: at,
        updated_at: at,
      })
      .returning('id');
    return row!.id;
  }

  async describe(projectId: ProjectId, id: number, description: string, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const one = query('pipeline_triggers').where({ id, project_id: projectId });
    return (await one.update({ description, updated_at: dialect.writeInstant(at) })) === 1;
  }

  async remove(projectId: ProjectId, id: number): Promise<boolean> {
    return (await this.session.query('pipeline_triggers').where({ id, project_id: projectId }).delete()) === 1;
  }

  async used(id: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('pipeline_triggers')
      .where({ id })
      .update({ last_used_at: dialect.writeInstant(at) });
  }
}
