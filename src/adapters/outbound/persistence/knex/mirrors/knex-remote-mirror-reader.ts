import type { RemoteMirrorReader } from '../../../../../application/mirrors/ports/mirror-ports.js';
import type { RemoteMirror } from '../../../../../domain/mirrors/remote-mirror.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { toMirror, type MirrorRow } from './mirror-row.js';

export class KnexRemoteMirrorReader implements RemoteMirrorReader {
  constructor(private readonly session: Session) {}

  list(projectId: ProjectId, page: PageRequest): Promise<Page<RemoteMirror>> {
    const { query, dialect } = this.session;
    const list = query('remote_mirrors').where({ project_id: projectId }).orderBy('id').select('*');
    return pageOfRows(this.session, list, page, (row: MirrorRow) => toMirror(row, dialect));
  }

  async find(projectId: ProjectId, id: number): Promise<RemoteMirror | undefined> {
    const { query, dialect } = this.session;
    const row = await query('remote_mirrors').where({ project_id: projectId, id }).first();
    return row && toMirror(row, dialect);
  }
}
