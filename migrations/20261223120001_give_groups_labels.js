import { reference } from './baseline/columns.js';

// Labels of groups. A project that uses one has a row of its own for it among its labels, which says of which it is: so whatever asks for
// labels by their project goes on, and an older program beside this one takes it for a label of the project.
export const up = async (knex) => {
  await knex.schema.createTable('group_labels', (table) => {
    table.bigIncrements('id');
    reference(table, 'group_id', 'namespaces').notNullable();
    table.text('name').notNullable();
    table.text('color').notNullable();
    table.text('description').notNullable();
    table.timestamp('created_at').notNullable();
    table.unique(['group_id', 'name']);
  });
  await knex.schema.createTable('group_label_subscriptions', (table) => {
    reference(table, 'group_label_id', 'group_labels').notNullable();
    reference(table, 'user_id', 'users').notNullable().index();
    table.timestamp('created_at').notNullable();
    table.primary(['group_label_id', 'user_id']);
  });
  // In SQL: on SQLite Knex would make the table anew for a column that refers to another.
  await knex.raw('alter table labels add column group_label_id bigint references group_labels (id) on delete cascade');
  await knex.raw(
    'create index labels_of_group_labels on labels (group_label_id, project_id) where group_label_id is not null',
  );
};

export const down = async (knex) => {
  await knex.raw('drop index labels_of_group_labels');
  // Projects keep those that they use, as their own.
  await knex.raw('alter table labels drop column group_label_id');
  await knex.schema.dropTable('group_label_subscriptions');
  await knex.schema.dropTable('group_labels');
};
