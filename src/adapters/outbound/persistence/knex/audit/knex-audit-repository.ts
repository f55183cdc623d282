import type {
  AuditEntry,
  AuditQuery,
  AuditReader,
  AuditRepository,
  NewAuditEntry,
} from '../../../../../application/audit/ports/audit-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { searchKey } from '../text-search.js';
import { KnexAuditFacts } from './knex-audit-facts.js';

type AuditRow = RowOf<'audit_entries'>;

const aboutKey = ({ account, place }: Pick<AuditEntry, 'account' | 'place'>): string =>
  `\n${[account, place].flatMap((each) => (each === null ? [] : `${searchKey(each)}\n`)).join('')}`;

const COLUMNS = [
  'kind',
  'author_id',
  'author_name',
  'author_key',
  'means',
  'acted_as',
  'client_address',
  'account',
  'place',
  'about_key',
  'subject',
  'detail',
  'created_at',
  'last_at',
  'expires_at',
] as const satisfies readonly (keyof AuditRow)[];

/** What entries that are counted as one have in common. */
const comparedOf = (entry: NewAuditEntry) => ({
  kind: entry.kind,
  means: entry.means,
  author_key: searchKey(entry.authorName ?? ''),
  about_key: aboutKey(entry),
  client_address: entry.clientAddress,
  acted_as: entry.actedAs,
  subject: entry.subject,
  detail: entry.detail,
});

const NEVER_NULL = ['kind', 'means', 'author_key', 'about_key'] as const;
const SAME = [...NEVER_NULL, 'client_address', 'acted_as', 'subject', 'detail'] as const;
const FIND_SAME = `select id from audit_entries where ${SAME.map((column) =>
  // Databases look up by an index only what is equal.
  (NEVER_NULL as readonly string[]).includes(column) ? `${column} = ?` : `${column} is not distinct from ?`,
).join(' and ')} and created_at > ?`;

const INSERT = `insert into audit_entries (${COLUMNS.join(', ')}, times)`;
const PLACES = COLUMNS.map(() => '?').join(', ');
const ADD = `${INSERT} values (${PLACES}, 1)`;
const COUNT_AGAIN = `update audit_entries set times = times + 1, last_at = ? where id = (${FIND_SAME} order by id desc limit 1)`;
const ADD_UNLESS_COUNTED = `${INSERT} select ${PLACES}, 1 where not exists (${FIND_SAME})`;

/** In the order of the columns. */
const valuesOf = (entry: NewAuditEntry, dialect: Dialect): readonly unknown[] => {
  const at = dialect.writeInstant(entry.createdAt);
  const row: Readonly<Record<(typeof COLUMNS)[number], unknown>> = {
    ...comparedOf(entry),
    author_id: entry.authorId,
    author_name: entry.authorName,
    account: entry.account,
    place: entry.place,
    created_at: at,
    last_at: at,
    expires_at: dialect.writeInstant(entry.expiresAt),
  };
  return COLUMNS.map((column) => row[column]);
};

export class KnexAuditRepository extends KnexAuditFacts implements AuditRepository {
  async add(entry: NewAuditEntry): Promise<void> {
    await this.session.run(ADD, valuesOf(entry, this.session.dialect));
  }

  async count(entry: NewAuditEntry, since: Date): Promise<void> {
    const { session } = this;
    const { dialect } = session;
    const same = [...SAME.map((column) => comparedOf(entry)[column]), dialect.writeInstant(since)];
    // The second finds what the first one counted, and adds nothing then.
    await together([
      session.run(COUNT_AGAIN, [dialect.writeInstant(entry.createdAt), ...same]),
      session.run(ADD_UNLESS_COUNTED, [...valuesOf(entry, dialect), ...same]),
    ]);
  }
}

export class KnexAuditReader implements AuditReader {
  constructor(private readonly session: Session) {}

  async list(asked: AuditQuery, limit: number, before?: number): Promise<readonly AuditEntry[]> {
    const { query, dialect } = this.session;
    const list = query('audit_entries').orderBy('id', 'desc').limit(limit);
    if (before !== undefined) list.where('id', '<', before);
    if (asked.author !== undefined) list.where({ author_key: searchKey(asked.author) });
    if (asked.clientAddress !== undefined) list.where({ client_address: asked.clientAddress });
    if (asked.kinds !== undefined) list.whereIn('kind', [...asked.kinds]);
    if (asked.about !== undefined)
      list.whereRaw(`about_key like ? escape '\\'`, [`%\n${searchKey(asked.about).replace(/[\\%_]/g, '\\$&')}\n%`]);
    if (asked.from !== undefined) list.where('created_at', '>=', dialect.writeInstant(asked.from));
    if (asked.until !== undefined) list.where('created_at', '<', dialect.writeInstant(asked.until));
    return (await list).map((row) => this.#toEntry(row));
  }

  #toEntry(row: AuditRow): AuditEntry {
    const { dialect } = this.session;
    return {
      id: row.id,
      kind: row.kind,
      authorName: row.author_name,
      means: row.means,
      actedAs: row.acted_as,
      clientAddress: row.client_address,
      account: row.account,
      place: row.place,
      subject: row.subject,
      detail: row.detail,
      times: row.times,
      createdAt: dialect.readInstant(row.created_at),
      lastAt: dialect.readInstant(row.last_at),
    };
  }
}
