import type { Knex } from 'knex';
import type {
  NewSession,
  OwnedSession,
  SeenSession,
  Session as BrowserSession,
  SessionReader,
  SessionRepository,
} from '../../../../../application/identity/ports/session-repository.js';
import type { Occasion } from '../../../../../application/shared/occasion.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { FindAll, Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { selectOwnerProfile, toOwnerProfile, type OwnerProfileRow } from './owner-profile.js';

type SessionRow = RowOf<'sessions'>;

const SESSION_COLUMNS = ['id', 'user_id', 'stage', 'data', 'created_at', 'proved_at', 'expires_at'] as const;

const toSession = (row: Pick<SessionRow, (typeof SESSION_COLUMNS)[number]>, dialect: Dialect): BrowserSession => ({
  id: row.id,
  userId: row.user_id,
  stage: row.stage,
  returnTo: (JSON.parse(row.data) as { returnTo: string | null }).returnTo,
  createdAt: dialect.readInstant(row.created_at),
  provedAt: readInstantOrNull(dialect, row.proved_at) ?? dialect.readInstant(row.created_at),
  expiresAt: dialect.readInstant(row.expires_at),
});

/** Before anybody proved anything. */
const NEVER = new Date(0);

export class KnexSessionRepository implements SessionRepository {
  /** @param occasion where a session is opened, and by what. */
  constructor(
    private readonly session: Session,
    private readonly occasion?: Occasion,
  ) {}

  async add(browser: NewSession): Promise<BrowserSession> {
    const { query, dialect } = this.session;
    const createdAt = dialect.writeInstant(browser.createdAt);
    const [row] = await query('sessions')
      .insert({
        digest: browser.digest,
        user_id: browser.userId,
        stage: browser.stage,
        data: JSON.stringify({ returnTo: browser.returnTo }),
        created_at: createdAt,
        last_seen_at: createdAt,
        proved_at: dialect.writeInstant(browser.provedAt),
        expires_at: dialect.writeInstant(browser.expiresAt),
        client_address: this.occasion?.clientAddress ?? null,
        user_agent: this.occasion?.userAgent ?? null,
      })
      .returning('*');
    return toSession(row!, dialect);
  }

  async prove(id: number, at: Date): Promise<boolean> {
    const proved_at = this.session.dialect.writeInstant(at);
    return (await this.session.query('sessions').where({ id, stage: 'signed_in' }).update({ proved_at })) > 0;
  }

  async forgetProofsOf(userId: UserId, spared = 0): Promise<void> {
    const proved_at = this.session.dialect.writeInstant(NEVER);
    await this.session.query('sessions').where({ user_id: userId }).whereNot({ id: spared }).update({ proved_at });
  }

  async hold(id: number): Promise<boolean> {
    const { query, dialect } = this.session;
    const rows = await dialect.lockRows(query('sessions').where({ id, stage: 'signed_in' }).select('id'));
    return rows.length > 0;
  }

  async extend(id: number, expiresAt: Date, now: Date): Promise<void> {
    const { dialect } = this.session;
    const client_address = this.occasion?.clientAddress;
    await this.session
      .query('sessions')
      .where({ id })
      .update({
        expires_at: dialect.writeInstant(expiresAt),
        last_seen_at: dialect.writeInstant(now),
        ...(client_address == null ? {} : { client_address }),
      });
  }

  async remove(id: number): Promise<boolean> {
    return (await this.session.query('sessions').where({ id }).delete()) > 0;
  }

  async revoke(userId: UserId, id: number): Promise<boolean> {
    return (await this.session.query('sessions').where({ id, user_id: userId }).delete()) > 0;
  }

  async revokeOthers(userId: UserId, spared: number): Promise<boolean> {
    const sessions = this.session.query('sessions').where({ user_id: userId }).whereNot({ id: spared });
    return (await sessions.delete()) > 0;
  }

  async removeAllOf(userId: UserId, spared?: number): Promise<void> {
    const sessions = this.session.query('sessions').where({ user_id: userId });
    await (spared === undefined ? sessions : sessions.whereNot({ id: spared })).delete();
  }

  async removeUnfinishedOf(userId: UserId): Promise<void> {
    await this.session.query('sessions').where({ user_id: userId, stage: 'second_factor' }).delete();
  }
}

type LivingRow = SessionRow & OwnerProfileRow;
type Living = { readonly digest: string; readonly now: Date | string };

const findLiving = (query: Knex, { digest, now }: Living): Knex.QueryBuilder =>
  selectOwnerProfile(
    query,
    query('sessions')
      .join({ owner: 'users' }, 'owner.id', 'sessions.user_id')
      .where('sessions.digest', digest)
      .andWhere('sessions.expires_at', '>', now)
      .select(SESSION_COLUMNS.map((column) => `sessions.${column}`)),
  );

export class KnexSessionReader implements SessionReader {
  readonly #findLiving: FindAll<LivingRow, Living>;

  constructor(private readonly session: Session) {
    this.#findLiving = session.keep(['digest', 'now'], findLiving);
  }

  async listOf(userId: UserId, now: Date, limit: number): Promise<readonly SeenSession[]> {
    const { dialect } = this.session;
    const rows = await this.session
      .query('sessions')
      .where({ user_id: userId, stage: 'signed_in' })
      .andWhere('expires_at', '>', dialect.writeInstant(now))
      .orderBy('last_seen_at', 'desc')
      .limit(limit);
    return rows.map((row) => ({
      id: row.id,
      createdAt: dialect.readInstant(row.created_at),
      lastSeenAt: dialect.readInstant(row.last_seen_at),
      clientAddress: row.client_address,
      userAgent: row.user_agent,
    }));
  }

  async findByDigest(digest: string, now: Date): Promise<OwnedSession | undefined> {
    const { dialect } = this.session;
    const [row] = await this.#findLiving({ digest, now: dialect.writeInstant(now) });
    return row && { session: toSession(row, dialect), owner: toOwnerProfile(row, dialect) };
  }
}
