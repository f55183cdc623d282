import { reference } from './baseline/columns.js';

// Milestones of groups, and the numbers that groups give them.
export const up = async (knex) => {
  await knex.schema.createTable('group_milestones', (table) => {
    table.bigIncrements('id');
    reference(table, 'group_id', 'namespaces').notNullable();
    table.bigInteger('iid').notNullable();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('search_key').notNullable();
    table.text('state').notNullable();
    table.text('start_date');
    table.text('due_date');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['group_id', 'iid']);
    table.unique(['group_id', 'title']);
  });
  // The number that the last one got: a number is never given twice.
  await knex.raw('alter table namespaces add column last_milestone_iid bigint');
};

export const down = async (knex) => {
  await knex.raw('alter table namespaces drop column last_milestone_iid');
  await knex.schema.dropTable('group_milestones');
};
