import type { EmailAddress, TwoFactor, User, UserState } from '../../../../../domain/identity/user.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly username_key: string;
  readonly name: string;
  readonly search_key: string;
  readonly state: string;
  readonly admin: boolean | number;
  readonly password_hash: string | null;
  readonly failed_attempts: number;
  readonly locked_until: unknown;
  readonly two_factor_sealed_secret: string | null;
  readonly two_factor_recovery_digests: string | null;
  readonly two_factor_last_time_step: number | null;
  readonly created_at: unknown;
  readonly last_sign_in_at: unknown;
}

export interface EmailRow {
  readonly id: number;
  readonly user_id: number;
  readonly address: string;
  readonly is_primary: boolean | number;
  readonly confirmed_at: unknown;
  readonly recovery_since: unknown;
}

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
  state: row.state as UserState,
  admin: Boolean(row.admin),
  passwordHash: row.password_hash,
  failedAttempts: row.failed_attempts,
  lockedUntil: readInstantOrNull(dialect, row.locked_until),
  twoFactor: toTwoFactor(row),
  createdAt: dialect.readInstant(row.created_at),
  lastSignInAt: readInstantOrNull(dialect, row.last_sign_in_at),
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
