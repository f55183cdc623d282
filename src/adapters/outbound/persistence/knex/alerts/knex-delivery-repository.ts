import type { Knex } from 'knex';
import type {
  Claim,
  ClaimedBefore,
  Delivery,
  DeliveryRepository,
  RequestKey,
} from '../../../../../application/alerts/ports/alert-repositories.js';
import { together } from '../../../../../application/shared/together.js';
import { insertInto, typedColumns } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

const INSERT = insertInto('alert_deliveries', [
  'integration_id',
  'outcome',
  'reason',
  'status',
  'alert_iids',
  'payload',
  'received_at',
  'expires_at',
]);

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
/** As the index of them knows it. */
const WITH_MANY_EVENTS = 'events > 1000';

const CLAIM = insertInto(
  'alert_idempotency_keys',
  ['integration_id', 'key_digest', 'body_digest', 'expires_at'],
  'on conflict (integration_id, key_digest) do nothing returning integration_id, key_digest',
);
const KEY = typedColumns('alert_idempotency_keys', ['integration_id', 'key_digest']);
const ANSWERED = typedColumns('alert_idempotency_keys', ['integration_id', 'key_digest', 'answer']);

type ClaimedRow = Pick<RowOf<'alert_idempotency_keys'>, 'integration_id' | 'key_digest' | 'body_digest' | 'answer'>;
type KeyRow = Pick<ClaimedRow, 'integration_id' | 'key_digest'>;
const nameOf = (row: KeyRow): string => `${row.integration_id} ${row.key_digest}`;

export class KnexDeliveryRepository implements DeliveryRepository {
  constructor(private readonly session: Session) {}

  async add(deliveries: readonly Delivery[]): Promise<void> {
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
    await INSERT(this.session, rows);
  }

  async claim(claims: readonly Claim[]): Promise<readonly ClaimedBefore[]> {
    const { session } = this;
    const { dialect } = session;
    // In one order: two sets with the same keys would wait for each other.
    const sorted = claims.toSorted((one, other) => (one.keyDigest < other.keyDigest ? -1 : 1));
    const rows = sorted.map(({ integrationId, keyDigest, bodyDigest, expiresAt }) => {
      return [integrationId, keyDigest, bodyDigest, dialect.writeInstant(expiresAt)];
    });
    const sql = `select claimed.integration_id, claimed.key_digest, claimed.body_digest, claimed.answer
      from ${dialect.rowsAs('asked', KEY)}
      join alert_idempotency_keys claimed
        on claimed.integration_id = asked.integration_id and claimed.key_digest = asked.key_digest`;
    const [added, all] = await together([
      CLAIM<KeyRow>(session, rows),
      session.run<ClaimedRow>(
        sql,
        dialect.writeRows(
          KEY,
          rows.map((row) => row.slice(0, KEY.length)),
        ),
      ),
    ]);
    const own = new Set(added.map(nameOf));
    return all
      .filter((row) => !own.has(nameOf(row)))
      .map(({ integration_id, key_digest, body_digest, answer }) => {
        return { integrationId: integration_id, keyDigest: key_digest, bodyDigest: body_digest, answer };
      });
  }

  async answer(answers: readonly (RequestKey & { readonly answer: string })[]): Promise<void> {
    const { dialect } = this.session;
    const sql = `update alert_idempotency_keys set answer = answered.answer from ${dialect.rowsAs('answered', ANSWERED)}
      where alert_idempotency_keys.integration_id = answered.integration_id
        and alert_idempotency_keys.key_digest = answered.key_digest`;
    const rows = answers.map(({ integrationId, keyDigest, answer }) => [integrationId, keyDigest, answer]);
    await this.session.run(sql, dialect.writeRows(ANSWERED, rows));
  }

  async trim(
    { requests, payloads, arrivals }: Parameters<DeliveryRepository['trim']>[0],
    limit: number,
  ): Promise<number> {
    const { query } = this.session;
    const integrations = await this.#ids(query('alert_integrations').select('id'));
    const busy = await this.#ids(query('alerts').whereRaw(WITH_MANY_EVENTS).select('id'));
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
}
