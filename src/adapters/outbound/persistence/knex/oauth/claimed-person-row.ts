import type { ClaimedPerson } from '../../../../../domain/oauth/person-claims.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';

/** Whom something was given to, in a row that begins with it. */
export interface ClaimedPersonRow {
  readonly person_username: string;
  readonly person_name: string;
  readonly person_email: string | null;
  readonly person_confirmed_at: unknown;
}

/** Columns of a query that has joined `users` as `person` and `emails` as `address`. */
export const CLAIMED_PERSON = {
  person_username: 'person.username',
  person_name: 'person.name',
  person_email: 'address.address',
  person_confirmed_at: 'address.confirmed_at',
} as const;

/** The same as SQL. */
export const SELECT_CLAIMED_PERSON = Object.entries(CLAIMED_PERSON)
  .map(([name, column]) => `${column} as ${name}`)
  .join(', ');

/** Joins the primary address of a person, in words that both databases know. */
export const JOIN_ADDRESS = 'left join emails address on address.user_id = person.id and address.is_primary';

export const toClaimedPerson = (row: ClaimedPersonRow, dialect: Dialect): ClaimedPerson => ({
  username: row.person_username,
  name: row.person_name,
  email: row.person_email,
  confirmedAt: readInstantOrNull(dialect, row.person_confirmed_at),
});
