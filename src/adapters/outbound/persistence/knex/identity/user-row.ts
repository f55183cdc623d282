import type { Bot } from '../../../../../domain/identity/bot.js';
import type { EmailAddress, TwoFactor, User } from '../../../../../domain/identity/user.js';
import { identifierIn, type GroupId, type ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type UserRow = RowOf<'users'>;

export const BOT_COLUMNS = ['bot_project_id', 'bot_group_id', 'bot_access_level'] as const;

export const toBot = (row: Pick<UserRow, (typeof BOT_COLUMNS)[number]>): Bot | null => {
  const { bot_project_id: project, bot_group_id: group, bot_access_level: level } = row;
  const accessLevel = level ?? 0;
  const projectId = identifierIn<ProjectId>(project === null ? undefined : String(project));
  if (projectId !== undefined) return { place: { kind: 'project', id: projectId }, accessLevel };
  const groupId = identifierIn<GroupId>(group === null ? undefined : String(group));
  return groupId === undefined ? null : { place: { kind: 'group', id: groupId }, accessLevel };
};

export type EmailRow = RowOf<'emails'>;

const toTwoFactor = (row: UserRow): TwoFactor | null =>
  row.two_factor_sealed_secret === null
    ? null
    : {
        sealedSecret: row.two_factor_sealed_secret,
        recoveryCodeDigests: JSON.parse(row.two_factor_recovery_digests ?? '[]') as string[],
        lastTimeStep: row.two_factor_last_time_step,
      };

export const toUser = (row: UserRow, dialect: Dialect): User => ({
  id: row.id,
  username: row.username,
  name: row.name,
  state: row.state,
  admin: Boolean(row.admin),
  passwordHash: row.password_hash,
  failedAttempts: row.failed_attempts,
  lockedUntil: readInstantOrNull(dialect, row.locked_until),
  twoFactor: toTwoFactor(row),
  createdAt: dialect.readInstant(row.created_at),
  lastSignInAt: readInstantOrNull(dialect, row.last_sign_in_at),
  bio: row.bio ?? '',
  timeZone: row.time_zone,
  bot: toBot(row),
});

export const twoFactorColumns = (twoFactor: TwoFactor | null) => ({
  two_factor_sealed_secret: twoFactor?.sealedSecret ?? null,
  two_factor_recovery_digests: twoFactor === null ? null : JSON.stringify(twoFactor.recoveryCodeDigests),
  two_factor_last_time_step: twoFactor?.lastTimeStep ?? null,
});

export const toEmailAddress = (row: EmailRow, dialect: Dialect): EmailAddress => ({
  id: row.id,
  userId: row.user_id,
  address: row.address,
  primary: Boolean(row.is_primary),
  confirmedAt: readInstantOrNull(dialect, row.confirmed_at),
  recoverySince: readInstantOrNull(dialect, row.recovery_since),
});
