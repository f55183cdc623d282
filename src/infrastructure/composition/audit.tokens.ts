import type { AuditReader } from '../../application/audit/ports/audit-ports.js';
import type { RecordExports } from '../../application/audit/record-exports.js';
import { token } from './token.js';

export const AUDIT_TOKENS = {
  auditReader: token<AuditReader>('AuditReader'),
  recordExports: token<RecordExports>('RecordExports'),
} as const;
