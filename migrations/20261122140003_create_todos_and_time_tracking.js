export const up = async (knex) => {
  await knex.schema.createTable('todos', (table) => {
    table.bigIncrements('id');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade');
    table.bigInteger('subject_id').notNullable().references('subjects.id').onDelete('cascade');
    // The comment that asks for it, where one does.
    table.bigInteger('note_id').references('notes.id').onDelete('set null').index();
    table.bigInteger('author_id').references('users.id').onDelete('set null').index();
    table.text('action').notNullable();
    table.text('state').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['user_id', 'state', 'id', 'subject_id']);
    table.index(['subject_id', 'user_id', 'state']);
  });
  // Nobody is asked twice for what they have not done yet; but each comment may ask.
  await knex.raw(
    "create unique index todos_pending on todos (user_id, subject_id, action) where state = 'pending' and note_id is null",
  );
  await knex.raw('create unique index todos_of_note on todos (user_id, note_id, action) where note_id is not null');
  await knex.schema.createTable('time_tracking', (table) => {
    table.bigInteger('subject_id').notNullable().primary().references('subjects.id').onDelete('cascade');
    table.bigInteger('estimated_seconds').notNullable();
    table.bigInteger('spent_seconds').notNullable();
  });
};

export const down = async (knex) => {
  await knex.schema.dropTable('time_tracking');
  await knex.schema.dropTable('todos');
};
