import { describe, expect, it } from '@jest/globals';
import { changesOf } from '../../../src/adapters/outbound/persistence/knex/dialect/migrating/changes-of.js';

/** What is done to which table, how, and who waits. */
const told = (statement: string, isFile: boolean): readonly string[] =>
  changesOf([statement], isFile).map(({ table, what, work, waiting }) => `${table}: ${what}, ${work}, ${waiting}`);

describe('what a statement of a migration does on PostgreSQL', () => {
  it.each([
    ['alter table "users" add column "time_zone" text', ['users: adds a column, instant, everybody']],
    [
      `alter table "projects" add column "a" text not null default 'default_off', add column "b" boolean default '1'`,
      ['projects: adds a column, instant, everybody', 'projects: adds a column, instant, everybody'],
    ],
    ['alter table "x" add column "id" bigserial', ['x: adds a column, rewrites the table, everybody']],
    ['alter table x add column at timestamptz default now()', ['x: adds a column, rewrites the table, everybody']],
    [
      'alter table issues add column moved_to_id bigint constraint c references issues (id) on delete set null',
      ['issues: adds a column with a foreign key, reads, everybody'],
    ],
    [
      'alter table "x" add constraint "c" foreign key ("a", "b") references "y" ("a", "b")',
      ['x: adds a constraint, reads, everybody'],
    ],
    [
      'alter table x add constraint c foreign key (a) references y (a) not valid',
      ['x: adds a constraint, instant, everybody'],
    ],
    ['alter table x validate constraint c', ['x: checks a constraint, reads, nobody']],
    ['alter table "x" add constraint "u" unique ("a", "b")', ['x: adds a unique index, builds an index, everybody']],
    ['alter table "x" alter column "a" set not null', ['x: forbids empty values, reads, everybody']],
    [
      'alter table "x" alter column "a" type bigint',
      ['x: changes the type of a column, rewrites the table, everybody'],
    ],
    ['alter table "x" drop column "a"', ['x: drops a column, instant, everybody']],
    ['create index "i" on "x" ("a", "b")', ['x: adds an index, builds an index, writers']],
    ['create index concurrently i on x (a)', ['x: adds an index, builds an index, nobody']],
    ['drop index "i"', ['i: an index that is dropped, instant, everybody']],
    ['update "x" set "a" = ? where "id" = ?', ['x: changes rows, changes rows, writers']],
    ['delete from x where a is null', ['x: removes rows, changes rows, writers']],
    ['insert into x (a) select a from y where b', ['y: is copied, changes rows, nobody']],
    ['select "id" from "x" where "a" is null limit ?', ['x: looks for rows, reads, nobody']],
    ['set local statement_timeout = 0', []],
    ['alter index i alter column 1 set statistics 0', []],
    ['select * from information_schema.tables where table_name = ?', []],
    ['cluster x', ['the database: "cluster x", rewrites the table, everybody']],
    ['alter table x set unlogged', ['x: "set unlogged", rewrites the table, everybody']],
  ])('%s', (statement, expected) => {
    expect(told(statement, false)).toEqual(expected);
  });
});

describe('what a statement of a migration does on SQLite', () => {
  it.each([
    ['alter table `users` add column `time_zone` text', ['users: adds a column, instant, writers']],
    ['alter table x drop column a', ['x: drops a column, rewrites the table, writers']],
    ['insert into x_rebuilt select * from x where rowid > ?', ['x: is written anew, rewrites the table, writers']],
    ['PRAGMA foreign_keys', []],
    ["select name from sqlite_master where type = 'table'", []],
    ['create virtual table x using fts5(text)', ['x: is created, instant, nobody']],
    ['create trigger t after delete on x begin delete from y; end', ['x: adds a trigger, instant, writers']],
  ])('%s', (statement, expected) => {
    expect(told(statement, true)).toEqual(expected);
  });
});

it('what a migration does to a table that it has just created is not told', () => {
  expect(
    changesOf(['create table "x" ("a" text)', 'create index "i" on "x" ("a")', 'update x set a = 1'], false),
  ).toEqual([{ table: 'x', what: 'is created', work: 'instant', waiting: 'nobody' }]);
});

it('a table that is replaced by a copy of itself is written anew', () => {
  const statements = [
    'create table `x_copy` (`a` text)',
    'insert into x_copy select * from x',
    'drop table `x`',
    'alter table x_copy rename to x',
  ];
  expect(changesOf(statements, true)).toEqual([
    { table: 'x', what: 'is written anew', work: 'rewrites the table', waiting: 'writers' },
  ]);
});
