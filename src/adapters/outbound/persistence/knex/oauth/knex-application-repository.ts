import type { Knex } from 'knex';
import type {
  ApplicationChanges,
  ApplicationReader,
  ApplicationRepository,
  ApplicationWithSecret,
  NewApplication,
} from '../../../../../application/oauth/ports/application-repository.js';
import type { Application } from '../../../../../domain/oauth/application.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { FindFirst, Session } from '../session.js';
import { APPLICATION_COLUMNS, toApplication, type ApplicationRow } from './application-row.js';

const TABLE = 'oauth_applications';

const find = async ({ query, dialect }: Session, id: number): Promise<Application | undefined> => {
  const row = await query(TABLE).where({ id }).first();
  return row && toApplication(row, dialect);
};

const columnsOf = ({ name, redirectUris, scopes, confidential, secretDigest }: ApplicationChanges) => ({
  ...(name === undefined ? {} : { name }),
  ...(redirectUris === undefined ? {} : { redirect_uris: redirectUris.join('\n') }),
  ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
  ...(confidential === undefined ? {} : { confidential }),
  ...(secretDigest === undefined ? {} : { secret_digest: secretDigest }),
});

export class KnexApplicationRepository implements ApplicationRepository {
  constructor(private readonly session: Session) {}

  async add(application: NewApplication): Promise<Application> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(application.createdAt);
    const [row] = await query(TABLE)
      .insert({
        ...columnsOf(application),
        uid: application.uid,
        owner_id: application.ownerId,
        self_registered: application.selfRegistered,
        created_at: at,
        updated_at: at,
      })
      .returning('*');
    return toApplication(row!, dialect);
  }

  find(id: number): Promise<Application | undefined> {
    return find(this.session, id);
  }

  async update(id: number, changes: ApplicationChanges, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query(TABLE)
      .where({ id })
      .update({ ...columnsOf(changes), updated_at: dialect.writeInstant(at) });
  }

  async holdAtLeast(ownerId: UserId, count: number): Promise<boolean> {
    await this.session.hold(`applications of ${ownerId}`);
    const owned = this.session.query(TABLE).where({ owner_id: ownerId }).orderBy('id');
    return (await owned.offset(count - 1).first('id')) !== undefined;
  }

  async countUnused(most: number): Promise<number> {
    await this.session.hold('applications that registered themselves');
    const rows = (await this.#unused().select('id').limit(most)) as readonly unknown[];
    return rows.length;
  }

  async removeUnused(before: Date): Promise<void> {
    await this.#unused().where('created_at', '<', this.session.dialect.writeInstant(before)).delete();
  }

  #unused(): Knex.QueryBuilder {
    const { query } = this.session;
    const of = (table: 'oauth_grants' | 'oauth_authorization_codes') =>
      query(table)
        .select(query.raw('1'))
        .where('application_id', query.ref(`${TABLE}.id`));
    return query(TABLE)
      .where({ self_registered: true })
      .whereNotExists(of('oauth_grants'))
      .whereNotExists(of('oauth_authorization_codes')) as Knex.QueryBuilder;
  }

  async remove(id: number): Promise<boolean> {
    return (await this.session.query(TABLE).where({ id }).delete()) > 0;
  }
}

export class KnexApplicationReader implements ApplicationReader {
  readonly #findByUid: FindFirst<ApplicationRow>;

  constructor(private readonly session: Session) {
    this.#findByUid = session.prepare('text', (query, uid) =>
      query(TABLE).where('uid', uid).select(APPLICATION_COLUMNS),
    );
  }

  find(id: number): Promise<Application | undefined> {
    return find(this.session, id);
  }

  async findByUid(uid: string): Promise<ApplicationWithSecret | undefined> {
    const row = await this.#findByUid(uid);
    return row && { application: toApplication(row, this.session.dialect), secretDigest: row.secret_digest };
  }

  list(page: PageRequest, ownerId?: UserId): Promise<Page<Application>> {
    const list = this.session.query(TABLE).select('*').orderBy('id');
    if (ownerId !== undefined) void list.where({ owner_id: ownerId });
    return pageOfRows(this.session, list, page, (row: ApplicationRow) => toApplication(row, this.session.dialect));
  }
}
