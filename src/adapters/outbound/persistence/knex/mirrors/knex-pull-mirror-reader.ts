import type { PullMirrorReader } from '../../../../../application/mirrors/ports/pull-mirror-ports.js';
import type { PullMirror } from '../../../../../domain/mirrors/pull-mirror.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { toPullMirror } from './pull-mirror-row.js';

export class KnexPullMirrorReader implements PullMirrorReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId): Promise<PullMirror | undefined> {
    const { query, dialect } = this.session;
    const row = await query('pull_mirrors').where({ project_id: projectId }).first();
    return row && toPullMirror(row, dialect);
  }
}
