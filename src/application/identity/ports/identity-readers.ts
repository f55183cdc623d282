import type { PersonalAccessToken } from '../../../domain/identity/personal-access-token.js';
import type { EmailAddress, User, UserState } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';

/** A user as lists and pages show them: no secrets. */
export type UserProfile = Pick<
  User,
  'id' | 'username' | 'name' | 'state' | 'admin' | 'createdAt' | 'lastSignInAt' | 'bio' | 'timeZone' | 'bot'
> & {
  readonly email: string | null;
  readonly confirmedAt: Date | null;
  readonly twoFactorEnabled: boolean;
};

export interface UserQuery {
  readonly username?: string;
  /** Any of these. */
  readonly usernames?: readonly string[];
  readonly search?: string;
  /** Whether a search finds whoever has the whole text for an address, too; case does not count. */
  readonly searchesAddresses?: true;
  readonly state?: UserState;
  /** Only administrators. */
  readonly admin?: true;
  /** Whether they have a second factor. */
  readonly twoFactor?: boolean;
  /** Who has no project, and is a member of no project or group. */
  readonly withoutProjects?: true;
  /** Only people, and accounts of the service. */
  readonly withoutBots?: true;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly orderBy: 'id' | 'name' | 'username' | 'created_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface UserReader {
  find(id: UserId): Promise<UserProfile | undefined>;
  /** Case does not count. */
  findByUsername(username: string): Promise<UserProfile | undefined>;
  /** By a confirmed address, or their primary one; case does not count. */
  findByEmail(address: string): Promise<UserProfile | undefined>;
  list(query: UserQuery): Promise<Page<UserProfile>>;
  emailsOf(userId: UserId): Promise<readonly EmailAddress[]>;
}

/** Whoever a token acts for. */
export type TokenOwner = Pick<User, 'id' | 'username' | 'admin' | 'state'>;

export interface TokenWithOwner {
  readonly token: PersonalAccessToken;
  readonly owner: UserProfile;
}

/** By what lists of tokens are sorted. */
export const TOKEN_SORTS = [
  'created_asc',
  'created_desc',
  'expires_asc',
  'expires_desc',
  'last_used_asc',
  'last_used_desc',
  'name_asc',
  'name_desc',
] as const;
export type TokenSort = (typeof TOKEN_SORTS)[number];

/** What narrows a list of tokens. */
export interface TokenFilters {
  /** Those that work at that instant, or those that don't. */
  readonly state?: { readonly is: 'active' | 'inactive'; readonly at: Date };
  readonly revoked?: boolean;
  /** Part of the name. */
  readonly search?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly lastUsedAfter?: Date;
  readonly lastUsedBefore?: Date;
  /** By id where absent. */
  readonly sort?: TokenSort;
}

export interface TokenListQuery extends TokenFilters {
  readonly userId?: UserId;
  readonly page: PageRequest;
}

export interface PersonalAccessTokenReader {
  find(id: number): Promise<PersonalAccessToken | undefined>;
  /** Expired and revoked tokens are found too: the caller is told which it is. */
  findByDigest(digest: string): Promise<TokenWithOwner | undefined>;
  list(query: TokenListQuery): Promise<Page<PersonalAccessToken>>;
}
