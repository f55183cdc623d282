import { ACCESS_LEVEL } from '../shared/access-level.js';
import { Conflict, Forbidden, TooManyRequests, Unprocessable } from '../shared/domain-error.js';
import type { GroupId, ProjectId, UserId } from '../shared/identifiers.js';

/** The project or group that somebody would be a member of. */
export type RequestedPlace =
  { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group'; readonly id: GroupId };

/** Somebody asks to be a member, until who manages the members says yes or no. */
export interface AccessRequest {
  readonly place: RequestedPlace;
  readonly userId: UserId;
  readonly requestedAt: Date;
}

/** Whom somebody becomes by default who is let in. */
export const GRANTED_LEVEL = ACCESS_LEVEL.developer;

/** How many requests of one person are open at once. */
export const MOST_REQUESTS_OF_A_PERSON = 20;

/** How many places one person asks within an hour, withdrawn and denied requests among them: each is a way to have people mailed. */
export const MOST_REQUESTS_AN_HOUR = 30;

/** How many a project or group keeps. */
export const MOST_REQUESTS_TO_A_PLACE = 500;

const HOUR_MS = 3_600_000;
const REMEMBERED_MS = 24 * HOUR_MS;

/** Until when one that was withdrawn or denied is remembered: who asks again until then has nobody mailed. */
export const rememberedUntil = (endedAt: Date): Date => new Date(endedAt.getTime() + REMEMBERED_MS);

export const hourBefore = (at: Date): Date => new Date(at.getTime() - HOUR_MS);

/** How somebody stands to a place. */
interface Standing {
  /** Their effective level; an administrator's is that of an owner. */
  readonly level: number;
  readonly requestAccessEnabled: boolean;
}

/** Whether who sees a place has something to ask for there, and may. */
export const mayRequestAccess = ({ level, requestAccessEnabled }: Standing): boolean =>
  requestAccessEnabled && level === ACCESS_LEVEL.none;

/** @throws Conflict for who has access already; Forbidden where nobody may ask. */
export const refuseRequest = ({ level, requestAccessEnabled }: Standing): void => {
  if (level > ACCESS_LEVEL.none) throw new Conflict('You have access already');
  if (!requestAccessEnabled) throw new Forbidden('Requests for access are switched off here');
};

/** How much is asked for already. */
export interface OpenRequests {
  /** Open ones of the person. */
  readonly ofPerson: number;
  /** Open ones of the place. */
  readonly toPlace: number;
  /** When the person asked within the last hour, the newest first. */
  readonly lately: readonly Date[];
}

/** @throws Unprocessable, TooManyRequests. */
export const requireRoomForRequest = ({ ofPerson, toPlace, lately }: OpenRequests, now: Date): void => {
  if (ofPerson >= MOST_REQUESTS_OF_A_PERSON)
    throw new Unprocessable(
      `You have ${MOST_REQUESTS_OF_A_PERSON} open requests for access: wait until they are answered, or withdraw some`,
    );
  if (toPlace >= MOST_REQUESTS_TO_A_PLACE)
    throw new Unprocessable('Too many people ask for access here already. Try again later.');
  const oldest = lately[MOST_REQUESTS_AN_HOUR - 1];
  if (oldest === undefined) return;
  const seconds = Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1_000);
  throw new TooManyRequests(
    seconds,
    `You can ask for access ${MOST_REQUESTS_AN_HOUR} times an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
  );
};
