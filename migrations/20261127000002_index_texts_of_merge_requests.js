// Finds merge requests by a part of their texts, as issues are found: by all that they have of three letters in a row.
const SQLITE = [
  `create virtual table merge_request_search
    using fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  'insert into merge_request_search (rowid, text) select id, search_key from merge_requests',
  `create trigger merge_request_search_insert after insert on merge_requests
    begin insert into merge_request_search (rowid, text) values (new.id, new.search_key); end`,
  `create trigger merge_request_search_update after update of search_key on merge_requests
    when old.search_key is not new.search_key
    begin update merge_request_search set text = new.search_key where rowid = new.id; end`,
  `create trigger merge_request_search_delete after delete on merge_requests
    begin delete from merge_request_search where rowid = old.id; end`,
];

// `search_grams` is there since issues have such an index.
const POSTGRES = [
  'create table merge_request_search (id bigint primary key, text text not null)',
  'insert into merge_request_search (id, text) select id, search_key from merge_requests',
  `create index merge_request_search_grams on merge_request_search using gin (search_grams(text))
    with (gin_pending_list_limit = 512)`,
  'alter index merge_request_search_grams alter column 1 set statistics 0',
  `create function keep_merge_request_search() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      insert into merge_request_search (id, text) values (new.id, new.search_key);
    elsif tg_op = 'UPDATE' then
      update merge_request_search set text = new.search_key where id = new.id;
    elsif tg_op = 'DELETE' then
      delete from merge_request_search where id = old.id;
    else
      truncate merge_request_search;
    end if;
    return null;
  end $$`,
  `create trigger merge_request_search_insert after insert on merge_requests
    for each row execute function keep_merge_request_search()`,
  `create trigger merge_request_search_update after update of search_key on merge_requests for each row
    when (old.search_key is distinct from new.search_key) execute function keep_merge_request_search()`,
  `create trigger merge_request_search_delete after delete on merge_requests
    for each row execute function keep_merge_request_search()`,
  `create trigger merge_request_search_truncate after truncate on merge_requests
    for each statement execute function keep_merge_request_search()`,
];

const isPostgres = (knex) => knex.client.dialect === 'postgresql';

export const up = async (knex) => {
  for (const statement of isPostgres(knex) ? POSTGRES : SQLITE) await knex.raw(statement);
};

export const down = async (knex) => {
  const of = isPostgres(knex) ? ' on merge_requests' : '';
  for (const write of ['insert', 'update', 'delete', ...(isPostgres(knex) ? ['truncate'] : [])])
    await knex.raw(`drop trigger merge_request_search_${write}${of}`);
  await knex.raw('drop table merge_request_search');
  if (isPostgres(knex)) await knex.raw('drop function keep_merge_request_search');
};
