import type { Subscriber } from '../shared/domain-events.js';
import type { AuditLog } from './audit-log.js';

/** Who is not known has no row whose change would tell of them. */
export const recordUnknownSignIns: Subscriber<{ readonly auditLog: AuditLog }> = async (event, { auditLog }) => {
  if (event.kind === 'unknown_sign_in') await auditLog.record({ kind: 'unknown_sign_in_failed' });
};
