import type { UserState } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { AccessRequest, RequestedPlace } from '../../../domain/workspace/access-request.js';

/** Works that change requests of a person hold their account first, as those that make them a member do. */
export interface AccessRequestRepository {
  /**
   * @returns whether they asked the same place not long ago.
   * @throws Conflict where they have asked already.
   */
  add(request: AccessRequest): Promise<{ readonly again: boolean }>;
  /** When a person asked since an instant, the newest first; of one place the last time alone. */
  instantsOf(userId: UserId, since: Date): Promise<readonly Date[]>;
  /** How many a person has open. */
  countOf(userId: UserId): Promise<number>;
  /** How many are open in a place: of many who ask at once, each counts those before it. */
  countIn(place: RequestedPlace): Promise<number>;
  /** Whoever asked is told no. False where they don't ask any more. */
  deny(place: RequestedPlace, userId: UserId, at: Date): Promise<boolean>;
  /** Whoever asked asks no more. False where they don't any more. */
  withdraw(place: RequestedPlace, userId: UserId, at: Date): Promise<boolean>;
  /** It was granted. False where they don't ask any more. */
  grant(place: RequestedPlace, userId: UserId): Promise<boolean>;
  /** Somebody has become a member of a place: what they asked of it, and of everything below a group, is needed no more. */
  settle(place: RequestedPlace, userId: UserId): Promise<void>;
  /** Those of somebody who may ask for nothing any more. */
  removeAllOf(userId: UserId): Promise<void>;
}

/** A request beside the person. */
export interface AccessRequestProfile extends AccessRequest {
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
}

export interface AccessRequestReader {
  /** Those of a place, the oldest first. */
  list(place: RequestedPlace, page: PageRequest): Promise<Page<AccessRequestProfile>>;
  find(place: RequestedPlace, userId: UserId): Promise<AccessRequestProfile | undefined>;
}
