import type { Application } from '../../../domain/oauth/application.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export type NewApplication = Omit<Application, 'id'> & { readonly secretDigest: string };
export type ApplicationChanges = Partial<
  Pick<Application, 'name' | 'redirectUris' | 'scopes' | 'confidential'> & { readonly secretDigest: string }
>;

export interface ApplicationRepository {
  add(application: NewApplication): Promise<Application>;
  find(id: number): Promise<Application | undefined>;
  update(id: number, changes: ApplicationChanges, at: Date): Promise<void>;
  /** Whether a person has so many. Until the transaction ends nobody else counts theirs. */
  holdAtLeast(ownerId: UserId, count: number): Promise<boolean>;
  /** How many registered themselves and were given nothing yet, as far as `most`. Until the transaction ends nobody else counts them. */
  countUnused(most: number): Promise<number>;
  /** Removes those that registered themselves before a moment and were given nothing since. */
  removeUnused(before: Date): Promise<void>;
  /** With its codes and tokens. False when there is none. */
  remove(id: number): Promise<boolean>;
}

/** An application beside the digest of its secret. */
export interface ApplicationWithSecret {
  readonly application: Application;
  readonly secretDigest: string;
}

export interface ApplicationReader {
  find(id: number): Promise<Application | undefined>;
  findByUid(uid: string): Promise<ApplicationWithSecret | undefined>;
  list(page: PageRequest, ownerId?: UserId): Promise<Page<Application>>;
}
