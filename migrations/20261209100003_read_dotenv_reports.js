// What a job says in a dotenv report is read once, when it comes.
export const up = (knex) => knex.schema.alterTable('ci_artifacts', (table) => table.text('variables'));

export const down = (knex) => knex.schema.alterTable('ci_artifacts', (table) => table.dropColumn('variables'));
