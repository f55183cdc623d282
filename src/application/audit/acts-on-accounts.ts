import type { SensitiveAct } from '../../domain/identity/sensitive-act.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { BotRepository } from '../identity/ports/bot-repository.js';
import type { OneTimeTokenRepository } from '../identity/ports/one-time-token-repository.js';
import type { PersonalAccessTokenRepository } from '../identity/ports/personal-access-token-repository.js';
import type { SecurityEvent, SecurityEventRepository } from '../identity/ports/security-event-repository.js';
import type { SessionRepository } from '../identity/ports/session-repository.js';
import type { UserChanges, UserRepository } from '../identity/ports/user-repository.js';
import { told, type ActsOf } from './acts.js';
import type { AuditAuthor, AuditedAct, AuditFacts } from './ports/audit-ports.js';

/** The kinds of what owners are told of their accounts are called as the acts. */
const kindOf = (act: SensitiveAct): AuditedAct['kind'] => act;

const signInsOf = (user: AuditAuthor, { lastSignInAt, failedAttempts = 0 }: UserChanges): AuditedAct[] => {
  const account = user.username;
  // Whoever signs in is nobody before.
  const entered = lastSignInAt == null ? [] : [{ kind: 'signed_in', account, author: user } as const];
  return [...entered, ...(failedAttempts > 0 ? [{ kind: 'sign_in_failed', account } as const] : [])];
};

const changesOf = async (facts: AuditFacts, id: UserId, changes: UserChanges): Promise<readonly AuditedAct[]> => {
  const { state, admin, username } = changes;
  const before = await facts.user(id);
  if (before === undefined) return [];
  const account = before.username;
  const acts = signInsOf(before, changes);
  if (state === 'blocked') acts.push({ kind: 'account_blocked', account });
  if (state === 'active' && before.blocked) acts.push({ kind: 'account_unblocked', account });
  if (admin !== undefined && admin !== before.admin)
    acts.push({ kind: admin ? 'account_promoted' : 'account_demoted', account });
  if (username !== undefined && username !== account)
    acts.push({ kind: 'account_renamed', account, detail: `${account} → ${username}` });
  return acts;
};

export const actsOnUsers: ActsOf<UserRepository> = {
  find: 'ordinary',
  take: 'ordinary',
  takeWithAdministrators: 'ordinary',
  findByUsername: 'ordinary',
  findByEmail: 'ordinary',
  add: {
    // Whoever signs up is nobody before.
    after: async (_, { id, username, admin }) => [
      {
        kind: 'account_created',
        account: username,
        author: { id, username },
        ...(admin ? { detail: 'administrator' } : {}),
      },
    ],
  },
  update: { before: changesOf },
  remove: {
    before: async (facts, id) => {
      const user = await facts.user(id);
      return told(user && { kind: 'account_removed', account: user.username });
    },
  },
};

export const actsOnOneTimeTokens: ActsOf<OneTimeTokenRepository> = {
  add: {
    after: async (facts, _, { purpose, userId }) => {
      if (purpose !== 'reset_password') return [];
      const user = await facts.user(userId);
      return told(user && { kind: 'password_link_sent', account: user.username });
    },
  },
  find: 'ordinary',
  hasSince: 'ordinary',
  consume: 'ordinary',
  removeAllOf: 'ordinary',
};

export const actsOnSessions: ActsOf<SessionRepository> = {
  // Who signs in is told by the change of the user.
  add: 'ordinary',
  prove: 'ordinary',
  forgetProofsOf: 'ordinary',
  hold: 'ordinary',
  extend: 'ordinary',
  remove: 'ordinary',
  revoke: {
    before: async (facts, id) => {
      const user = await facts.user(id);
      return told(user && { kind: 'session_revoked', account: user.username });
    },
  },
  revokeOthers: {
    before: async (facts, id) => {
      const user = await facts.user(id);
      return told(user && { kind: 'sessions_revoked', account: user.username });
    },
  },
  // Follows acts that are told.
  removeAllOf: 'ordinary',
  removeUnfinishedOf: 'ordinary',
};

/** What owners are told of, others read in the log. */
export const actsOnSecurityEvents: ActsOf<SecurityEventRepository> = {
  add: {
    before: async (facts, id, { act, subject, source }: SecurityEvent) => {
      const user = await facts.user(id);
      if (user === undefined) return [];
      // Nobody is signed in who follows a link for a new password.
      const author = source.means === 'mailed_link' ? { author: user } : {};
      return [{ kind: kindOf(act), account: user.username, ...(subject === null ? {} : { subject }), ...author }];
    },
  },
  instantsOf: 'ordinary',
  nameOf: 'ordinary',
};

/** A token is made with its bot, and ends with it. */
export const actsOnBots: ActsOf<BotRepository> = {
  holdAtLeast: 'ordinary',
  findExpired: 'ordinary',
  add: {
    after: async (facts, { username }, { name, place }) => {
      const path = await facts.pathOf(place.kind, place.id);
      return [
        { kind: 'access_token_made', account: username, subject: name, ...(path === undefined ? {} : { place: path }) },
      ];
    },
  },
  // Its token is told, and what it belongs to.
  retire: 'ordinary',
  retireAll: 'ordinary',
};

export const actsOnPersonalAccessTokens: ActsOf<PersonalAccessTokenRepository> = {
  find: 'ordinary',
  findSuccessor: 'ordinary',
  // The owner is told of each.
  add: 'ordinary',
  revoke: {
    before: async (facts, id) => [{ kind: 'token_revoked', ...(await facts.named('personal_access_token', id)) }],
  },
  revokeAllOf: {
    before: async (facts, userId) => {
      const user = await facts.user(userId);
      return told(user && { kind: 'tokens_revoked', account: user.username });
    },
  },
  recordUses: 'ordinary',
};
