import { keyText } from './columns.js';

export const tables = {
  // Who did what from where. Entries name things and refer to none: they stay when what they tell of is gone.
  audit_entries: (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.bigInteger('author_id');
    table.text('author_name');
    keyText(table, 'author_key').notNullable();
    table.text('means').notNullable();
    table.text('acted_as');
    table.text('client_address');
    table.text('account');
    table.text('place');
    // Those of `account` and `place` that are given, folded, each between line feeds.
    keyText(table, 'about_key').notNullable();
    table.text('subject');
    table.text('detail');
    table.integer('times').notNullable();
    table.timestamp('created_at').notNullable().index();
    table.timestamp('last_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    table.index(['author_key', 'id']);
    table.index(['kind', 'id']);
    table.index(['client_address', 'id']);
  },
};
