import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { AuditLog } from './audit-log.js';

/** Whoever takes the log away is in it. */
export class RecordExports {
  constructor(private readonly unitOfWork: UnitOfWork<{ readonly auditLog: AuditLog }>) {}

  /** @param format that it is taken in. */
  async record(format: string): Promise<void> {
    await this.unitOfWork.execute(({ auditLog }) => auditLog.record({ kind: 'audit_log_exported', detail: format }));
  }
}
