export const up = async (knex) => {
  await knex.schema.createTable('project_stars', (table) => {
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade');
    table.timestamp('created_at').notNullable();
    table.primary(['project_id', 'user_id']);
    table.index(['user_id', 'project_id']);
  });
  await knex.schema.createTable('project_forks', (table) => {
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade').primary();
    // Null once the source is gone, or the two were told apart.
    table.bigInteger('source_id').references('projects.id').onDelete('set null').index();
    table.text('import_state').notNullable();
    table.text('import_error');
    table.timestamp('created_at').notNullable();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('project_forks');
  await knex.schema.dropTable('project_stars');
};
