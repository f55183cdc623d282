// How a job stood when receivers of the webhooks of its project were told of it last.
export const up = (knex) => knex.schema.alterTable('ci_jobs', (table) => void table.text('told_status'));

export const down = (knex) => knex.schema.alterTable('ci_jobs', (table) => table.dropColumn('told_status'));
