import { HOST_KEY_ALGORITHMS } from '../../domain/keys/host-key.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { HostKeyMaker, HostKeyRepository, SealedHostKey } from './ports/host-key-ports.js';

interface Needs {
  readonly hostKeys: HostKeyRepository;
}

/** The keys by which clients know the service over SSH: made once, and the same on every node. */
export class HostKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly maker: HostKeyMaker,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** The private keys, in the order in which clients are offered them. */
  async all(): Promise<readonly string[]> {
    const there = await this.#list();
    const missing = HOST_KEY_ALGORITHMS.filter((algorithm) => !there.some((key) => key.algorithm === algorithm));
    for (const algorithm of missing) {
      const sealedPrivateKey = this.secretBox.seal(await this.maker.make(algorithm));
      await this.unitOfWork.execute(({ hostKeys }) => hostKeys.add({ algorithm, sealedPrivateKey }, this.clock.now()));
    }
    const keys = missing.length === 0 ? there : await this.#list();
    return HOST_KEY_ALGORITHMS.flatMap((algorithm) =>
      keys.filter((key) => key.algorithm === algorithm).map((key) => this.secretBox.open(key.sealedPrivateKey)),
    );
  }

  #list(): Promise<readonly SealedHostKey[]> {
    return this.unitOfWork.execute(({ hostKeys }) => hostKeys.list());
  }
}
