import { checkKey, type KeyFields } from '../../domain/keys/new-key.js';
import type { UserKey } from '../../domain/keys/ssh-key.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { ActRepositories, ActRequester, SensitiveActs } from '../identity/operations/sensitive-acts.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { KeyFingerprints, KeyRepository } from './ports/key-ports.js';

type Needs = ActRepositories & { readonly keys: KeyRepository };

/** The keys with which people are known over SSH. */
export class UserKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly fingerprints: KeyFingerprints,
    private readonly acts: SensitiveActs,
    private readonly clock: Clock,
  ) {}

  /** Says what is wrong with the text of a key before anything else is asked of whoever adds it. @throws Invalid. */
  check(fields: KeyFields): void {
    checkKey(fields, this.clock.now());
  }

  /**
   * A key lets its holder in as its owner, so that the owner is told by mail.
   * @throws Invalid; Forbidden for a key of somebody else, unless an administrator adds it.
   */
  async add(
    requester: ActRequester,
    userId: UserId,
    fields: KeyFields,
    clientAddress: string | null = null,
  ): Promise<UserKey> {
    this.acts.refuseForeign(requester, userId);
    const at = this.clock.now();
    const { title, key, expiresAt } = checkKey(fields, at);
    const publicKey = `${key.type} ${key.base64}`;
    const fingerprints = this.fingerprints.of(key.blob);
    return this.unitOfWork.execute(async (repositories) => {
      const act = { act: 'add_ssh_key', subject: title, at, clientAddress } as const;
      await this.acts.record(repositories, requester, userId, act);
      return repositories.keys.addUserKey({ userId, title, publicKey, ...fingerprints, expiresAt, createdAt: at });
    });
  }

  /** @throws NotFound "Key" when they have no such key; Forbidden as `add`. */
  async remove(requester: ActRequester, userId: UserId, keyId: number): Promise<void> {
    this.acts.refuseForeign(requester, userId);
    if (!(await this.unitOfWork.execute(({ keys }) => keys.removeUserKey(userId, keyId)))) throw new NotFound('Key');
  }
}
