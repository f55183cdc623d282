// A subject is what people talk about. Each has a row here, whatever its kind: what is said of it, who hears of it and which labels it has
// refer to that row, and so does the row of its kind, which has the same id. Issues that are there keep their ids.

// SQLite can't change what a column refers to: it gets the table written anew, and enforces no references meanwhile.
export const config = { transaction: false };

const ROWS_AT_ONCE = 2_000;

/** What referred to issues: what it was called, and what it is called. */
const REFERRING = [
  ['notes', 'notes'],
  ['issue_labels', 'subject_labels'],
  ['issue_subscriptions', 'subscriptions'],
  ['notification_causes', 'notification_causes'],
];

const onPostgres = (knex) => knex.client.dialect === 'postgresql';

/** Runs a statement for some rows at a time, from one value of a column to another. */
const inRanges = async (knex, table, column, run) => {
  for (let from = 0, more = true; more;) {
    const rows = knex(table).where(column, '>', from);
    const [end] = await rows.clone().orderBy(column).offset(ROWS_AT_ONCE).limit(1).pluck(column);
    await run(from, end ?? Number.MAX_SAFE_INTEGER);
    more = end !== undefined;
    from = end;
  }
};

const fillSubjects = (knex) =>
  inRanges(knex, 'issues', 'id', (from, to) =>
    knex.raw(
      "insert into subjects (id, kind, project_id) select id, 'issue', project_id from issues where id > ? and id <= ?",
      [from, to],
    ),
  );

const createSubjects = (knex) =>
  knex.schema.createTable('subjects', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade');
    table.index(['project_id', 'id']);
  });

const rename = async (knex) => {
  for (const [before, table] of REFERRING) {
    if (before !== table) await knex.raw(`alter table ${before} rename to ${table}`);
    await knex.raw(`alter table ${table} rename column issue_id to subject_id`);
  }
  await knex.raw('alter table activity_events rename column issue_id to subject_id');
};

const renameBack = async (knex) => {
  await knex.raw('alter table activity_events rename column subject_id to issue_id');
  for (const [before, table] of REFERRING) {
    await knex.raw(`alter table ${table} rename column subject_id to issue_id`);
    if (before !== table) await knex.raw(`alter table ${table} rename to ${before}`);
  }
};

// SQLite

