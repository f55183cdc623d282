import type {
  AuditEntry,
  AuditQuery,
  AuditReader,
  AuditRepository,
  NewAuditEntry,
} from '../../../../../application/audit/ports/audit-ports.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { searchKey } from '../text-search.js';
import { KnexAuditFacts } from './knex-audit-facts.js';

type AuditRow = RowOf<'audit_entries'>;

const aboutKey = ({ account, place }: Pick<AuditEntry, 'account' | 'place'>): string =>
  `\n${[account, place].flatMap((each) => (each === null ? [] : `${searchKey(each)}\n`)).join('')}`;

export class KnexAuditRepository extends KnexAuditFacts implements AuditRepository {
  async add(entry: NewAuditEntry): Promise<void> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(entry.createdAt);
    await query('audit_entries').insert({
      kind: entry.kind,
      author_id: entry.authorId,
      author_name: entry.authorName,
      author_key: searchKey(entry.authorName ?? ''),
      means: entry.means,
      acted_as: entry.actedAs,
      client_address: entry.clientAddress,
      account: entry.account,
      place: entry.place,
      about_key: aboutKey(entry),
      subject: entry.subject,
      detail: entry.detail,
      times: 1,
      created_at: at,
      last_at: at,
      expires_at: dialect.writeInstant(entry.expiresAt),
    });
  }

  async countAgain(entry: NewAuditEntry, since: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const { kind, means, subject, detail, clientAddress: client_address, actedAs: acted_as } = entry;
    const same = query('audit_entries')
      .where({ kind, means, author_key: searchKey(entry.authorName ?? ''), about_key: aboutKey(entry) })
      .where({ client_address, acted_as, subject, detail })
      .where('created_at', '>', dialect.writeInstant(since))
      .orderBy('id', 'desc')
      .limit(1)
      .select('id');
    const [known] = await same;
    if (known === undefined) return false;
    await query('audit_entries')
      .where({ id: known.id })
      .increment('times', 1)
      .update({ last_at: dialect.writeInstant(entry.createdAt) });
    return true;
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
