import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { insertInto, typedColumns } from '../../src/adapters/outbound/persistence/knex/insert-rows.js';
import { describeEachDatabase } from '../support/databases.js';

const TEXTS = [
  'plain',
  '',
  ' around ',
  'NULL',
  '{braces}, {commas},',
  '"quoted"',
  "it's",
  'back\\slash and \\"both\\"',
  '\\',
  'lines\nand\ttabs\r\n',
  '\u0001 control \u001f \u007f',
  '{"title":"The engine is \\"hot\\"","path":"C:\\\\engine"}',
  'Ünïcode, 漢字, 🚂 and \u2028',
];
const INSERT = insertInto('activity_events', [
  'feed',
  'author_id',
  'action',
  'target_type',
  'target_iid',
  'target_title',
  'created_at',
]);
const SOUGHT = typedColumns('activity_events', ['target_title']);
const AT = new Date('2026-03-01T12:34:56.789Z');
const titlesOf = (rows: readonly { readonly target_title: string | null }[]) => rows.map((row) => row.target_title);

describeEachDatabase('rows that are written as a set', (openTestDatabase) => {
  let database: Database;

  beforeAll(async () => {
    database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
    await database.transact((session) =>
      INSERT(
        session,
        [...TEXTS, null].map((text, index) => [
          7,
          1,
          1,
          0,
          index === 0 ? null : 2 ** 40 + index,
          text,
          session.dialect.writeInstant(new Date(AT.getTime() + index)),
        ]),
      ),
    );
  });

  afterAll(() => database.close());

  it('keep their texts, numbers, instants and what is absent as they were given', async () => {
    const { query, dialect } = database.reader;
    const rows = await query('activity_events').where({ feed: 7 }).orderBy('id');
    expect(titlesOf(rows)).toEqual([...TEXTS, null]);
    expect(rows.map((row) => row.target_iid)).toEqual(
      [...TEXTS, null].map((_, index) => (index === 0 ? null : 2 ** 40 + index)),
    );
    expect(rows.map((row) => dialect.readInstant(row.created_at).getTime() - AT.getTime())).toEqual(
      rows.map((_, index) => index),
    );
  });

  it.each(TEXTS)('are found again by a text of a list: %j', async (text) => {
    const { reader } = database;
    const { dialect } = reader;
    const sql = `select target_title from activity_events where feed = 7 and ${dialect.isOneOf('target_title')}`;
    expect(titlesOf(await reader.run(sql, [dialect.writeTexts(['nowhere', text])]))).toEqual([text]);
  });

  it('are found again beside a set of rows', async () => {
    const { reader } = database;
    const { dialect } = reader;
    const sql = `select activity_events.target_title from activity_events
      join ${dialect.rowsAs('sought', SOUGHT)} on sought.target_title = activity_events.target_title
      where feed = 7 order by activity_events.id`;
    const bindings = dialect.writeRows(
      SOUGHT,
      [...TEXTS, null].map((text) => [text]),
    );
    expect(titlesOf(await reader.run(sql, bindings))).toEqual(TEXTS);
  });
});
