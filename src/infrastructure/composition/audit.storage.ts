import { AuditLog } from '../../application/audit/audit-log.js';
import { recordUnknownSignIns } from '../../application/audit/record-unknown-sign-ins.js';
import { KnexAuditRepository } from '../../adapters/outbound/persistence/knex/audit/knex-audit-repository.js';
import { defineStorage } from './storage.js';

export const auditStorage = defineStorage({
  name: 'audit',
  stores: {
    auditLog: ({ session, occasion, clock }) => new AuditLog(new KnexAuditRepository(session), occasion, clock),
  },
  subscribers: [recordUnknownSignIns],
});
