import { link, reference } from './columns.js';

export const tables = {
  // Keys of people, and those that open projects to machines, in one table: a fingerprint belongs to one of them.
  ssh_keys: (table) => {
    table.bigIncrements('id');
    // Whose key it is; a deploy key is nobody's.
    reference(table, 'user_id', 'users').index();
    // Who made a deploy key: its pushes are in their name.
    link(table, 'creator_id', 'users');
    table.text('title').notNullable();
    // The type and the base64 of the key, without a comment.
    table.text('public_key').notNullable();
    table.text('fingerprint_sha256').notNullable().unique();
    table.text('fingerprint_md5').notNullable().index();
    // A deploy key that every project may enable.
    table.boolean('is_public').notNullable();
    table.timestamp('expires_at');
    table.timestamp('last_used_at');
    table.timestamp('created_at').notNullable();
  },

  deploy_key_projects: (table) => {
    table.bigIncrements('id');
    reference(table, 'ssh_key_id', 'ssh_keys').notNullable();
    reference(table, 'project_id', 'projects').notNullable().index();
    table.boolean('can_push').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.unique(['ssh_key_id', 'project_id']);
  },

  deploy_tokens: (table) => {
    table.bigIncrements('id');
    // One of the two: a token of a group opens every project below it.
    reference(table, 'project_id', 'projects').index();
    reference(table, 'namespace_id', 'namespaces').index();
    table.text('name').notNullable();
    // Null is the name that is made of the id.
    table.text('username');
    table.text('digest').notNullable().unique();
    table.text('scopes').notNullable();
    table.timestamp('expires_at');
    table.timestamp('last_used_at');
    table.timestamp('created_at').notNullable();
  },

  // By which clients know the service over SSH.
  ssh_host_keys: (table) => {
    table.bigIncrements('id');
    table.text('algorithm').notNullable().unique();
    table.text('sealed_private_key').notNullable();
    table.timestamp('created_at').notNullable();
  },
};
