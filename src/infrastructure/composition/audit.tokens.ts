import type { AuditReader } from '../../application/audit/ports/audit-ports.js';
import { token } from './token.js';

export const AUDIT_TOKENS = { auditReader: token<AuditReader>('AuditReader') } as const;
