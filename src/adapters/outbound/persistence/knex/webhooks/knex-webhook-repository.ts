import type {
  HeldWebhook,
  SealedParts,
  WebhookRepository,
  WebhookSettings,
} from '../../../../../application/webhooks/ports/webhook-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Webhook } from '../../../../../domain/webhooks/webhook.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toHeldWebhook, toWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-row.js';

const columnsOf = ({ url, events, branchFilter, verifyCertificate }: WebhookSettings) => ({
  url,
  events: JSON.stringify([...events]),
  branch_filter: branchFilter,
  verify_certificate: verifyCertificate,
});

const sealedColumnsOf = ({ token, headers }: SealedParts) => ({
  ...(token === undefined ? {} : { sealed_token: token }),
  ...(headers && { header_names: JSON.stringify(headers.names), sealed_header_values: headers.sealedValues }),
});

const WORKING = `select ${WEBHOOK_COLUMNS.join(', ')} from webhooks where project_id = ? and disabled_at is null order by id`;

export class KnexWebhookRepository implements WebhookRepository {
  constructor(private readonly session: Session) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`webhooks of ${projectId}`);
  }

  async count(projectId: ProjectId): Promise<number> {
    const [row] = await this.session.query('webhooks').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async add(projectId: ProjectId, settings: WebhookSettings, sealed: SealedParts, at: Date): Promise<number> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const [row] = await query('webhooks')
      .insert({
        ...columnsOf(settings),
        header_names: '[]',
        ...sealedColumnsOf(sealed),
        project_id: projectId,
        failures: 0,
        created_at: instant,
        updated_at: instant,
      })
      .returning('id');
    return row!.id;
  }

  async take(id: number): Promise<HeldWebhook | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('webhooks').where({ id }).select('*'))) as RowOf<'webhooks'>[];
    return row && toHeldWebhook(row, dialect);
  }

  async update(id: number, settings: WebhookSettings, sealed: SealedParts, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('webhooks')
      .where({ id })
      .update({
        ...columnsOf(settings),
        ...sealedColumnsOf(sealed),
        failures: 0,
        disabled_at: null,
        updated_at: dialect.writeInstant(at),
      });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('webhooks').where({ id }).delete();
  }

  async working(projectId: ProjectId): Promise<readonly Webhook[]> {
    const { dialect } = this.session;
    const rows = await this.session.run<WebhookRow>(WORKING, [projectId]);
    return rows.map((row) => toWebhook(row, dialect));
  }

  async countFailure(id: number, most: number, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    await query('webhooks').where({ id }).increment('failures', 1);
    const disabled = query('webhooks').where({ id }).where('failures', '>=', most).whereNull('disabled_at');
    return (await disabled.update({ disabled_at: dialect.writeInstant(at) })) === 1;
  }

  async countSuccess(id: number): Promise<void> {
    await this.session.query('webhooks').where({ id }).update({ failures: 0, disabled_at: null });
  }
}
