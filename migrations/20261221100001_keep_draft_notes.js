import { reference } from './baseline/columns.js';

// Comments that somebody has written and not published: nobody else sees them.
export const up = (knex) =>
  knex.schema.createTable('draft_notes', (table) => {
    table.bigIncrements('id');
    reference(table, 'subject_id', 'subjects').notNullable();
    reference(table, 'author_id', 'users').notNullable().index();
    table.text('body').notNullable();
    // What the discussion that it answers begins with. No reference: that comment may be removed before the answer is published.
    table.bigInteger('answered_note_id');
    table.boolean('resolves').notNullable();
    table.text('commit_id');
    // Where it is, of one about lines of a diff.
    table.text('position');
    table.text('excerpt');
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['subject_id', 'author_id', 'id']);
  });

export const down = (knex) => knex.schema.dropTable('draft_notes');
