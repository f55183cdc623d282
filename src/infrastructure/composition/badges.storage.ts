import { KnexBadgeRepository } from '../../adapters/outbound/persistence/knex/badges/knex-badge-repository.js';
import { defineStorage } from './storage.js';

export const badgesStorage = defineStorage({
  name: 'badges',
  stores: {
    badges: ({ session }) => new KnexBadgeRepository(session),
  },
});
