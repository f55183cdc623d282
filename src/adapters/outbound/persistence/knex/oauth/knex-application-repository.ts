import type {
  ApplicationReader,
  ApplicationRepository,
  NewApplication,
} from '../../../../../application/oauth/ports/application-repository.js';
import type { Application } from '../../../../../domain/oauth/application.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import type { Dialect } from '../dialect/dialect.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';

interface ApplicationRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly redirect_uris: string;
  readonly scopes: string;
  readonly confidential: boolean | number;
  readonly owner_id: number | null;
  readonly created_at: unknown;
}

const toApplication = (row: ApplicationRow, dialect: Dialect): Application => ({
  id: row.id,
  uid: row.uid,
  name: row.name,
  redirectUris: row.redirect_uris.split('\n'),
  scopes: row.scopes.split(' '),
  confidential: Boolean(row.confidential),
  ownerId: row.owner_id,
  createdAt: dialect.readInstant(row.created_at),
});

export class KnexApplicationRepository implements ApplicationRepository {
  constructor(private readonly session: Session) {}

  async add(application: NewApplication): Promise<Application> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(application.createdAt);
    const [row] = (await query('oauth_applications')
      .insert({
        uid: application.uid,
        secret_digest: application.secretDigest,
        name: application.name,
        redirect_uris: application.redirectUris.join('\n'),
        scopes: application.scopes.join(' '),
        confidential: application.confidential,
        owner_id: application.ownerId,
        created_at: at,
        updated_at: at,
      })
      .returning('*')) as ApplicationRow[];
    return toApplication(row!, dialect);
  }

  async remove(id: number): Promise<boolean> {
    return (await this.session.query('oauth_applications').where({ id }).delete()) > 0;
  }
}

export class KnexApplicationReader implements ApplicationReader {
  constructor(private readonly session: Session) {}

  list(page: PageRequest): Promise<Page<Application>> {
    const list = this.session.query('oauth_applications').select('*').orderBy('id');
    return pageOfRows(this.session, list, page, (row: ApplicationRow) => toApplication(row, this.session.dialect));
  }
}
