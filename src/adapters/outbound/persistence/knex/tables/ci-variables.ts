import type { CiVariableType } from '../../../../../domain/ci-variables/ci-variable.js';
import { boolean, code, id, instant, key, nullable, reference, sealed, table, text } from './table.js';

export const CI_VARIABLE_TABLES = {
  ci_variables: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: nullable(reference('projects')),
      namespace_id: nullable(reference('namespaces')),
      key,
      sealed_value: sealed,
      type: code<CiVariableType>(),
      protected: boolean,
      masked: boolean,
      raw: boolean,
      environment_scope: key,
      description: nullable(text),
      created_at: instant,
      updated_at: instant,
    },
  }),
};
