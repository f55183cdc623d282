export const up = (knex) =>
  knex.schema.createTable('fetch_days', (table) => {
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    // UTC.
    table.text('day').notNullable();
    table.bigInteger('fetches').notNullable();
    table.primary(['project_id', 'day']);
    // By which old ones are removed.
    table.index(['day'], 'fetch_days_day');
  });

export const down = (knex) => knex.schema.dropTable('fetch_days');
