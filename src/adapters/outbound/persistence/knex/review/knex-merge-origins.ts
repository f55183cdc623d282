import type { MergeOrigins } from '../../../../../application/repositories/ports/merge-origins.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexMergeOrigins implements MergeOrigins {
  constructor(private readonly session: Session) {}

  async referenceOf(projectId: ProjectId, commit: ObjectId): Promise<string | undefined> {
    const row = await this.session
      .query('merge_requests')
      .where({ project_id: projectId, merge_commit_sha: commit })
      .orderBy('id')
      .first('iid');
    return row && `!${row.iid}`;
  }
}
