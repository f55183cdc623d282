import type { SettingsInReach } from '../../../domain/notifications/notification-setting.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { RequestedPlace } from '../../../domain/workspace/access-request.js';

/** Somebody who is told of a request for access. */
export interface RequestPerson {
  readonly id: UserId;
  readonly name: string;
  readonly username: string;
  /** Those that reach the project or group. */
  readonly settings: SettingsInReach;
  /** The confirmed address that they chose, else the primary one if it is confirmed. */
  readonly address: string | null;
}

export interface DecidersQuery {
  /** The least level of who may decide. */
  readonly level: number;
  /** UTC day, for memberships that end. */
  readonly today: string;
  readonly limit: number;
}

/** Whom requests for access concern. */
export interface RequestPeople {
  /** The full path of a project or group; undefined where it is being removed. */
  pathOf(place: RequestedPlace): Promise<string | undefined>;
  /** Active people who may decide on requests: at most `limit`, first who signed in last. */
  deciders(place: RequestedPlace, query: DecidersQuery): Promise<readonly RequestPerson[]>;
  /** Undefined where they are not active, or don't see the place. @param today UTC day, for memberships that end. */
  find(place: RequestedPlace, userId: UserId, today: string): Promise<RequestPerson | undefined>;
}
