import type { AuditEntry, AuditQuery, AuditReader } from '../../../../../application/audit/ports/audit-ports.js';
import { describeAuditKind } from '../../../../../domain/audit/audit-kind.js';

/** An entry as it is exported. */
const fieldsOf = (entry: AuditEntry) => ({
  id: entry.id,
  created_at: entry.createdAt.toISOString(),
  last_at: entry.lastAt.toISOString(),
  times: entry.times,
  kind: entry.kind,
  what: describeAuditKind(entry.kind),
  author: entry.authorName,
  means: entry.means,
  acted_as: entry.actedAs,
  address: entry.clientAddress,
  account: entry.account,
  place: entry.place,
  subject: entry.subject,
  detail: entry.detail,
});

type Fields = ReturnType<typeof fieldsOf>;

const COLUMNS: readonly (keyof Fields)[] = [
  'id',
  'created_at',
  'last_at',
  'times',
  'kind',
  'what',
  'author',
  'means',
  'acted_as',
  'address',
  'account',
  'place',
  'subject',
  'detail',
];

/** What a spreadsheet would take for a formula begins with an apostrophe instead. */
const cell = (value: string | number | null): string => {
  const text = String(value ?? '');
  return `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

interface Format {
  readonly type: string;
  readonly head: string;
  readonly line: (fields: Fields) => string;
}

export const EXPORT_FORMATS: Readonly<Record<'csv' | 'jsonl', Format>> = {
  // RFC 4180
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${COLUMNS.join(',')}\r\n`,
    line: (fields) => `${COLUMNS.map((column) => cell(fields[column])).join(',')}\r\n`,
  },
  jsonl: { type: 'application/x-ndjson; charset=utf-8', head: '', line: (fields) => `${JSON.stringify(fields)}\n` },
};

const BATCH = 500;

/** All entries that a query finds, read as they are sent. */
export async function* exportEntries(
  reader: AuditReader,
  query: AuditQuery,
  { head, line }: Format,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(head);
  for (let before: number | undefined; ;) {
    const entries = await reader.list(query, BATCH, before);
    if (entries.length > 0) yield Buffer.from(entries.map((entry) => line(fieldsOf(entry))).join(''));
    before = entries.at(-1)?.id;
    if (entries.length < BATCH) return;
  }
}
