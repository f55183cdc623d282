export const tables = {
  // One row for each secret key that values in this database may be sealed with: a start holds its keys against them.
  secret_key_sentinels: (table) => {
    table.bigIncrements('id');
    table.text('sealed_text').notNullable();
    table.timestamp('created_at').notNullable();
  },
};
