// Finds issues by a part of their texts: by all that it has of three letters in a row. Kept by triggers, whoever writes an issue and how.
// Rows of it are made of those of issues, so nothing copies them: wherever issues are written, they appear.
const SQLITE = [
  `create virtual table issue_search
    using fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  'insert into issue_search (rowid, text) select id, search_key from issues',
  `create trigger issue_search_insert after insert on issues
    begin insert into issue_search (rowid, text) values (new.id, new.search_key); end`,
  `create trigger issue_search_update after update of search_key on issues when old.search_key is not new.search_key
    begin update issue_search set text = new.search_key where rowid = new.id; end`,
  'create trigger issue_search_delete after delete on issues begin delete from issue_search where rowid = old.id; end',
];

// A table of its own: an index of issues themselves would be written again whenever anything of an issue changes.
const POSTGRES = [
  // Three code points of 21 bits each. Its cost keeps the planner from calling it for row after row.
  `create function search_grams(body text) returns bigint[] language sql immutable strict parallel safe cost 1000 as $$
    select array(select distinct (one << 42) | (two << 21) | three from (
      select cast(ascii(letter) as bigint) as one,
        cast(ascii(lead(letter, 1) over following) as bigint) as two,
        cast(ascii(lead(letter, 2) over following) as bigint) as three
      from unnest(string_to_array(body, null)) with ordinality as letters (letter, place)
      window following as (order by place)
    ) as grams where three is not null)
  $$`,
  'create table issue_search (id bigint primary key, text text not null)',
  'insert into issue_search (id, text) select id, search_key from issues',
  `create index issue_search_grams on issue_search using gin (search_grams(text)) with (gin_pending_list_limit = 512)`,
  // What is frequent in it is never asked for, and takes long to find out.
  'alter index issue_search_grams alter column 1 set statistics 0',
  `create function keep_issue_search() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      insert into issue_search (id, text) values (new.id, new.search_key);
    elsif tg_op = 'UPDATE' then
      update issue_search set text = new.search_key where id = new.id;
    elsif tg_op = 'DELETE' then
      delete from issue_search where id = old.id;
    else
      truncate issue_search;
    end if;
    return null;
  end $$`,
  `create trigger issue_search_insert after insert on issues for each row execute function keep_issue_search()`,
  `create trigger issue_search_update after update of search_key on issues for each row
    when (old.search_key is distinct from new.search_key) execute function keep_issue_search()`,
  `create trigger issue_search_delete after delete on issues for each row execute function keep_issue_search()`,
  `create trigger issue_search_truncate after truncate on issues for each statement execute function keep_issue_search()`,
];

const isPostgres = (knex) => knex.client.dialect === 'postgresql';

export const up = async (knex) => {
  for (const statement of isPostgres(knex) ? POSTGRES : SQLITE) await knex.raw(statement);
};

export const down = async (knex) => {
  const of = isPostgres(knex) ? ' on issues' : '';
  for (const write of ['insert', 'update', 'delete', ...(isPostgres(knex) ? ['truncate'] : [])])
    await knex.raw(`drop trigger issue_search_${write}${of}`);
  await knex.raw('drop table issue_search');
  if (!isPostgres(knex)) return;
  await knex.raw('drop function keep_issue_search');
  await knex.raw('drop function search_grams');
};
