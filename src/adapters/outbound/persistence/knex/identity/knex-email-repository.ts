import type { EmailRepository, NewEmailAddress } from '../../../../../application/identity/ports/user-repository.js';
import { emailKey, type EmailAddress } from '../../../../../domain/identity/user.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { toEmailAddress, type EmailRow } from './user-row.js';

const taken = () => new Conflict('Email has already been taken');

/** Of one account's own addresses, and of the confirmed ones of all. */
const REFUSALS = { emails_user_id_address_key_unique: taken, emails_address_key_unique: taken };

export class KnexEmailRepository implements EmailRepository {
  constructor(private readonly session: Session) {}

  async ofUser(userId: UserId): Promise<readonly EmailAddress[]> {
    const rows = await this.session.query('emails').where({ user_id: userId }).orderBy('id');
    return rows.map((row) => toEmailAddress(row, this.session.dialect));
  }

  async find(id: number): Promise<EmailAddress | undefined> {
    const row = await this.session.query('emails').where({ id }).first();
    return row && toEmailAddress(row, this.session.dialect);
  }

  async take(id: number): Promise<EmailAddress | undefined> {
    const email = await this.find(id);
    if (email === undefined) return undefined;
    const rows = await this.#hold(emailKey(email.address));
    const row = rows.find((each) => each.id === id);
    return row && toEmailAddress(row, this.session.dialect);
  }

  async add(email: NewEmailAddress): Promise<EmailAddress> {
    const { query, dialect } = this.session;
    const key = emailKey(email.address);
    const others = await this.#holdOthers(key, email.userId);
    if (email.confirmedAt !== null) await this.#remove(others);
    const insert = query('emails')
      .insert({
        user_id: email.userId,
        address: email.address,
        address_key: key,
        is_primary: email.primary,
        confirmed_at: writeInstantOrNull(dialect, email.confirmedAt),
        recovery_since: writeInstantOrNull(dialect, email.recoverySince),
        created_at: dialect.writeInstant(email.createdAt),
      })
      .returning('*');
    const [row] = await onUniqueViolation(insert, REFUSALS);
    return toEmailAddress(row!, dialect);
  }

  async confirm(id: number, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const email = await this.find(id);
    if (email === undefined) return false;
    await this.#remove(await this.#holdOthers(emailKey(email.address), email.userId));
    const update = query('emails')
      .where({ id })
      .update({ confirmed_at: dialect.writeInstant(at) });
    return (await onUniqueViolation(update, REFUSALS)) > 0;
  }

  async withdrawRecovery(userId: UserId): Promise<void> {
    await this.session
      .query('emails')
      .where({ user_id: userId, confirmed_at: null, is_primary: false })
      .update({ recovery_since: null });
  }

  async useForRecovery(id: number, at: Date): Promise<void> {
    const recovery_since = this.session.dialect.writeInstant(at);
    await this.session.query('emails').where({ id }).whereNull('recovery_since').update({ recovery_since });
  }

  async makePrimary(id: number): Promise<void> {
    const email = await this.find(id);
    if (email === undefined) return;
    await this.session.query('emails').where({ user_id: email.userId }).update({ is_primary: false });
    await this.session.query('emails').where({ id }).update({ is_primary: true });
  }

  async remove(id: number): Promise<void> {
    await this.#remove([id]);
  }

  /** All rows of an address, locked in one order: of many who confirm it at once each sees what the one before did. */
  async #hold(addressKey: string): Promise<readonly EmailRow[]> {
    const { query, dialect } = this.session;
    return await dialect.lockRows(query('emails').where({ address_key: addressKey }).orderBy('id'));
  }

  /**
   * The rows of an address that other accounts have, unconfirmed.
   * @throws Conflict when another account has confirmed it.
   */
  async #holdOthers(addressKey: string, userId: UserId): Promise<readonly number[]> {
    const others = (await this.#hold(addressKey)).filter((row) => row.user_id !== userId);
    if (others.some((row) => row.confirmed_at !== null)) throw taken();
    return others.map((row) => row.id);
  }

  async #remove(ids: readonly number[]): Promise<void> {
    if (ids.length > 0)
      await this.session
        .query('emails')
        .whereIn('id', [...ids])
        .delete();
  }
}
