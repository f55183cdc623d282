import type { IssueLinkRepository } from '../../../../../application/planning/ports/issue-links.js';
import type { IssueLink } from '../../../../../domain/planning/issue-link.js';
import type { Session } from '../session.js';

export class KnexIssueLinkRepository implements IssueLinkRepository {
  constructor(private readonly session: Session) {}

  async areLinked(one: number, other: number): Promise<boolean> {
    const link = await this.session
      .query('issue_links')
      .where({ source_id: one, target_id: other })
      .orWhere({ source_id: other, target_id: one })
      .first('id');
    return link !== undefined;
  }

  async add({ sourceId, targetId, type }: IssueLink, at: Date): Promise<number> {
    const { query, dialect } = this.session;
    const [row] = await query('issue_links')
      .insert({ source_id: sourceId, target_id: targetId, type, created_at: dialect.writeInstant(at) })
      .returning('id');
    return row!.id;
  }

  async moveAll(fromId: number, toId: number): Promise<void> {
    const { query } = this.session;
    for (const end of ['source_id', 'target_id'] as const)
      await query('issue_links')
        .where({ [end]: fromId })
        .update({ [end]: toId });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('issue_links').where({ id }).delete();
  }
}
