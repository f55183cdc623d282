import type { RefChangers } from '../../../../../application/repositories/ports/ref-changers.js';
import type { RefChanger } from '../../../../../domain/repositories/protected-ref.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { levelsIn } from '../visibility/levels.js';

export class KnexRefChangers implements RefChangers {
  constructor(private readonly session: Session) {}

  async find(userId: UserId, id: ProjectId, today: string): Promise<RefChanger> {
    const [both] = await this.session.run<{ admin: boolean | number; namespace_id: NamespaceId }>(
      `select users.admin, projects.namespace_id from users, projects
       where users.id = ? and users.state = 'active' and projects.id = ?`,
      [userId, id],
    );
    if (both === undefined) return { level: ACCESS_LEVEL.none, admin: false };
    const admin = Boolean(both.admin);
    const place = { id, namespaceId: both.namespace_id };
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
