import { promisify } from 'node:util';
import type { HostKeyMaker } from '../../../application/keys/ports/host-key-ports.js';
import { parsePublicKey } from '../../../domain/keys/ssh-public-key.js';
import type { HostKeyAlgorithm } from '../../../domain/keys/host-key.js';

type Kind = readonly [type: 'ed25519' | 'ecdsa' | 'rsa', bits: number];

const KINDS: Readonly<Record<HostKeyAlgorithm, Kind>> = {
  'ssh-ed25519': ['ed25519', 256],
  'ecdsa-sha2-nistp256': ['ecdsa', 256],
  'ssh-rsa': ['rsa', 3072],
};

/** One key in 256 of ED25519 has a zero at its beginning, which the library leaves out: no client takes such a key. */
const MOST_TRIES = 10;

interface KeyPair {
  readonly public: string;
  readonly private: string;
}

export const sshHostKeys: HostKeyMaker = {
  make: async (algorithm) => {
    // Loaded by services that serve git over SSH, and once.
    const { default: ssh2 } = await import('ssh2');
    const [type, bits] = KINDS[algorithm];
    const generate = promisify((done: (error: Error | null, keys: KeyPair | undefined) => void) =>
      ssh2.utils.generateKeyPair(type as 'rsa', { bits }, done as never),
    );
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const made = await generate();
      if (made !== undefined && 'key' in parsePublicKey(made.public)) return made.private;
    }
    throw new Error(`No ${algorithm} key could be made.`);
  },
};
