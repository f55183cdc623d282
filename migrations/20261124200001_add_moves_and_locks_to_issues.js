// Where an issue went, what it repeats, and whether only members may comment on it.
const COLUMNS = ['moved_to_id', 'duplicated_to_id'];

export const up = async (knex) => {
  // By hand: the builder would copy the whole table on one of the databases.
  for (const column of COLUMNS) {
    await knex.raw(
      `alter table issues add column ${column} bigint constraint issues_${column}_foreign references issues (id) on delete set null`,
    );
    await knex.raw(`create index issues_${column}_index on issues (${column}) where ${column} is not null`);
  }
  await knex.raw('alter table issues add column discussion_locked boolean');
};

export const down = async (knex) => {
  await knex.raw('alter table issues drop column discussion_locked');
  for (const column of COLUMNS) {
    await knex.raw(`drop index issues_${column}_index`);
    await knex.raw(`alter table issues drop column ${column}`);
  }
};
