import type { Knex } from 'knex';
import type {
  IntegrationReader,
  IntegrationWithKey,
  ListedDelivery,
} from '../../../../../application/alerts/ports/alert-readers.js';
import type {
  IntegrationChanges,
  IntegrationRepository,
  NewIntegration,
} from '../../../../../application/alerts/ports/alert-repositories.js';
import type { Integration, IntegrationState } from '../../../../../domain/alerts/integration.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { mapPage, type Page, type PageRequest } from '../../../../../domain/shared/page.js';
import type { Dialect } from '../dialect/dialect.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { textsWithin } from '../texts-within.js';
import { deliveryColumns, toDelivery, type DeliveryRow } from './delivery-row.js';
import type { RowOf } from '../tables.js';

const TABLE = 'alert_integrations';

type IntegrationRow = Omit<RowOf<'alert_integrations'>, 'sample_payload' | 'updated_at'>;

// Named, because a statement that is kept would not see a column that comes later; without the sample, which may be large.
const COLUMNS: readonly (keyof IntegrationRow)[] = [
  'id',
  'project_id',
  'type',
  'name',
  'active',
  'identifier',
  'key_digest',
  'sealed_key',
  'api_url',
  'created_at',
];

// An archived project takes no alerts, whatever its integrations say.
const TAKES_ALERTS = 'integration.active and not projects.archived as active';
const selected = COLUMNS.map((column) => (column === 'active' ? TAKES_ALERTS : `integration.${column}`));

const AT_ADDRESS = `select ${selected.join(', ')} from ${TABLE} integration
  join projects on projects.id = integration.project_id
  where projects.full_path_key = ? and projects.removal_requested_at is null`;
const BY_TYPE = `${AT_ADDRESS} and integration.type = ?`;
const BY_IDENTIFIER = `${AT_ADDRESS} and integration.type = 'http_endpoint' and integration.identifier = ?`;

const toIntegration = (row: IntegrationRow, dialect: Dialect): Integration => ({
  id: row.id,
  projectId: row.project_id,
  type: row.type,
  name: row.name,
  active: Boolean(row.active),
  identifier: row.identifier,
  apiUrl: row.api_url,
  createdAt: dialect.readInstant(row.created_at),
});

const withKey = (row: IntegrationRow, dialect: Dialect): IntegrationWithKey => ({
  integration: toIntegration(row, dialect),
  keyDigest: row.key_digest,
  sealedKey: row.sealed_key,
});

const SECOND_OF_TYPE = () => new Invalid({ type: ['is there already: a project has one of it at most'] });
// The one names the index, the other its columns.
const REFUSALS = {
  alert_integrations_one_of_a_type: SECOND_OF_TYPE,
  alert_integrations_project_id_type_unique: SECOND_OF_TYPE,
};

export class KnexIntegrationRepository implements IntegrationRepository {
  constructor(private readonly session: Session) {}

