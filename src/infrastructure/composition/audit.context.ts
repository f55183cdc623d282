import { ContainerModule } from 'inversify';
import { RecordExports } from '../../application/audit/record-exports.js';
import { addAuditPages } from '../../adapters/inbound/http/pages/admin/audit-pages.js';
import { KnexAuditReader } from '../../adapters/outbound/persistence/knex/audit/knex-audit-repository.js';
import { auditStorage } from './audit.storage.js';
import { AUDIT_TOKENS } from './audit.tokens.js';
import type { Context } from './context.js';
import { TOKENS } from './tokens.js';

const auditModule = new ContainerModule(({ bind }) => {
  bind(AUDIT_TOKENS.auditReader).toResolvedValue(({ reader }) => new KnexAuditReader(reader), [TOKENS.database]);
  bind(AUDIT_TOKENS.recordExports).toResolvedValue((unitOfWork) => new RecordExports(unitOfWork), [TOKENS.unitOfWork]);
});

/** Who did what from where. */
export const auditContext: Context<typeof auditStorage> = {
  storage: auditStorage,
  modules: [auditModule],
  pages: (get) => (pages) =>
    addAuditPages(pages, {
      auditReader: get(AUDIT_TOKENS.auditReader),
      recordExports: get(AUDIT_TOKENS.recordExports),
    }),
};
