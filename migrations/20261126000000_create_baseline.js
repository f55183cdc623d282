// The schema of the first release, an area of the catalogue of tables each. What came before was never released, and is in here: a
// database that it made takes this as done. Frozen: what changes from here on is a migration of its own.
import * as activity from './baseline/activity.js';
import * as alerts from './baseline/alerts.js';
import * as audit from './baseline/audit.js';
import * as collaboration from './baseline/collaboration.js';
import * as errorTracking from './baseline/error-tracking.js';
import * as identity from './baseline/identity.js';
import * as invitations from './baseline/invitations.js';
import * as jobs from './baseline/jobs.js';
import * as keys from './baseline/keys.js';
import * as notifications from './baseline/notifications.js';
import * as oauth from './baseline/oauth.js';
import * as planning from './baseline/planning.js';
import * as releases from './baseline/releases.js';
import * as repositories from './baseline/repositories.js';
import * as review from './baseline/review.js';
import * as secretKey from './baseline/secret-key.js';
import * as snippets from './baseline/snippets.js';
import * as storage from './baseline/storage.js';
import * as subjects from './baseline/subjects.js';
import * as webhooks from './baseline/webhooks.js';
import * as workspace from './baseline/workspace.js';

/** Each after those that it refers to. */
const AREAS = [
  identity,
  workspace,
  oauth,
  subjects,
  planning,
  collaboration,
  alerts,
  errorTracking,
  notifications,
  activity,
  jobs,
  repositories,
  releases,
  review,
  keys,
  secretKey,
  storage,
  webhooks,
  audit,
  snippets,
  invitations,
];

export const up = async (knex) => {
  for (const { tables, indexes = [] } of AREAS) {
    for (const [name, define] of Object.entries(tables)) await knex.schema.createTable(name, define);
    for (const index of indexes) await knex.raw(index);
  }
};

export const down = async (knex) => {
  const names = AREAS.flatMap(({ tables }) => Object.keys(tables));
  for (const name of names.reverse()) await knex.schema.dropTable(name);
};
