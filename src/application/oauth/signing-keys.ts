import { SIGNED_TOKEN_LIFETIME_SECONDS, stillVerifies, type SigningKey } from '../../domain/oauth/signing-key.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { KeyPairSource } from './ports/key-pair-source.js';
import type { SigningKeyReader, SigningKeyRepository } from './ports/signing-key-repository.js';

/** The keys that sign tokens: one signs, those before it verify until their tokens have expired. */
export class SigningKeys {
  #making: Promise<string> | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly signingKeys: SigningKeyRepository }>,
    private readonly reader: SigningKeyReader,
    private readonly keyPairs: KeyPairSource,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Makes the key that signs from now on, and answers its id. */
  async rotate(): Promise<string> {
    const { kid, publicJwk, privateJwk } = await this.keyPairs.make();
    const sealedPrivateJwk = this.secretBox.seal(JSON.stringify(privateJwk));
    const now = this.clock.now();
    const forgotten = new Date(now.getTime() - SIGNED_TOKEN_LIFETIME_SECONDS * 1_000);
    await this.unitOfWork.execute(async ({ signingKeys }) => {
      await signingKeys.removeRetiredBefore(forgotten);
      await signingKeys.retireAll(now);
      await signingKeys.add({ kid, publicJwk, sealedPrivateJwk, createdAt: now, retiredAt: null });
    });
    return kid;
  }

  /** The key that signs, with the private half as JSON; the first one is made when it is first needed. */
  async current(): Promise<{ readonly key: SigningKey; readonly privateJwk: string }> {
    const key = (await this.#newest()) ?? (await this.#first());
    return { key, privateJwk: this.secretBox.open(key.sealedPrivateJwk) };
  }

  /**
   * What verifies: the public halves, the newest first. Never empty, since a client that keeps an empty list would refuse the first
   * token that is signed.
   */
  async published(): Promise<readonly SigningKey['publicJwk'][]> {
    if ((await this.#newest()) === undefined) await this.#first();
    const now = this.clock.now();
    const keys = await this.reader.list();
    return keys.filter((key) => stillVerifies(key, now)).map(({ publicJwk }) => publicJwk);
  }

  /** Requests that need it at once share one: to make a key takes long. */
  async #first(): Promise<SigningKey> {
    this.#making ??= this.rotate().finally(() => (this.#making = undefined));
    await this.#making;
    const key = await this.#newest();
    if (key === undefined) throw new Error('The signing key that was just made is gone.');
    return key;
  }

  async #newest(): Promise<SigningKey | undefined> {
    return (await this.reader.list()).find(({ retiredAt }) => retiredAt === null);
  }
}
