export const up = async (knex) => {
  // What one person allowed one application, with every token that came of it: revoking this row revokes them all.
  await knex.schema.createTable('oauth_grants', (table) => {
    table.bigIncrements('id');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade');
    table.bigInteger('application_id').references('oauth_applications.id').onDelete('cascade').index();
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
  });
  await knex.schema.createTable('oauth_authorization_codes', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.bigInteger('application_id').notNullable().references('oauth_applications.id').onDelete('cascade').index();
    table.bigInteger('grant_id').references('oauth_grants.id').onDelete('cascade').index();
    table.text('redirect_uri').notNullable();
    table.text('scopes').notNullable();
    table.text('code_challenge');
    table.text('nonce');
    table.timestamp('authenticated_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  });
  await knex.schema.createTable('oauth_access_tokens', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.bigInteger('grant_id').notNullable().references('oauth_grants.id').onDelete('cascade').index();
    table.text('scopes').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').index();
    table.timestamp('revoked_at');
  });
  await knex.schema.createTable('oauth_refresh_tokens', (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.bigInteger('grant_id').notNullable().references('oauth_grants.id').onDelete('cascade').index();
    table.bigInteger('access_token_id').references('oauth_access_tokens.id').onDelete('set null').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('rotated_at');
    table.integer('repeats').notNullable().defaultTo(0);
    table.timestamp('expires_at').index();
  });
};

export const down = async (knex) => {
  for (const table of ['oauth_refresh_tokens', 'oauth_access_tokens', 'oauth_authorization_codes', 'oauth_grants']) {
    await knex.schema.dropTable(table);
  }
};
