import { reference } from './baseline/columns.js';

// Who asks to be a member of a project or a group.
export const up = (knex) =>
  knex.schema.createTable('access_requests', (table) => {
    table.bigIncrements('id');
    reference(table, 'user_id', 'users').notNullable();
    // One of the two.
    reference(table, 'project_id', 'projects');
    reference(table, 'namespace_id', 'namespaces');
    table.timestamp('requested_at').notNullable();
    // Null while it is open. Afterwards it is remembered for a while, so that who asks again and again has nobody mailed each time.
    table.timestamp('expires_at').index();
    table.unique(['user_id', 'project_id']);
    table.unique(['user_id', 'namespace_id']);
    table.index(['project_id', 'id']);
    table.index(['namespace_id', 'id']);
  });

export const down = (knex) => knex.schema.dropTable('access_requests');
