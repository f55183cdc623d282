import { link, reference } from './columns.js';

export const tables = {
  oauth_applications: (table) => {
    table.bigIncrements('id');
    table.text('uid').notNullable().unique();
    table.text('secret_digest').notNullable();
    table.text('name').notNullable();
    table.text('redirect_uris').notNullable();
    table.text('scopes').notNullable();
    table.boolean('confidential').notNullable();
    reference(table, 'owner_id', 'users').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
  },

  // What one person allowed one application, with every token that came of it: revoking this row revokes them all.
  oauth_grants: (table) => {
    table.bigIncrements('id');
    reference(table, 'user_id', 'users').notNullable();
    reference(table, 'application_id', 'oauth_applications').index();
    table.text('kind').notNullable();
    table.text('scopes').notNullable();
    table.text('nonce');
    table.timestamp('authenticated_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('last_used_at');
    table.timestamp('revoked_at');
    table.text('revocation_reason');
    table.timestamp('expires_at').index();
    table.index(['user_id', 'application_id']);
  },

  oauth_authorization_codes: (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    reference(table, 'user_id', 'users').notNullable().index();
    reference(table, 'application_id', 'oauth_applications').notNullable().index();
    reference(table, 'grant_id', 'oauth_grants').index();
    table.text('redirect_uri').notNullable();
    table.text('scopes').notNullable();
    table.text('code_challenge');
    table.text('nonce');
    table.timestamp('authenticated_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  },

  oauth_access_tokens: (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    reference(table, 'grant_id', 'oauth_grants').notNullable().index();
    table.text('scopes').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').index();
    table.timestamp('revoked_at');
  },

  oauth_refresh_tokens: (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    reference(table, 'grant_id', 'oauth_grants').notNullable().index();
    link(table, 'access_token_id', 'oauth_access_tokens').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('rotated_at');
    table.integer('repeats').notNullable().defaultTo(0);
    table.timestamp('expires_at').index();
  },

  signing_keys: (table) => {
    table.bigIncrements('id');
    table.text('kid').notNullable().unique();
    table.text('public_jwk').notNullable();
    table.text('sealed_private_jwk').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('retired_at');
  },
};
