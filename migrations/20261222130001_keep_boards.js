import { reference } from './baseline/columns.js';

// Boards with their lists, each of a label; and where an issue stands among those of its project.
export const up = async (knex) => {
  await knex.schema.createTable('boards', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    table.text('name').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['project_id', 'id']);
  });
  await knex.schema.createTable('board_lists', (table) => {
    table.bigIncrements('id');
    reference(table, 'board_id', 'boards').notNullable();
    reference(table, 'label_id', 'labels').notNullable().index();
    // Counted from 0 when lists are moved; those of a label that is removed leave gaps.
    table.integer('position').notNullable();
    table.unique(['board_id', 'label_id']);
  });
  // Null as long as nobody has moved it: then it stands by its number, far enough from its neighbours for others to come between.
  await knex.schema.alterTable('issues', (table) => table.bigInteger('relative_position'));
  // Shifted, not multiplied: of numbers that nobody has PostgreSQL would refuse what is beyond 64 bits.
  // Beside the order it has what lists filter by, as the others do.
  await knex.raw(`create index issues_of_project_by_place on issues
    (project_id, coalesce(relative_position, (iid << 20)), id, state, confidential, author_id, kind, milestone_id)`);
};

export const down = async (knex) => {
  await knex.raw('drop index issues_of_project_by_place');
  // In words of its own: the query builder would make the table anew, without its triggers.
  await knex.raw('alter table issues drop column relative_position');
  await knex.schema.dropTable('board_lists');
  await knex.schema.dropTable('boards');
};
