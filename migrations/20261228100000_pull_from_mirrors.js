import { link, reference } from './baseline/columns.js';

// Repositories elsewhere that projects follow, one each. One that is due waits for a node, which holds it while it fetches.
export const up = (knex) =>
  knex.schema.createTable('pull_mirrors', (table) => {
    reference(table, 'project_id', 'projects').notNullable().primary();
    // In whose name; nobody once they are gone.
    link(table, 'user_id', 'users').index();
    // Without user name and password: those are sealed beside it.
    table.text('url').notNullable();
    table.text('sealed_credentials');
    table.boolean('enabled').notNullable();
    table.boolean('only_protected_branches').notNullable();
    table.boolean('overwrites_diverged').notNullable();
    table.boolean('triggers_builds').notNullable();
    table.text('status').notNullable();
    table.text('last_error');
    // In a row.
    table.integer('failures').notNullable();
    // Null where it is not tried by itself.
    table.timestamp('due_at').index();
    table.text('held_by');
    table.timestamp('held_until').index();
    table.timestamp('last_update_started_at');
    table.timestamp('last_update_at');
    table.timestamp('last_successful_update_at');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  });

export const down = (knex) => knex.schema.dropTable('pull_mirrors');
