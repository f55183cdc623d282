import { KnexCiVariableRepository } from '../../adapters/outbound/persistence/knex/ci-variables/knex-ci-variable-repository.js';
import { defineStorage } from './storage.js';

export const ciVariablesStorage = defineStorage({
  name: 'ci-variables',
  stores: {
    ciVariables: ({ session }) => new KnexCiVariableRepository(session),
  },
});
