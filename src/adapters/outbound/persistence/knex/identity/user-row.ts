import type { EmailAddress, TwoFactor, User } from '../../../../../domain/identity/user.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type UserRow = RowOf<'users'>;

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
