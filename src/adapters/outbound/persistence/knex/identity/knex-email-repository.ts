import type { EmailRepository, NewEmailAddress } from '../../../../../application/identity/ports/user-repository.js';
import { emailKey, type EmailAddress } from '../../../../../domain/identity/user.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { toEmailAddress, type EmailRow } from './user-row.js';

export class KnexEmailRepository implements EmailRepository {
  constructor(private readonly session: Session) {}

  async ofUser(userId: UserId): Promise<readonly EmailAddress[]> {
    const rows = (await this.session.query('emails').where({ user_id: userId }).orderBy('id')) as EmailRow[];
    return rows.map((row) => toEmailAddress(row, this.session.dialect));
  }

  async find(id: number): Promise<EmailAddress | undefined> {
    const row = (await this.session.query('emails').where({ id }).first()) as EmailRow | undefined;
    return row && toEmailAddress(row, this.session.dialect);
  }

  async add(email: NewEmailAddress): Promise<EmailAddress> {
    const { query, dialect } = this.session;
    const insert = query('emails')
      .insert({
        user_id: email.userId,
        address: email.address,
        address_key: emailKey(email.address),
        is_primary: email.primary,
        confirmed_at: writeInstantOrNull(dialect, email.confirmedAt),
        created_at: dialect.writeInstant(email.createdAt),
      })
      .returning('*');
    const [row] = (await onUniqueViolation(insert, {
      emails_address_key_unique: () => new Conflict('Email has already been taken'),
    })) as EmailRow[];
    return toEmailAddress(row!, dialect);
  }

  async confirm(id: number, at: Date): Promise<void> {
    await this.session
      .query('emails')
      .where({ id })
      .update({ confirmed_at: this.session.dialect.writeInstant(at) });
  }

  async makePrimary(id: number): Promise<void> {
    const email = await this.find(id);
    if (email === undefined) return;
    await this.session.query('emails').where({ user_id: email.userId }).update({ is_primary: false });
    await this.session.query('emails').where({ id }).update({ is_primary: true });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('emails').where({ id }).delete();
  }
}
