import type { AuditMeans } from '../../../../../application/audit/ports/audit-ports.js';
import type { AuditKind } from '../../../../../domain/audit/audit-kind.js';
import { bigInteger, code, id, instant, integer, key, nullable, onceExpired, table, text } from './table.js';

export const AUDIT_TABLES = {
  audit_entries: table({
    key: ['id'],
    size: 'flood',
    pruned: [onceExpired],
    columns: {
      id,
      kind: code<AuditKind>(),
      author_id: nullable(bigInteger),
      author_name: nullable(text),
      author_key: key,
      means: code<AuditMeans>(),
      acted_as: nullable(text),
      client_address: nullable(text),
      account: nullable(text),
      place: nullable(text),
      about_key: key,
      subject: nullable(text),
      detail: nullable(text),
      times: integer,
      created_at: instant,
      last_at: instant,
      expires_at: instant,
    },
  }),
};
