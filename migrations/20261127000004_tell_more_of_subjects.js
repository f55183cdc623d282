/**
 * The history of an issue or merge request tells of people, texts and dates as well: who came or went, and in words what the title or the
 * target branch was, or which day it is due.
 */
export const up = async (knex) => {
  await knex.raw('alter table resource_events add column person_id bigint references users (id) on delete set null');
  await knex.raw('alter table resource_events add column words text');
  // By which whoever removes a person finds what names them.
  await knex.raw(
    'create index resource_events_person_id_index on resource_events (person_id) where person_id is not null',
  );
};

export const down = async (knex) => {
  await knex.raw("delete from resource_events where kind not in ('label', 'milestone', 'state')");
  await knex.raw('drop index resource_events_person_id_index');
  await knex.raw('alter table resource_events drop column words');
  await knex.raw('alter table resource_events drop column person_id');
};
