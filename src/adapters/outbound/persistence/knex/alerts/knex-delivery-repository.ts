import type { Knex } from 'knex';
import type { Delivery, DeliveryRepository } from '../../../../../application/alerts/ports/alert-repositories.js';
import { insertRows } from '../insert-rows.js';
import type { Session } from '../session.js';

const COLUMNS = ['integration_id', 'outcome', 'reason', 'status', 'alert_iids', 'payload', 'received_at', 'expires_at'];

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
/** What the index of alerts with many events knows. */
const MANY_EVENTS = 1_000;

export class KnexDeliveryRepository implements DeliveryRepository {
  constructor(private readonly session: Session) {}

  add(deliveries: readonly Delivery[]): Promise<void> {
    const { dialect } = this.session;
    const rows = deliveries.map((delivery) => [
      delivery.integrationId,
      delivery.outcome,
      delivery.reason,
      delivery.status,
      JSON.stringify(delivery.alertIids),
      delivery.payload,
      dialect.writeInstant(delivery.receivedAt),
      dialect.writeInstant(new Date(delivery.receivedAt.getTime() + KEPT_DAYS * DAY_MS)),
    ]);
    return insertRows(this.session, 'alert_deliveries', COLUMNS, rows);
  }

  async claim(
    { integrationId, keyDigest, bodyDigest }: Parameters<DeliveryRepository['claim']>[0],
    expiresAt: Date,
  ): ReturnType<DeliveryRepository['claim']> {
    const { query, dialect } = this.session;
    const key = { integration_id: integrationId, key_digest: keyDigest };
    const claimed = await query('alert_idempotency_keys')
      .insert({ ...key, body_digest: bodyDigest, expires_at: dialect.writeInstant(expiresAt) })
      .onConflict(['integration_id', 'key_digest'])
      .ignore()
      .returning('id');
    if (claimed.length > 0) return 'new';
    const [row] = await query('alert_idempotency_keys').where(key);
    return { bodyDigest: row?.body_digest ?? '', answer: row?.answer ?? null };
  }

  async trim(
    { requests, payloads, arrivals }: Parameters<DeliveryRepository['trim']>[0],
    limit: number,
  ): Promise<number> {
    const { query } = this.session;
    const integrations = await this.#ids(query('alert_integrations').select('id'));
    const busy = await this.#ids(query('alerts').where('events', '>', MANY_EVENTS).select('id'));
    const [log, heard] = [query('alert_deliveries'), query('alert_arrivals')];
    const old = await this.#beyond(log, 'integration_id', integrations, requests, limit);
    const whole = log.clone().whereNotNull('payload');
    const emptied = await this.#beyond(whole, 'integration_id', integrations, payloads, limit);
    const arrived = await this.#beyond(heard, 'alert_id', busy, arrivals, limit);
    await query('alert_deliveries').whereIn('id', old).delete();
    await query('alert_deliveries').whereIn('id', emptied).update({ payload: null });
    await query('alert_arrivals').whereIn('id', arrived).delete();
    return old.length + emptied.length + arrived.length;
  }

  /** The ids of at most `limit` rows that are not among the latest `kept` of their owners. */
  async #beyond(
    rows: Knex.QueryBuilder,
    owner: string,
    owners: readonly number[],
    kept: number,
    limit: number,
  ): Promise<number[]> {
    const beyond: number[] = [];
    for (const id of owners) {
      if (beyond.length >= limit) break;
      const older = rows.clone().where(owner, id).orderBy('id', 'desc').offset(kept);
      beyond.push(...(await this.#ids(older.limit(limit - beyond.length).select('id'))));
    }
    return beyond;
  }

  async #ids(query: Knex.QueryBuilder): Promise<number[]> {
    return ((await query) as { id: number }[]).map(({ id }) => id);
  }

  async answer(integrationId: number, keyDigest: string, answer: string): Promise<void> {
    await this.session
      .query('alert_idempotency_keys')
      .where({ integration_id: integrationId, key_digest: keyDigest })
      .update({ answer });
  }
}
