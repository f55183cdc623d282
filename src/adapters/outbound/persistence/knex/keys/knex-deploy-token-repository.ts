import type {
  DeployTokenQuery,
  DeployTokenReader,
  DeployTokenRepository,
  NewDeployToken,
} from '../../../../../application/keys/ports/deploy-token-ports.js';
import type { DeployToken, DeployTokenPlace } from '../../../../../domain/keys/deploy-token.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { columnsOf, toDeployToken, type DeployTokenRow } from './deploy-token-row.js';

export class KnexDeployTokenRepository implements DeployTokenRepository {
  constructor(private readonly session: Session) {}

  async add(token: NewDeployToken): Promise<DeployToken> {
    const { query, dialect } = this.session;
    const [row] = (await query('deploy_tokens')
      .insert({
        ...columnsOf(token.place),
        name: token.name,
        username: token.username,
        digest: token.digest,
        scopes: token.scopes.join(' '),
        expires_at: writeInstantOrNull(dialect, token.expiresAt),
        created_at: dialect.writeInstant(token.createdAt),
      })
      .returning('*')) as DeployTokenRow[];
    return toDeployToken(row!, dialect);
  }

  async holdAtLeast(place: DeployTokenPlace, number: number): Promise<boolean> {
    await this.session.hold(`deploy tokens of ${place.kind} ${place.id}`);
    const tokens = this.session.query('deploy_tokens').where(columnsOf(place)).orderBy('id');
    return (await tokens.offset(number - 1).first('id')) !== undefined;
  }

  async remove(place: DeployTokenPlace, id: number): Promise<boolean> {
    return (
      (await this.session
        .query('deploy_tokens')
        .where({ id, ...columnsOf(place) })
        .delete()) === 1
    );
  }

  async recordUses(uses: ReadonlyMap<number, Date>): Promise<void> {
    const { query, dialect } = this.session;
    for (const [id, at] of uses)
      await query('deploy_tokens')
        .where({ id })
        .update({ last_used_at: dialect.writeInstant(at) });
  }
}

export class KnexDeployTokenReader implements DeployTokenReader {
  constructor(private readonly session: Session) {}

  list({ place, active, now, page }: DeployTokenQuery): Promise<Page<DeployToken>> {
    const { query, dialect } = this.session;
    const list = query('deploy_tokens').select('*').orderBy('id');
    if (place !== undefined) void list.where(columnsOf(place));
    const at = dialect.writeInstant(now);
    if (active === true) void list.where((each) => void each.whereNull('expires_at').orWhere('expires_at', '>', at));
    if (active === false) void list.where('expires_at', '<=', at);
    return pageOfRows(this.session, list, page, (row: DeployTokenRow) => toDeployToken(row, dialect));
  }

  async find(place: DeployTokenPlace, id: number): Promise<DeployToken | undefined> {
    const row = await this.session
      .query('deploy_tokens')
      .where({ id, ...columnsOf(place) })
      .first();
    return row && toDeployToken(row, this.session.dialect);
  }

  async findByDigest(digest: string): Promise<DeployToken | undefined> {
    const row = await this.session.query('deploy_tokens').where({ digest }).first();
    return row && toDeployToken(row, this.session.dialect);
  }
}