/** Writes a table anew, by another definition of the same columns. */
const rebuild = async (knex, table, redefine) => {
  const [before] = await knex('sqlite_master').where({ type: 'table', name: table }).pluck('sql');
  const indexes = await knex('sqlite_master')
    .where({ type: 'index', tbl_name: table })
    .whereNotNull('sql')
    .pluck('sql');
  const rebuilt = `${table}_rebuilt`;
  await knex.raw(redefine(before).replace(/^create table\s+[`"]?\w+[`"]?/i, `create table ${rebuilt}`));
  await inRanges(knex, table, 'rowid', (from, to) =>
    knex.raw(`insert into ${rebuilt} select * from ${table} where rowid > ? and rowid <= ?`, [from, to]),
  );
  const [last] = await knex('sqlite_sequence').where({ name: table }).pluck('seq');
  await knex.schema.dropTable(table);
  await knex.raw(`alter table ${rebuilt} rename to ${table}`);
  for (const sql of indexes) await knex.raw(sql);
  // No id is given out a second time.
  if (last !== undefined) await knex('sqlite_sequence').where({ name: table }).update({ seq: last });
};

const referTo = (target, column) => (sql) =>
  sql.replace(
    new RegExp(`(foreign key\\s*\\([\`"]?${column}[\`"]?\\)\\s*references\\s*)[\`"]?\\w+[\`"]?`, 'i'),
    `$1\`${target}\``,
  );

const countFrom = async (knex, table, other) => {
  const [last] = await knex('sqlite_sequence').where({ name: other }).pluck('seq');
  await knex('sqlite_sequence').where({ name: table }).delete();
  if (last !== undefined) await knex('sqlite_sequence').insert({ name: table, seq: last });
};

const COUNTED = '`id` integer not null primary key autoincrement';
const GIVEN = '`id` integer not null primary key';
const OF_SUBJECT = ', foreign key(`id`) references `subjects`(`id`) on delete cascade)';

const uncheckedOnSqlite = async (knex, work) => {
  await knex.raw('pragma foreign_keys = off');
  try {
    await knex.transaction(async (transaction) => {
      await work(transaction);
      const broken = await transaction.raw('pragma foreign_key_check');
      if (broken.length > 0) throw new Error(`${broken.length} rows refer to nothing. Nothing was changed.`);
    });
  } finally {
    await knex.raw('pragma foreign_keys = on');
  }
};

const upOnSqlite = (knex) =>
  uncheckedOnSqlite(knex, async (transaction) => {
    await createSubjects(transaction);
    await fillSubjects(transaction);
    await countFrom(transaction, 'subjects', 'issues');
    await rebuild(transaction, 'issues', (sql) => sql.replace(COUNTED, GIVEN).replace(/\)$/, OF_SUBJECT));
    await rename(transaction);
    for (const [, table] of REFERRING) await rebuild(transaction, table, referTo('subjects', 'subject_id'));
  });

const downOnSqlite = (knex) =>
  uncheckedOnSqlite(knex, async (transaction) => {
    await renameBack(transaction);
    for (const [table] of REFERRING) await rebuild(transaction, table, referTo('issues', 'issue_id'));
    await rebuild(transaction, 'issues', (sql) => sql.replace(GIVEN, COUNTED).replace(OF_SUBJECT, ')'));
    await countFrom(transaction, 'issues', 'subjects');
    await transaction.schema.dropTable('subjects');
  });

// PostgreSQL

const refer = async (knex, table, column, target) => {
  const name = `${table}_${column}_foreign`;
  await knex.raw(
    `alter table ${table} add constraint ${name} foreign key (${column}) references ${target} (id) on delete cascade`,
  );
};

const unlimitedOnPostgres = (knex, work) =>
  knex.transaction(async (transaction) => {
    // To check that all rows of a table refer to something may take longer than any request may.
    await transaction.raw('set local statement_timeout = 0');
    await work(transaction);
  });

const upOnPostgres = (knex) =>
  unlimitedOnPostgres(knex, async (transaction) => {
    await createSubjects(transaction);
    await fillSubjects(transaction);
    await transaction.raw("select setval('subjects_id_seq', last_value, is_called) from issues_id_seq");
    await transaction.raw('alter table issues alter column id drop default');
    await transaction.raw('drop sequence issues_id_seq');
    await refer(transaction, 'issues', 'id', 'subjects');
    for (const [before] of REFERRING)
      await transaction.raw(`alter table ${before} drop constraint ${before}_issue_id_foreign`);
    await rename(transaction);
    for (const [, table] of REFERRING) await refer(transaction, table, 'subject_id', 'subjects');
  });

const downOnPostgres = (knex) =>
  unlimitedOnPostgres(knex, async (transaction) => {
    for (const [, table] of REFERRING)
      await transaction.raw(`alter table ${table} drop constraint ${table}_subject_id_foreign`);
    await renameBack(transaction);
    for (const [before] of REFERRING) await refer(transaction, before, 'issue_id', 'issues');
    await transaction.raw('alter table issues drop constraint issues_id_foreign');
    await transaction.raw('create sequence issues_id_seq owned by issues.id');
    await transaction.raw("select setval('issues_id_seq', last_value, is_called) from subjects_id_seq");
    await transaction.raw("alter table issues alter column id set default nextval('issues_id_seq')");
    await transaction.schema.dropTable('subjects');
  });

export const up = (knex) => (onPostgres(knex) ? upOnPostgres(knex) : upOnSqlite(knex));

export const down = (knex) => (onPostgres(knex) ? downOnPostgres(knex) : downOnSqlite(knex));
