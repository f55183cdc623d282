import { randomUUID } from 'node:crypto';
import type {
  DeliveryOutcome,
  DueDelivery,
  NewDelivery,
  WebhookDeliveryRepository,
} from '../../../../../application/webhooks/ports/webhook-ports.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { WebhookFacts } from '../../../../../domain/webhooks/webhook.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toWebhook } from './webhook-row.js';

type DeliveryRow = RowOf<'webhook_deliveries'>;

/** For who looks for what was sent. */
const KEPT_MS = 7 * 24 * 3_600_000;

export class KnexWebhookDeliveryRepository implements WebhookDeliveryRepository {
  constructor(private readonly session: Session) {}

  add({ webhookId, event, facts, at }: NewDelivery): Promise<number> {
    return this.#insert({ webhook_id: webhookId, event, facts: JSON.stringify(facts) }, at);
  }

  async repeat(id: number, at: Date): Promise<number> {
    const row = await this.session.query('webhook_deliveries').where({ id }).first();
    if (row === undefined) throw new NotFound();
    const { webhook_id, event, facts, request_body } = row;
    return this.#insert({ webhook_id, event, facts, request_body }, at);
  }

  async lease(
    now: Date,
    until: Date,
    which: { readonly limit: number } | { readonly id: number },
  ): Promise<readonly DueDelivery[]> {
    const { query, dialect } = this.session;
    const due = query('webhook_deliveries')
      .where({ state: 'waiting' })
      .where('due_at', '<=', dialect.writeInstant(now))
      .orderBy('due_at')
      .orderBy('id')
      .limit('limit' in which ? which.limit : 1);
    if ('id' in which) void due.where({ id: which.id });
    const rows = (await dialect.holdRows(due)) as DeliveryRow[];
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await query('webhook_deliveries')
      .whereIn('id', ids)
      .update({ due_at: dialect.writeInstant(until) })
      .increment('attempts', 1);
    const webhooks = await query('webhooks').whereIn('id', [...new Set(rows.map((row) => row.webhook_id))]);
    return rows.flatMap((row) => {
      const webhook = webhooks.find(({ id }) => id === row.webhook_id);
      if (webhook === undefined) return [];
      return {
        id: row.id,
        uuid: row.uuid,
        event: row.event,
        facts: JSON.parse(row.facts) as WebhookFacts,
        attempts: row.attempts + 1,
        body: row.request_body,
        webhook: toWebhook(webhook, dialect),
        sealedToken: webhook.sealed_token,
      };
    });
  }

  async note(id: number, outcome: DeliveryOutcome): Promise<void> {
    const { query, dialect } = this.session;
    await query('webhook_deliveries')
      .where({ id })
      .update({
        state: outcome.state,
        due_at: dialect.writeInstant(outcome.dueAt),
        request_body: outcome.body,
        response_status: outcome.status,
        response_body: outcome.responseBody,
        duration_ms: outcome.durationMs,
        problem: outcome.problem,
      });
  }

  async #insert(
    row: Pick<DeliveryRow, 'webhook_id' | 'event' | 'facts'> & Partial<Pick<DeliveryRow, 'request_body'>>,
    at: Date,
  ): Promise<number> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const [added] = await query('webhook_deliveries')
      .insert({
        ...row,
        uuid: randomUUID(),
        state: 'waiting',
        attempts: 0,
        due_at: instant,
        created_at: instant,
        expires_at: dialect.writeInstant(new Date(at.getTime() + KEPT_MS)),
      })
      .returning('id');
    return added!.id;
  }
}
