export const up = async (knex) => {
  // What follows a change of code and has to read commits: it is done outside transactions, and by one node at a time.
  await knex.schema.createTable('code_works', (table) => {
    table.bigIncrements('id');
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade').index();
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.text('kind').notNullable();
    table.text('payload').notNullable();
    table.integer('attempts').notNullable();
    table.timestamp('run_at').notNullable().index();
    // Who does it, and until when nobody else does.
    table.text('held_by');
    table.timestamp('created_at').notNullable();
  });
};

export const down = (knex) => knex.schema.dropTable('code_works');
