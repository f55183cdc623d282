import { ALERT_BOT } from '../../domain/identity/service-account.js';
import { Conflict } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { UserReader } from '../identity/ports/identity-readers.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';

/** The account that opens and closes incidents. It has no password and no address, so nobody signs in with it, and nobody removes it. */
export class AlertBot {
  #id: UserId | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly users: UserRepository }>,
    private readonly users: UserReader,
    private readonly clock: Clock,
  ) {}

  async id(): Promise<UserId> {
    return (this.#id ??= (await this.#find()) ?? (await this.#create()));
  }

  async #find(): Promise<UserId | undefined> {
    return (await this.users.findByUsername(ALERT_BOT))?.id;
  }

  async #create(): Promise<UserId> {
    const account = {
      username: ALERT_BOT,
      name: 'Alert Bot',
      state: 'active',
      admin: false,
      passwordHash: null,
    } as const;
    try {
      const { id } = await this.unitOfWork.execute(({ users }) =>
        users.add({ ...account, createdAt: this.clock.now() }),
      );
      return id;
    } catch (error) {
      // Another node made it meanwhile.
      const id = error instanceof Conflict ? await this.#find() : undefined;
      if (id === undefined) throw error;
      return id;
    }
  }
}
