import type { Knex } from 'knex';
import type { UserQuery } from '../../../../../application/identity/ports/identity-readers.js';
import { emailKey, usernameKey } from '../../../../../domain/identity/user.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';

type Narrowed = Omit<UserQuery, 'orderBy' | 'sort' | 'page'>;

/** Leaves the users of a list that a query asks for. */
export const narrowUsers = (session: Session, list: Knex.QueryBuilder, asked: Narrowed): void => {
  const { username, usernames, state, admin, twoFactor, withoutProjects, withoutBots } = asked;
  if (username !== undefined) void list.where('users.username_key', usernameKey(username));
  if (usernames !== undefined) void list.whereIn('users.username_key', usernames.map(usernameKey));
  narrowBySearch(session, list, asked);
  if (state !== undefined) void list.where('users.state', state);
  if (admin !== undefined) void list.where('users.admin', admin);
  if (twoFactor === true) void list.whereNotNull('users.two_factor_sealed_secret');
  if (twoFactor === false) void list.whereNull('users.two_factor_sealed_secret');
  if (withoutProjects === true) narrowToProjectless(session, list);
  if (withoutBots === true) void list.whereNull('users.bot_project_id').whereNull('users.bot_group_id');
  narrowByAge(session, list, asked);
};

const narrowBySearch = ({ query }: Session, list: Knex.QueryBuilder, asked: Narrowed): void => {
  const { search, searchesAddresses } = asked;
  if (search === undefined) return;
  void list.where((either) => {
    void either.whereRaw("users.search_key like ? escape '\\'", [containsPattern(search)]);
    if (searchesAddresses !== true) return;
    const owners = query('emails').where('emails.address_key', emailKey(search)).select('emails.user_id');
    void either.orWhereIn('users.id', owners);
  });
};

/** An index finds for each user whether they have one: what they are given by a group is not looked for below it. */
const narrowToProjectless = ({ query }: Session, list: Knex.QueryBuilder): void => {
  const own = query('projects')
    .join('namespaces', 'namespaces.id', 'projects.namespace_id')
    .whereRaw('namespaces.owner_id = users.id')
    .select('projects.id');
  const memberships = ['project_members', 'group_members'].map((table) =>
    query(table).whereRaw('??.user_id = users.id', [table]).select('id'),
  );
  for (const had of [own, ...memberships]) void list.whereNotExists(had);
};

const narrowByAge = (
  { dialect }: Session,
  list: Knex.QueryBuilder,
  { createdAfter, createdBefore }: Narrowed,
): void => {
  if (createdAfter !== undefined) void list.where('users.created_at', '>=', dialect.writeInstant(createdAfter));
  if (createdBefore !== undefined) void list.where('users.created_at', '<=', dialect.writeInstant(createdBefore));
};
