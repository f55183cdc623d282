import { link, reference } from './columns.js';

// Some constraints and indexes are named after what their tables were called, and referred to, while these were developed.
export const tables = {
  subject_labels: (table) => {
    reference(table, 'subject_id', 'subjects').notNullable();
    reference(table, 'label_id', 'labels')
      .withKeyName('issue_labels_label_id_foreign')
      .notNullable()
      .index('issue_labels_label_id_index');
    table.primary(['subject_id', 'label_id'], 'issue_labels_pkey');
  },

  // A comment that somebody has answered is the first of a discussion, and so is one that was written to be.
  discussions: (table) => {
    table.bigIncrements('id');
    reference(table, 'subject_id', 'subjects').notNullable();
    // What it is called by. No reference: the first comment may be removed while others stay.
    table.bigInteger('first_note_id').notNullable();
    table.timestamp('resolved_at');
    link(table, 'resolved_by_id', 'users').index();
    table.unique(['subject_id', 'first_note_id']);
  },

  notes: (table) => {
    table.bigIncrements('id');
    reference(table, 'subject_id', 'subjects').notNullable();
    link(table, 'author_id', 'users').index();
    table.text('body').notNullable();
    table.boolean('system').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    link(table, 'discussion_id', 'discussions');
    table.index(['subject_id', 'created_at', 'id'], 'notes_of_issue_by_creation');
    table.index(['subject_id', 'updated_at', 'id'], 'notes_of_issue_by_change');
    table.index(['subject_id', 'system'], 'notes_issue_id_system_index');
    table.index(['discussion_id', 'id']);
    table.index(['subject_id', 'discussion_id', 'id']);
  },

  // Where a discussion is that is about lines of a diff. Positions are values: nothing looks for what is within them.
  discussion_positions: (table) => {
    reference(table, 'discussion_id', 'discussions').notNullable().primary();
    table.text('position').notNullable();
    table.text('original').notNullable();
    table.text('excerpt').notNullable();
    table.boolean('outdated').notNullable();
  },

  // What a comment proposes to write in place of the lines that it is about.
  suggestions: (table) => {
    table.bigIncrements('id');
    reference(table, 'note_id', 'notes').notNullable().index();
    table.integer('lines_above').notNullable();
    table.integer('lines_below').notNullable();
    table.text('replaced').notNullable();
    table.text('content').notNullable();
    table.boolean('outdated').notNullable();
    table.text('commit_sha');
  },

  awards: (table) => {
    table.bigIncrements('id');
    reference(table, 'subject_id', 'subjects').notNullable();
    // Null where the subject itself is awarded.
    reference(table, 'note_id', 'notes');
    reference(table, 'user_id', 'users').notNullable().index();
    table.text('name').notNullable();
    table.timestamp('created_at').notNullable();
    table.index(['subject_id', 'note_id', 'id']);
    table.index(['note_id', 'id']);
  },

  subscriptions: (table) => {
    reference(table, 'subject_id', 'subjects').notNullable();
    reference(table, 'user_id', 'users')
      .withKeyName('issue_subscriptions_user_id_foreign')
      .notNullable()
      .index('issue_subscriptions_user_id_index');
    table.boolean('subscribed').notNullable();
    table.timestamp('updated_at').notNullable();
    table.primary(['subject_id', 'user_id'], 'issue_subscriptions_pkey');
  },

  todos: (table) => {
    table.bigIncrements('id');
    reference(table, 'user_id', 'users').notNullable();
    reference(table, 'subject_id', 'subjects').notNullable();
    // The comment that asks for it, where one does.
    link(table, 'note_id', 'notes').index();
    link(table, 'author_id', 'users').index();
    table.text('action').notNullable();
    table.text('state').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('updated_at').notNullable();
    table.index(['user_id', 'state', 'id', 'subject_id']);
    table.index(['subject_id', 'user_id', 'state']);
  },

  time_tracking: (table) => {
    reference(table, 'subject_id', 'subjects').notNullable().primary();
    table.bigInteger('estimated_seconds').notNullable();
    table.bigInteger('spent_seconds').notNullable();
  },
};

export const indexes = [
  // One person gives one thing one award of a name.
  'create unique index awards_subject_id_name_user_id_unique on awards (subject_id, name, user_id) where note_id is null',
  'create unique index awards_note_id_name_user_id_unique on awards (note_id, name, user_id) where note_id is not null',
  // Nobody is asked twice for what they have not done yet; but each comment may ask.
  "create unique index todos_pending on todos (user_id, subject_id, action) where state = 'pending' and note_id is null",
  'create unique index todos_of_note on todos (user_id, note_id, action) where note_id is not null',
];
