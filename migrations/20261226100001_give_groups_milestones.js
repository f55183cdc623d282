import { reference } from './baseline/columns.js';

// Milestones of groups. A project that uses one has a row of its own for it among its milestones, which says of which it is: so whatever asks
// for milestones by their project goes on, and an older program beside this one takes it for a milestone of the project.
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
  // In SQL: on SQLite Knex would make the table anew for a column that refers to another.
  await knex.raw(
    'alter table milestones add column group_milestone_id bigint references group_milestones (id) on delete cascade',
  );
  await knex.raw(
    'create unique index milestones_group_milestone_id_project_id_unique on milestones (group_milestone_id, project_id) where group_milestone_id is not null',
  );
};

export const down = async (knex) => {
  await knex.raw('drop index milestones_group_milestone_id_project_id_unique');
  // Projects keep those that they use, as their own.
  await knex.raw('alter table milestones drop column group_milestone_id');
  await knex.raw('alter table namespaces drop column last_milestone_iid');
  await knex.schema.dropTable('group_milestones');
};
