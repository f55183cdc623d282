export const up = async (knex) => {
  await knex.schema.createTable('error_tracking_settings', (table) => {
    table.bigInteger('project_id').notNullable().primary().references('projects.id').onDelete('cascade');
    table.boolean('active').notNullable();
    table.text('api_url').notNullable();
    table.text('project_name');
    table.text('tracker_external_url');
    table.text('sealed_token');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('error_tracking_settings');
};
