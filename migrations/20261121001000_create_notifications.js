// What waits to be sent: mails with a link of their own carry it sealed; notifications are written when they are sent.
const createMails = (knex) =>
  knex.schema.createTable('queued_mails', (table) => {
    table.bigIncrements('id');
    table.text('template').notNullable();
    table.text('recipient');
    table.text('sealed_content');
    table.bigInteger('cause_id').references('notification_causes.id').onDelete('cascade');
    table.bigInteger('user_id').references('users.id').onDelete('cascade').index();
    table.text('reason');
    table.text('state').notNullable();
    table.text('problem');
    table.integer('attempts').notNullable();
    table.timestamp('due_at').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
    // One mail a person, whatever happens in between.
    table.unique(['cause_id', 'user_id']);
  });

const createSettings = async (knex) => {
  await knex.schema.createTable('notification_settings', (table) => {
    table.bigInteger('user_id').notNullable().primary().references('users.id').onDelete('cascade');
    table.text('level').notNullable();
    table.text('events').notNullable();
    // Without it mail goes to the primary address.
    table.bigInteger('email_id').references('emails.id').onDelete('set null').index();
    table.timestamp('updated_at').notNullable();
  });
  for (const [name, owner, owners] of [
    ['group_notification_settings', 'namespace_id', 'namespaces'],
    ['project_notification_settings', 'project_id', 'projects'],
  ]) {
    await knex.schema.createTable(name, (table) => {
      table.bigInteger(owner).notNullable().references(`${owners}.id`).onDelete('cascade');
      table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
      table.text('level').notNullable();
      table.text('events').notNullable();
      table.timestamp('updated_at').notNullable();
      table.primary([owner, 'user_id']);
    });
  }
};

const createCauses = (knex) =>
  knex.schema.createTable('notification_causes', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.bigInteger('project_id').notNullable().references('projects.id').onDelete('cascade').index();
    table.bigInteger('issue_id').references('issues.id').onDelete('cascade').index();
    table.bigInteger('note_id').references('notes.id').onDelete('cascade').index();
    table.bigInteger('alert_id').references('alerts.id').onDelete('cascade').index();
    table.bigInteger('actor_id').references('users.id').onDelete('set null').index();
    table.text('details').notNullable();
    // How far the people of this cause have been gone through.
    table.bigInteger('told_up_to').notNullable();
    table.timestamp('created_at').notNullable();
    table.timestamp('expires_at').notNullable().index();
  });

/** Links in mails that wait already are good for three days at most. */
const LINKS_LAST_MS = 72 * 3_600_000;

const extendMails = async (knex) => {
  const waiting = await knex('queued_mails').orderBy('id');
  await knex.schema.dropTable('queued_mails');
  await createMails(knex);
  await knex.raw("create index queued_mails_waiting on queued_mails (due_at, id) where state = 'waiting'");
  for (const { recipient, template, sealed_content, created_at } of waiting) {
    const end = new Date(new Date(created_at).getTime() + LINKS_LAST_MS);
    const expires_at = typeof created_at === 'string' ? end.toISOString() : end;
    await knex('queued_mails').insert({
      recipient,
      template,
      sealed_content,
      state: 'waiting',
      attempts: 0,
      due_at: created_at,
      created_at,
      expires_at,
    });
  }
};

const reduceMails = async (knex) => {
  const waiting = await knex('queued_mails').whereNull('cause_id').where({ state: 'waiting' }).orderBy('id');
  await knex.schema.dropTable('queued_mails');
  await knex.schema.createTable('queued_mails', (table) => {
    table.bigIncrements('id');
    table.text('recipient').notNullable();
    table.text('template').notNullable();
    table.text('sealed_content').notNullable();
    table.timestamp('created_at').notNullable().index();
  });
  for (const { recipient, template, sealed_content, created_at } of waiting) {
    await knex('queued_mails').insert({ recipient, template, sealed_content, created_at });
  }
};

export const up = async (knex) => {
  await createSettings(knex);
  await knex.schema.createTable('issue_subscriptions', (table) => {
    table.bigInteger('issue_id').notNullable().references('issues.id').onDelete('cascade');
    table.bigInteger('user_id').notNullable().references('users.id').onDelete('cascade').index();
    table.boolean('subscribed').notNullable();
    table.timestamp('updated_at').notNullable();
    table.primary(['issue_id', 'user_id']);
  });
  // Of each due date people are reminded once.
  await knex.schema.createTable('issue_due_reminders', (table) => {
    table.bigInteger('issue_id').notNullable().references('issues.id').onDelete('cascade');
    table.text('due_date').notNullable();
    table.timestamp('created_at').notNullable();
    table.primary(['issue_id', 'due_date']);
  });
  await knex.raw("create index issues_due on issues (due_date) where due_date is not null and state = 'opened'");
  await createCauses(knex);
  await extendMails(knex);
};

export const down = async (knex) => {
  await reduceMails(knex);
  await knex.schema.dropTable('notification_causes');
  await knex.raw('drop index issues_due');
  for (const table of [
    'issue_due_reminders',
    'issue_subscriptions',
    'project_notification_settings',
    'group_notification_settings',
    'notification_settings',
  ]) {
    await knex.schema.dropTable(table);
  }
};
