import type { LoggedDelivery, WebhookReader } from '../../../../../application/webhooks/ports/webhook-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import type { Webhook } from '../../../../../domain/webhooks/webhook.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toWebhook, type WebhookRow } from './webhook-row.js';

type DeliveryRow = RowOf<'webhook_deliveries'>;

export class KnexWebhookReader implements WebhookReader {
  constructor(private readonly session: Session) {}

  list(projectId: ProjectId, page: PageRequest): Promise<Page<Webhook>> {
    const { query, dialect } = this.session;
    const list = query('webhooks').where({ project_id: projectId }).orderBy('id').select('*');
    return pageOfRows(this.session, list, page, (row: WebhookRow) => toWebhook(row, dialect));
  }

  async find(projectId: ProjectId, id: number): Promise<Webhook | undefined> {
    const { query, dialect } = this.session;
    const row = await query('webhooks').where({ project_id: projectId, id }).first();
    return row && toWebhook(row, dialect);
  }

  deliveries(webhookId: number, page: PageRequest): Promise<Page<LoggedDelivery>> {
    const { query } = this.session;
    const list = query('webhook_deliveries').where({ webhook_id: webhookId }).orderBy('id', 'desc').select('*');
    return pageOfRows(this.session, list, page, (row: DeliveryRow) => this.#toDelivery(row));
  }

  async findDelivery(webhookId: number, id: number): Promise<LoggedDelivery | undefined> {
    const row = await this.session.query('webhook_deliveries').where({ webhook_id: webhookId, id }).first();
    return row && this.#toDelivery(row);
  }

  #toDelivery(row: DeliveryRow): LoggedDelivery {
    return {
      id: row.id,
      uuid: row.uuid,
      event: row.event,
      state: row.state,
      attempts: row.attempts,
      requestBody: row.request_body,
      status: row.response_status,
      responseBody: row.response_body,
      durationMs: row.duration_ms,
      problem: row.problem,
      createdAt: this.session.dialect.readInstant(row.created_at),
    };
  }
}
