// How many bytes the files of a project have is summed up for each that comes, without looking at the rows.
export const up = (knex) => knex.schema.alterTable('ci_artifacts', (table) => table.index(['project_id', 'size']));

export const down = (knex) =>
  knex.schema.alterTable('ci_artifacts', (table) => table.dropIndex(['project_id', 'size']));
