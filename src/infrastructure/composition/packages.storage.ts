import { KnexPackageRepository } from '../../adapters/outbound/persistence/knex/packages/knex-package-repository.js';
import { defineStorage } from './storage.js';

export const packagesStorage = defineStorage({
  name: 'packages',
  stores: {
    packages: ({ session }) => new KnexPackageRepository(session),
  },
});
