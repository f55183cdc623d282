import type { RefChangers } from '../../../../../application/repositories/ports/ref-changers.js';
import type { RefChanger } from '../../../../../domain/repositories/protected-ref.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { levelsIn } from '../visibility/levels.js';

export class KnexRefChangers implements RefChangers {
  constructor(private readonly session: Session) {}

  async find(userId: UserId, id: ProjectId, today: string): Promise<RefChanger> {
    const { query } = this.session;
    const user = await query('users').where({ id: userId, state: 'active' }).first('admin');
    const project = await query('projects').where({ id }).first('namespace_id');
    if (user === undefined || project === undefined) return { level: ACCESS_LEVEL.none, admin: false };
    const admin = Boolean(user.admin);
    const place = { id, namespaceId: project.namespace_id };
    return { level: admin ? ACCESS_LEVEL.owner : await this.#level(userId, place, today), admin };
  }

  async #level(
    userId: UserId,
    place: { readonly id: ProjectId; readonly namespaceId: NamespaceId },
    today: string,
  ): Promise<number> {
    const [first, ...others] = levelsIn(this.session.query, place, { today, of: [userId] });
    const rows = (await first!.unionAll(others)) as { level: number }[];
    return Math.max(ACCESS_LEVEL.none, ...rows.map(({ level }) => level));
  }
}
