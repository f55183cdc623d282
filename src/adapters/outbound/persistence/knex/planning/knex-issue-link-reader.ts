import type { Knex } from 'knex';
import type { IssueLinkReader, LinkedIssue } from '../../../../../application/planning/ports/issue-links.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { visibleIssues } from './visible-issues.js';

type LinkedRow = RowOf<'issue_links'> & { readonly project_id: ProjectId; readonly iid: number };

export class KnexIssueLinkReader implements IssueLinkReader {
  constructor(private readonly session: Session) {}

  list(issueId: number, viewer: Viewer, page: PageRequest): Promise<Page<LinkedIssue>> {
    const list = this.#visible(issueId, viewer).orderBy('issue_links.id');
    return pageOfRows(this.session, list, page, (row: LinkedRow) => this.#toLink(row));
  }

  async find(issueId: number, id: number, viewer: Viewer): Promise<LinkedIssue | undefined> {
    const row = (await this.#visible(issueId, viewer).where('issue_links.id', id).first()) as LinkedRow | undefined;
    return row && this.#toLink(row);
  }

  #visible(issueId: number, viewer: Viewer): Knex.QueryBuilder {
    const other = 'case when issue_links.source_id = ? then issue_links.target_id else issue_links.source_id end';
    return visibleIssues(this.session.query, viewer, (links) =>
      links
        .from('issue_links')
        .joinRaw(`join issues on issues.id = ${other}`, [issueId])
        .join('projects', 'projects.id', 'issues.project_id'),
    )
      .where((ofIssue) => void ofIssue.where('source_id', issueId).orWhere('target_id', issueId))
      .select('issue_links.*', 'issues.project_id', 'issues.iid');
  }

  #toLink(row: LinkedRow): LinkedIssue {
    return {
      id: row.id,
      sourceId: row.source_id,
      targetId: row.target_id,
      type: row.type,
      createdAt: this.session.dialect.readInstant(row.created_at),
      other: { projectId: row.project_id, iid: row.iid },
    };
  }
}
