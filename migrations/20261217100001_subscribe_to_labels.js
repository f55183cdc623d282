import { reference } from './baseline/columns.js';

// Who is told of what gets a label.
export const up = (knex) =>
  knex.schema.createTable('label_subscriptions', (table) => {
    reference(table, 'label_id', 'labels').notNullable();
    reference(table, 'user_id', 'users').notNullable().index();
    table.timestamp('created_at').notNullable();
    table.primary(['label_id', 'user_id']);
  });

export const down = (knex) => knex.schema.dropTable('label_subscriptions');
