import { link, reference } from './columns.js';

const settings = (owner, owners) => (table) => {
  reference(table, owner, owners).notNullable();
  reference(table, 'user_id', 'users').notNullable().index();
  table.text('level').notNullable();
  table.text('events').notNullable();
  table.timestamp('updated_at').notNullable();
  table.primary([owner, 'user_id']);
};

export const tables = {
  notification_settings: (table) => {
    reference(table, 'user_id', 'users').notNullable().primary();
    table.text('level').notNullable();
    table.text('events').notNullable();
    // Without it mail goes to the primary address.
    link(table, 'email_id', 'emails').index();
    table.timestamp('updated_at').notNullable();
  },

  group_notification_settings: settings('namespace_id', 'namespaces'),
  project_notification_settings: settings('project_id', 'projects'),

  // Of each due date people are reminded once.
  issue_due_reminders: (table) => {
    reference(table, 'issue_id', 'issues').notNullable();
    table.text('due_date').notNullable();
    table.timestamp('created_at').notNullable();
    table.primary(['issue_id', 'due_date']);
  },

  notification_causes: (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    reference(table, 'project_id', 'projects').notNullable().index();
    reference(table, 'subject_id', 'subjects').index('notification_causes_issue_id_index');
    reference(table, 'note_id', 'notes').index();
    reference(table, 'alert_id', 'alerts').index();
    link(table, 'actor_id', 'users').index();
    table.text('details').notNullable();
    // How far the people of this cause have been gone through.
    table.bigInteger('told_up_to').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  },

  // What waits to be sent: mails with a link of their own carry it sealed; notifications are written when they are sent.
  queued_mails: (table) => {
    table.bigIncrements('id');
    table.text('template').notNullable();
    table.text('recipient');
    table.text('sealed_content');
    reference(table, 'cause_id', 'notification_causes');
    reference(table, 'user_id', 'users').index();
    table.text('reason');
    table.text('state').notNullable();
    table.text('problem');
    table.integer('attempts').notNullable();
    table.timestamp('due_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    // One mail a person, whatever happens in between.
    table.unique(['cause_id', 'user_id']);
  },
};

export const indexes = ["create index queued_mails_waiting on queued_mails (due_at, id) where state = 'waiting'"];
