export const up = async (knex) => {
  await knex.schema.alterTable('repositories', (table) => {
    // What came since its files were packed together last.
    table.bigInteger('unpacked_pushes').notNullable().defaultTo(0);
    table.bigInteger('unpacked_bytes').notNullable().defaultTo(0);
    // When what nothing leads to was last put apart, and at which version of the refs; null where some of it waits for its end.
    table.timestamp('repacked_at');
    table.bigInteger('repacked_version');
    // Packs that were replaced then are still to be removed.
    table.timestamp('replaced_at');
    // Not before then: it failed, or was only just done.
    table.timestamp('housekeeping_after');
  });
  await knex.schema.alterTable('object_pools', (table) => {
    table.timestamp('packed_at');
    table.timestamp('replaced_at');
    table.timestamp('housekeeping_after');
  });
};

export const down = async (knex) => {
  for (const column of ['packed_at', 'replaced_at', 'housekeeping_after'])
    await knex.raw(`alter table object_pools drop column ${column}`);
  const added = ['unpacked_pushes', 'unpacked_bytes', 'repacked_at', 'repacked_version', 'replaced_at'];
  for (const column of [...added, 'housekeeping_after'])
    await knex.raw(`alter table repositories drop column ${column}`);
};