  async add(integration: NewIntegration): Promise<Integration> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(integration.createdAt);
    const insert = query(TABLE)
      .insert({
        project_id: integration.projectId,
        type: integration.type,
        name: integration.name,
        active: integration.active,
        identifier: integration.identifier,
        key_digest: integration.keyDigest,
        sealed_key: integration.sealedKey,
        api_url: integration.apiUrl,
        sample_payload: integration.samplePayload,
        created_at: at,
        updated_at: at,
      })
      .returning([...COLUMNS]);
    const [row] = await onUniqueViolation(insert, REFUSALS);
    return toIntegration(row!, dialect);
  }

  async find(projectId: ProjectId, id: number): Promise<Integration | undefined> {
    const { query, dialect } = this.session;
    const row = await query(TABLE)
      .where({ project_id: projectId, id })
      .first(...COLUMNS);
    return row && toIntegration(row, dialect);
  }

  async takeAll(projectId: ProjectId): Promise<readonly Integration[]> {
    const { query, dialect } = this.session;
    // The project stands for all of its integrations, those that are not there yet too.
    await dialect.lockRows(query('projects').where({ id: projectId }).select('id'));
    const rows = await query(TABLE)
      .where({ project_id: projectId })
      .orderBy('id')
      .select(...COLUMNS);
    return rows.map((row) => toIntegration(row, dialect));
  }

  async hold(ids: readonly number[]): Promise<ReadonlyMap<number, IntegrationState>> {
    const { dialect } = this.session;
    // The project first, as whoever changes its integrations does: in another order the two would wait for each other.
    const sql = `select integration.id, integration.type, ${TAKES_ALERTS}, integration.key_digest
      from ${TABLE} integration join projects on projects.id = integration.project_id
      where integration.id in (${ids.map(() => '?').join(', ')}) and projects.removal_requested_at is null
      ${dialect.sharedLock('projects', 'existing')} ${dialect.sharedLock('integration', 'unchanged')}`;
    const rows = await this.session.run<IntegrationRow>(sql, ids);
    return new Map(
      rows.map(({ id, type, active, key_digest: keyDigest }) => [id, { type, active: Boolean(active), keyDigest }]),
    );
  }

  async update(id: number, changes: IntegrationChanges, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const { name, active, apiUrl, keyDigest, sealedKey } = changes;
    await query(TABLE)
      .where({ id })
      .update({
        ...(name === undefined ? {} : { name }),
        ...(active === undefined ? {} : { active }),
        ...(apiUrl === undefined ? {} : { api_url: apiUrl }),
        ...(keyDigest === undefined ? {} : { key_digest: keyDigest }),
        ...(sealedKey === undefined ? {} : { sealed_key: sealedKey }),
        updated_at: dialect.writeInstant(at),
      });
  }

  async remove(id: number): Promise<void> {
    await this.session.query(TABLE).where({ id }).delete();
  }
}

export class KnexIntegrationReader implements IntegrationReader {
  constructor(private readonly session: Session) {}

  list(projectId: ProjectId, page: PageRequest): Promise<Page<IntegrationWithKey>> {
    const list = this.session
      .query(TABLE)
      .where({ project_id: projectId })
      .orderBy('id')
      .select(...COLUMNS);
    return pageOfRows(this.session, list, page, (row: IntegrationRow) => withKey(row, this.session.dialect));
  }

  find(projectId: ProjectId, id: number): Promise<IntegrationWithKey | undefined> {
    return this.#first(
      this.session
        .query(TABLE)
        .where({ project_id: projectId, id })
        .select(...COLUMNS),
    );
  }

  async findByAddress(
    projectPath: string,
    at: { readonly type: 'generic' | 'prometheus' } | { readonly identifier: string },
  ): Promise<IntegrationWithKey | undefined> {
    const [sql, which] = 'type' in at ? [BY_TYPE, at.type] : [BY_IDENTIFIER, at.identifier];
    const [row] = await this.session.run<IntegrationRow>(sql, [searchKey(projectPath), which]);
    return row && withKey(row, this.session.dialect);
  }

  async deliveries(integrationId: number, page: PageRequest, payloadBytes: number): Promise<Page<ListedDelivery>> {
    const { query, dialect } = this.session;
    const list = this.#deliveries(integrationId).orderBy('id', 'desc');
    const found = await pageOfRows(this.session, list, page, (row: DeliveryRow) => row);
    const payloads = await textsWithin(found.items, payloadBytes, query('alert_deliveries'), 'payload');
    return mapPage(found, (row) => toDelivery(row, payloads.get(row.id) ?? null, dialect));
  }

  async findDelivery(integrationId: number, id: number): Promise<ListedDelivery | undefined> {
    const row = (await this.#deliveries(integrationId).where({ id }).first('payload')) as
      (DeliveryRow & { readonly payload: string | null }) | undefined;
    return row && toDelivery(row, row.payload, this.session.dialect);
  }

  #deliveries(integrationId: number): Knex.QueryBuilder {
    const { query } = this.session;
    return query('alert_deliveries')
      .where({ integration_id: integrationId })
      .select(...deliveryColumns(query));
  }

  async #first(found: Knex.QueryBuilder): Promise<IntegrationWithKey | undefined> {
    const [row] = (await found) as IntegrationRow[];
    return row && withKey(row, this.session.dialect);
  }
}
