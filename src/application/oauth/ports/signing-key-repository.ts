import type { SigningKey } from '../../../domain/oauth/signing-key.js';

export interface SigningKeyRepository {
  add(key: SigningKey): Promise<void>;
  /** Retires every key that is still in use. */
  retireAll(at: Date): Promise<void>;
  /** Removes the keys that were retired before an instant. */
  removeRetiredBefore(at: Date): Promise<void>;
}

export interface SigningKeyReader {
  /** The newest first. */
  list(): Promise<readonly SigningKey[]>;
}
