import type { HostKeyAlgorithm } from '../../../domain/keys/host-key.js';

export interface SealedHostKey {
  readonly algorithm: HostKeyAlgorithm;
  readonly sealedPrivateKey: string;
}

export interface HostKeyRepository {
  /** Leaves the one alone that another node was faster to make. */
  add(key: SealedHostKey, at: Date): Promise<void>;
  list(): Promise<readonly SealedHostKey[]>;
}

export interface HostKeyMaker {
  /** Answers the private half, as text that the server reads. */
  make(algorithm: HostKeyAlgorithm): Promise<string>;
}
