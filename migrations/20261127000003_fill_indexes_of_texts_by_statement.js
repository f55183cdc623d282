// Issues and merge requests that are written by one statement get into their indexes of texts by one. Row by row PostgreSQL began the function
// that finds their letters anew for each, which took as long as all else that an incident is.
const TABLES = ['issue', 'merge_request'];

// The same numbers as before, so the indexes stay: three code points of 21 bits each. A text of ASCII alone is read by its bytes, a quarter of
// the work. In this language what it does is planned once for a connection. A number may come twice: the index takes it once.
const GRAMS = `create or replace function search_grams(body text) returns bigint[]
  language plpgsql immutable strict parallel safe cost 1000 as $$
  declare
    bytes bytea;
    letters bigint[];
  begin
    if octet_length(body) = char_length(body) then
      bytes := convert_to(body, 'UTF8');
      return array(
        select (cast(get_byte(bytes, place) as bigint) << 42)
          | (cast(get_byte(bytes, place + 1) as bigint) << 21) | get_byte(bytes, place + 2)
        from generate_series(0, octet_length(bytes) - 3) as place);
    end if;
    letters := array(select ascii(letter) from unnest(string_to_array(body, null)) as letter);
    return array(
      select (letters[place] << 42) | (letters[place + 1] << 21) | letters[place + 2]
      from generate_series(1, cardinality(letters) - 2) as place);
  end $$`;

const GRAMS_BEFORE = `create or replace function search_grams(body text) returns bigint[]
  language sql immutable strict parallel safe cost 1000 as $$
  select array(select distinct (one << 42) | (two << 21) | three from (
    select cast(ascii(letter) as bigint) as one,
      cast(ascii(lead(letter, 1) over following) as bigint) as two,
      cast(ascii(lead(letter, 2) over following) as bigint) as three
    from unnest(string_to_array(body, null)) with ordinality as letters (letter, place)
    window following as (order by place)
  ) as grams where three is not null)
$$`;

const byStatement = (of) => [
  `drop trigger ${of}_search_insert on ${of}s`,
  `create function fill_${of}_search() returns trigger language plpgsql as $$ begin
    insert into ${of}_search (id, text) select id, search_key from written;
    return null;
  end $$`,
  `create trigger ${of}_search_insert after insert on ${of}s referencing new table as written
    for each statement execute function fill_${of}_search()`,
];

const byRow = (of) => [
  `drop trigger ${of}_search_insert on ${of}s`,
  `drop function fill_${of}_search`,
  `create trigger ${of}_search_insert after insert on ${of}s for each row execute function keep_${of}_search()`,
];

const run = async (knex, statements) => {
  if (knex.client.dialect !== 'postgresql') return;
  for (const statement of statements) await knex.raw(statement);
};

export const up = (knex) => run(knex, [GRAMS, ...TABLES.flatMap(byStatement)]);

export const down = (knex) => run(knex, [...TABLES.flatMap(byRow), GRAMS_BEFORE]);
