// A comment that somebody has answered is the first of a discussion, and so is one that was written to be.
const createDiscussions = async (knex) => {
  await knex.schema.createTable('discussions', (table) => {
    table.bigIncrements('id');
    table.bigInteger('subject_id').notNullable().references('subjects.id').onDelete('cascade');
    // What it is called by. No reference: the first comment may be removed while others stay.
    table.bigInteger('first_note_id').notNullable();
    table.timestamp('resolved_at');
    table.bigInteger('resolved_by_id').references('users.id').onDelete('set null').index();
    table.unique(['subject_id', 'first_note_id']);
  });
  // By hand: the builder would copy the whole table on one of the databases.
  await knex.raw(
    'alter table notes add column discussion_id bigint constraint notes_discussion_id_foreign references discussions (id) on delete set null',
  );
  await knex.schema.alterTable('notes', (table) => {
    table.index(['discussion_id', 'id']);
    table.index(['subject_id', 'discussion_id', 'id']);
  });
};

const createAwards = async (knex) => {
  await knex.schema.createTable('awards', (table) => {
    table.bigIncrements('id');
    table.bigInteger('subject_id').notNullable().references('subjects.id').onDelete('cascade');
    // Null where the subject itself is awarded.
    table.bigInteger('note_id').references('notes.id').onDelete('cascade');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.text('name').notNullable();
    table.timestamp('created_at').notNullable();
    table.index(['subject_id', 'note_id', 'id']);
    table.index(['note_id', 'id']);
  });
  // One person gives one thing one award of a name.
  await knex.raw(
    'create unique index awards_subject_id_name_user_id_unique on awards (subject_id, name, user_id) where note_id is null',
  );
  await knex.raw(
    'create unique index awards_note_id_name_user_id_unique on awards (note_id, name, user_id) where note_id is not null',
  );
};

export const up = async (knex) => {
  await createDiscussions(knex);
  await createAwards(knex);
};

export const down = async (knex) => {
  await knex.schema.dropTable('awards');
  await knex.schema.alterTable('notes', (table) => {
    table.dropIndex(['subject_id', 'discussion_id', 'id']);
    table.dropIndex(['discussion_id', 'id']);
  });
  await knex.raw('alter table notes drop column discussion_id');
  await knex.schema.dropTable('discussions');
};
