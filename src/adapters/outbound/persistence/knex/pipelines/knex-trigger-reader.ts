import type { TriggerDetails, TriggerReader } from '../../../../../application/pipelines/ports/trigger-ports.js';
import type { PipelineTrigger } from '../../../../../domain/pipelines/pipeline-trigger.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type Row = RowOf<'pipeline_triggers'>;

export class KnexTriggerReader implements TriggerReader {
  constructor(private readonly session: Session) {}

  async list(projectId: ProjectId, request: PageRequest): Promise<Page<TriggerDetails>> {
    const list = this.session.query('pipeline_triggers').where({ project_id: projectId }).select('*').orderBy('id');
    const page = await pageOfRows(this.session, list, request, (row: Row) => row);
    return { ...page, items: await this.#withOwners(page.items) };
  }

  async find(projectId: ProjectId, id: number): Promise<TriggerDetails | undefined> {
    const rows = await this.session.query('pipeline_triggers').where({ id, project_id: projectId }).select('*');
    return (await this.#withOwners(rows))[0];
  }

  async findByToken(tokenDigest: string): Promise<PipelineTrigger | undefined> {
    const row = await this.session.query('pipeline_triggers').where({ token_digest: tokenDigest }).first();
    return row && this.#read(row);
  }

  async #withOwners(rows: readonly Row[]): Promise<readonly TriggerDetails[]> {
    const people = await readPeople(
      this.session,
      rows.map(({ owner_id: id }) => id),
    );
    return rows.map((row) => ({
      ...this.#read(row),
      sealedToken: row.sealed_token,
      owner: people.get(row.owner_id) ?? null,
    }));
  }

  #read(row: Row): PipelineTrigger {
    const { dialect } = this.session;
    return {
      id: row.id,
      projectId: row.project_id,
      description: row.description,
      ownerId: row.owner_id,
      createdAt: dialect.readInstant(row.created_at),
      updatedAt: dialect.readInstant(row.updated_at),
      lastUsedAt: row.last_used_at === null ? null : dialect.readInstant(row.last_used_at),
    };
  }
}
