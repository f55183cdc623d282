import { Type } from '@sinclair/typebox';
import type { UserProfile, UserQuery } from '../../../../../application/identity/ports/identity-readers.js';
import { isAdmin, type Actor } from '../../../../../application/shared/actor.js';
import { given } from '../../kit/given.js';
import { instantOrDay, oneOf, text, timeIn, type ParametersOf } from '../../validation/parameters.js';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** What narrows a list of users. */
export const FILTERS = {
  username: Type.Optional(text(255, 'The user of exactly this name; case does not count')),
  search: Type.Optional(text(255, 'Part of a name or user name; for administrators a whole address, too')),
  active: flag('Only users who may sign in'),
  blocked: flag('Only blocked users'),
  extern_uid: Type.Optional(text(255, 'Name at another service, which signs people in: nobody has one')),
  provider: Type.Optional(text(255, 'The service of `extern_uid`: nobody is known to one')),
  external: flag('Only external users: nobody is one'),
  admins: flag('Only administrators. Counts for administrators alone'),
  two_factor: Type.Optional(
    oneOf(['enabled', 'disabled'], {
      description: 'Whether they have a second factor. Counts for administrators alone',
    }),
  ),
  without_projects: flag(
    'Only who has no project and is a member of no project or group. Counts for administrators alone',
  ),
  created_after: Type.Optional(instantOrDay('Since then. Counts for administrators alone')),
  created_before: Type.Optional(instantOrDay('Until then. Counts for administrators alone')),
  without_project_bots: flag('Without the bots of access tokens'),
  exclude_internal: flag('Changes nothing'),
};

type Sent = ParametersOf<typeof FILTERS>;
export type Filters = Omit<UserQuery, 'orderBy' | 'sort' | 'page'>;

/** Who asks for both is answered with those who are blocked. */
const stateAsked = ({ active, blocked }: Sent): UserProfile['state'] | undefined => {
  if (blocked === true) return 'blocked';
  return active === true ? 'active' : undefined;
};

/** Whoever signs people in by these acts upon the first of the answer, which must not be just anybody. */
const findsNobody = ({ extern_uid: uid, provider, external }: Sent): boolean =>
  uid !== undefined || provider !== undefined || external === true;

const forAdministrators = (sent: Sent) =>
  given({
    searchesAddresses: true as const,
    admin: sent.admins === true || undefined,
    twoFactor: sent.two_factor === undefined ? undefined : sent.two_factor === 'enabled',
    withoutProjects: sent.without_projects === true || undefined,
    createdAfter: timeIn(sent.created_after),
    createdBefore: timeIn(sent.created_before),
  });

/** What bots are called tells of projects and groups that not everybody sees: others find one by exactly its user name. */
const leavesBotsOut = ({ username, search, without_project_bots: without }: Sent, actor: Actor): boolean =>
  without === true || (!isAdmin(actor) && (username === undefined || search !== undefined));

/** Undefined where nobody is found. */
export const filtersIn = (sent: Sent, actor: Actor): Filters | undefined => {
  if (findsNobody(sent)) return undefined;
  const { username, search } = sent;
  return {
    ...given({
      username,
      search,
      state: stateAsked(sent),
      withoutBots: leavesBotsOut(sent, actor) || undefined,
    }),
    ...(isAdmin(actor) && forAdministrators(sent)),
  };
};
