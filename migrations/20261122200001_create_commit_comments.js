export const up = async (knex) => {
  await knex.schema.createTable('commit_comments', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.text('commit_id').notNullable();
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.text('note').notNullable();
    // The line of the commit's differences that it is about; null where it is about the commit as a whole.
    table.text('path');
    table.bigInteger('line');
    table.text('line_type');
    table.timestamp('created_at').notNullable();
    table.index(['project_id', 'commit_id', 'id']);
  });
};

export const down = (knex) => knex.schema.dropTable('commit_comments');
