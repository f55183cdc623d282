/** The history of an issue tells which merge request closed it; which commit did stands in its words. */
export const up = async (knex) => {
  await knex.raw(
    'alter table resource_events add column merge_request_id bigint references merge_requests (id) on delete set null',
  );
  // By which whoever removes a merge request finds what names it.
  await knex.raw(
    'create index resource_events_merge_request_id_index on resource_events (merge_request_id) where merge_request_id is not null',
  );
};

export const down = async (knex) => {
  await knex.raw('drop index resource_events_merge_request_id_index');
  await knex.raw("update resource_events set words = null where kind = 'state'");
  await knex.raw('alter table resource_events drop column merge_request_id');
};
