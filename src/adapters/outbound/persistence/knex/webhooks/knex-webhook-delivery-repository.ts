import { randomUUID } from 'node:crypto';
import type {
  DeliveryOutcome,
  DueDelivery,
  DueOnes,
  NewDelivery,
  WebhookDeliveryRepository,
} from '../../../../../application/webhooks/ports/webhook-ports.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { WebhookFacts } from '../../../../../domain/webhooks/webhook.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toHeldWebhook } from './webhook-row.js';

type DeliveryRow = RowOf<'webhook_deliveries'>;

/** For who looks for what was sent. */
const KEPT_MS = 7 * 24 * 3_600_000;

const INSERT = insertInto(
  'webhook_deliveries',
  ['webhook_id', 'event', 'facts', 'request_body', 'uuid', 'state', 'attempts', 'due_at', 'created_at', 'expires_at'],
  'returning id',
);

export class KnexWebhookDeliveryRepository implements WebhookDeliveryRepository {
  constructor(
    private readonly session: Session,
    private readonly noteDelivery: () => void,
  ) {}

  add(deliveries: readonly NewDelivery[]): Promise<readonly number[]> {
    return this.#insert(
      deliveries.map(({ webhookId, event, facts, at }) => ({
        webhook_id: webhookId,
        event,
        facts: JSON.stringify(facts),
        request_body: null,
        at,
      })),
    );
  }

  async repeat(id: number, at: Date): Promise<number> {
    const row = await this.session.query('webhook_deliveries').where({ id }).first();
    if (row === undefined) throw new NotFound();
    const { webhook_id, event, facts, request_body } = row;
    const [repeated] = await this.#insert([{ webhook_id, event, facts, request_body, at }]);
    return repeated!;
  }

  async lease(now: Date, until: Date, which: DueOnes | { readonly id: number }): Promise<readonly DueDelivery[]> {
    const { query, dialect } = this.session;
    const due = query('webhook_deliveries')
      .where({ state: 'waiting' })
      .where('due_at', '<=', dialect.writeInstant(now))
      .orderBy('due_at')
      .orderBy('id')
      .limit('limit' in which ? which.limit : 1);
    if ('id' in which) void due.where({ id: which.id });
    else if (which.exceptProjects !== undefined && which.exceptProjects.length > 0)
      void due.whereNotIn(
        'webhook_id',
        query('webhooks')
          .whereIn('project_id', [...which.exceptProjects])
          .select('id'),
      );
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
        webhook: toHeldWebhook(webhook, dialect),
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
    deliveries: readonly (Pick<DeliveryRow, 'webhook_id' | 'event' | 'facts' | 'request_body'> & {
      readonly at: Date;
    })[],
  ): Promise<readonly number[]> {
    const { dialect } = this.session;
    const rows = deliveries.map(({ webhook_id, event, facts, request_body, at }) => {
      const instant = dialect.writeInstant(at);
      const expires = dialect.writeInstant(new Date(at.getTime() + KEPT_MS));
      return [webhook_id, event, facts, request_body, randomUUID(), 'waiting', 0, instant, instant, expires];
    });
    const added = await INSERT<{ readonly id: number }>(this.session, rows);
    this.noteDelivery();
    return added.map(({ id }) => id);
  }
}
