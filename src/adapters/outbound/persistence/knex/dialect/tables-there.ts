/* Names of all tables of a database, as `name`, sorted: of whichever program, but not those that an extension brought. */

export interface NamedTable {
  readonly name: string;
}

export const SQLITE_TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!' order by name`;

export const POSTGRES_TABLES = `select relname::text as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by 1`;
