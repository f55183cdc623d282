import { recordActivity } from '../../application/activity/record-activity.js';
import { alertsFollowIncidents } from '../../application/alerts/alerts-follow-incidents.js';
import { causesFollowEvents } from '../../application/notifications/causes-follow-events.js';
import { keepOwnersOfGroups } from '../../application/workspace/keep-an-owner.js';
import type { SecretBox } from '../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { createKnexUnitOfWork } from '../../adapters/outbound/persistence/knex/knex-unit-of-work.js';
import type { Repositories } from '../../adapters/outbound/persistence/knex/repositories.js';

/** Who acts on what happened, in this order. */
const SUBSCRIBERS = [keepOwnersOfGroups, alertsFollowIncidents, recordActivity, causesFollowEvents];

/** @param jobsAreDue is called after a commit that left something to be done. */
export const openUnitOfWork = (
  database: Database,
  secretBox: SecretBox,
  jobsAreDue: () => void,
): UnitOfWork<Repositories> => createKnexUnitOfWork(database, secretBox, SUBSCRIBERS, jobsAreDue);
