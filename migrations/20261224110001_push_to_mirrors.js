import { reference } from './baseline/columns.js';

// Repositories elsewhere that get what is pushed to a project. One that is due waits for a node, which holds it while it pushes.
export const up = (knex) =>
  knex.schema.createTable('remote_mirrors', (table) => {
    table.bigIncrements('id');
    reference(table, 'project_id', 'projects').notNullable();
    // Without user name and password: those are sealed beside it.
    table.text('url').notNullable();
    table.text('sealed_credentials');
    table.boolean('enabled').notNullable();
    table.boolean('only_protected_branches').notNullable();
    table.boolean('keep_divergent_refs').notNullable();
    table.text('status').notNullable();
    table.text('last_error');
    table.integer('attempts').notNullable();
    // Null where there is nothing to push.
    table.timestamp('due_at').index();
    table.text('held_by');
    table.timestamp('held_until').index();
    table.timestamp('last_update_started_at');
    table.timestamp('last_update_at');
    table.timestamp('last_successful_update_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['project_id', 'id']);
  });

export const down = (knex) => knex.schema.dropTable('remote_mirrors');
