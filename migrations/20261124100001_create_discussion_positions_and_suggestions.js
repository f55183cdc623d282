// Where a discussion is that is about lines of a diff. Positions are values: nothing looks for what is within them.
const createPositions = (knex) =>
  knex.schema.createTable('discussion_positions', (table) => {
    table.bigInteger('discussion_id').notNullable().primary().references('discussions.id').onDelete('cascade');
    table.text('position').notNullable();
    table.text('original').notNullable();
    table.text('excerpt').notNullable();
    table.boolean('outdated').notNullable();
  });

// What a comment proposes to write in place of the lines that it is about.
const createSuggestions = (knex) =>
  knex.schema.createTable('suggestions', (table) => {
    table.bigIncrements('id');
    table.bigInteger('note_id').notNullable().references('notes.id').onDelete('cascade').index();
    table.integer('lines_above').notNullable();
    table.integer('lines_below').notNullable();
    table.text('replaced').notNullable();
    table.text('content').notNullable();
    table.boolean('outdated').notNullable();
    table.text('commit_sha');
  });

export const up = async (knex) => {
  await createPositions(knex);
  await createSuggestions(knex);
};

export const down = async (knex) => {
  await knex.schema.dropTable('suggestions');
  await knex.schema.dropTable('discussion_positions');
};
