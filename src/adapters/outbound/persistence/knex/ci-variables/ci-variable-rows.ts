import type {
  NewCiVariable,
  StoredCiVariable,
} from '../../../../../application/ci-variables/ports/ci-variable-ports.js';
import type { CiVariableOwner } from '../../../../../domain/ci-variables/ci-variable.js';
import type { RowOf } from '../tables.js';

export type CiVariableRow = RowOf<'ci_variables'>;

/** The columns that say whose a variable is. */
export const columnsOf = (owner: CiVariableOwner): Pick<CiVariableRow, 'project_id' | 'namespace_id'> => ({
  project_id: owner.kind === 'project' ? owner.id : null,
  namespace_id: owner.kind === 'group' ? owner.id : null,
});

export const contentOf = (variable: NewCiVariable) => ({
  key: variable.key,
  sealed_value: variable.sealedValue,
  type: variable.type,
  protected: variable.protected,
  masked: variable.masked,
  raw: variable.raw,
  environment_scope: variable.environmentScope,
  description: variable.description,
});

export const toStoredVariable = (row: CiVariableRow): StoredCiVariable => ({
  id: row.id,
  key: row.key,
  sealedValue: row.sealed_value,
  type: row.type,
  protected: Boolean(row.protected),
  masked: Boolean(row.masked),
  raw: Boolean(row.raw),
  environmentScope: row.environment_scope,
  description: row.description,
});
