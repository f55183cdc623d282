/** Which labels of a project matter most: the least number first, none where nobody said. */
export const up = (knex) => knex.raw('alter table labels add column priority integer');

export const down = (knex) => knex.raw('alter table labels drop column priority');
