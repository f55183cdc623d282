import type { Delivery, DeliveryRepository } from '../../../../../application/alerts/ports/alert-repositories.js';
import type { Session } from '../session.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

export class KnexDeliveryRepository implements DeliveryRepository {
  constructor(private readonly session: Session) {}

  async add(delivery: Delivery): Promise<void> {
    const { query, dialect } = this.session;
    await query('alert_deliveries').insert({
      integration_id: delivery.integrationId,
      outcome: delivery.outcome,
      reason: delivery.reason,
      status: delivery.status,
      alert_iids: JSON.stringify(delivery.alertIids),
      payload: delivery.payload,
      received_at: dialect.writeInstant(delivery.receivedAt),
      expires_at: dialect.writeInstant(new Date(delivery.receivedAt.getTime() + KEPT_DAYS * DAY_MS)),
    });
  }

  async claim(
    { integrationId, keyDigest, bodyDigest }: Parameters<DeliveryRepository['claim']>[0],
    expiresAt: Date,
  ): ReturnType<DeliveryRepository['claim']> {
    const { query, dialect } = this.session;
    const key = { integration_id: integrationId, key_digest: keyDigest };
    const claimed = (await query('alert_idempotency_keys')
      .insert({ ...key, body_digest: bodyDigest, expires_at: dialect.writeInstant(expiresAt) })
      .onConflict(['integration_id', 'key_digest'])
      .ignore()
      .returning('id')) as unknown[];
    if (claimed.length > 0) return 'new';
    const [row] = (await query('alert_idempotency_keys').where(key)) as {
      body_digest: string;
      answer: string | null;
    }[];
    return { bodyDigest: row?.body_digest ?? '', answer: row?.answer ?? null };
  }

  async answer(integrationId: number, keyDigest: string, answer: string): Promise<void> {
    await this.session
      .query('alert_idempotency_keys')
      .where({ integration_id: integrationId, key_digest: keyDigest })
      .update({ answer });
  }
}
