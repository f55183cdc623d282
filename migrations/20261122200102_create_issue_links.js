export const up = async (knex) => {
  await knex.schema.createTable('issue_links', (table) => {
    table.bigIncrements('id');
    // Of one issue that blocks another, the one that blocks.
    table.bigInteger('source_id').notNullable().references('issues.id').onDelete('cascade');
    table.bigInteger('target_id').notNullable().references('issues.id').onDelete('cascade').index();
    table.text('type').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['source_id', 'target_id']);
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('issue_links');
};
