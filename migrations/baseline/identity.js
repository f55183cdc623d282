import { keyText, reference } from './columns.js';

export const tables = {
  users: (table) => {
    table.bigIncrements('id');
    table.text('username').notNullable();
    keyText(table, 'username_key').notNullable().unique();
    table.text('name').notNullable();
    keyText(table, 'search_key').notNullable();
    table.text('state').notNullable();
    table.boolean('admin').notNullable();
    table.text('password_hash');
    table.integer('failed_attempts').notNullable();
    table.timestamp('locked_until');
    table.text('two_factor_sealed_secret');
    table.text('two_factor_recovery_digests');
    table.bigInteger('two_factor_last_time_step');
    table.timestamp('created_at').notNullable();
    table.timestamp('last_sign_in_at');
    table.text('bio');
    // The name of the zone in which a person is shown times, as in Europe/Berlin.
    table.text('time_zone');
  },

  // Two accounts may have one address as long as neither has confirmed it; once one has, it belongs to that account alone.
  emails: (table) => {
    table.bigIncrements('id');
    reference(table, 'user_id', 'users').notNullable().index();
    table.text('address').notNullable();
    keyText(table, 'address_key').notNullable().index();
    table.boolean('is_primary').notNullable();
    table.timestamp('confirmed_at');
    table.timestamp('created_at').notNullable();
    // A link for a new password may go to this address.
    table.timestamp('recovery_since');
    table.unique(['user_id', 'address_key']);
  },

  personal_access_tokens: (table) => {
    table.bigIncrements('id');
    reference(table, 'user_id', 'users').notNullable().index();
    table.text('digest').notNullable().unique();
    table.text('name').notNullable();
    table.text('scopes').notNullable();
    table.text('expires_at');
    table.timestamp('revoked_at');
    table.timestamp('last_used_at');
    table.timestamp('created_at').notNullable();
  },

  sessions: (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    reference(table, 'user_id', 'users').notNullable().index();
    table.text('stage').notNullable();
    table.text('data').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('last_seen_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    // When the password, and the second factor where it is on, was last proved.
    table.timestamp('proved_at');
    // Where it was opened, and by what: so that its owner knows which one it is.
    table.text('client_address');
    table.text('user_agent');
  },

  one_time_tokens: (table) => {
    table.bigIncrements('id');
    table.text('digest').notNullable().unique();
    table.text('purpose').notNullable();
    reference(table, 'user_id', 'users').notNullable().index();
    reference(table, 'email_id', 'emails').index();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  },

  // What was done to an account, as its owner is told.
  security_events: (table) => {
    table.bigIncrements('id');
    reference(table, 'user_id', 'users').notNullable();
    table.text('act').notNullable();
    // What the act was about, such as an address or the name of a token.
    table.text('subject');
    table.text('means').notNullable();
    // Of a token, an application or an administrator.
    table.text('means_name');
    table.text('client_address');
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['user_id', 'id']);
  },
};

export const indexes = [
  'create unique index emails_address_key_unique on emails (address_key) where confirmed_at is not null',
];
