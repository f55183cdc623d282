import type { Knex } from 'knex';
import { clientOf } from '../translating-client.js';

/** A migration that takes as long as it takes: the limit of a statement is for requests. */
export const withoutLimit = ({ up, ...migration }: Knex.Migration): Knex.Migration => ({
  ...migration,
  up: async (knex) => {
    if (clientOf(knex).dialect === 'postgresql') await knex.raw('set local statement_timeout = 0');
    await up(knex);
  },
});
