import { promisify } from 'node:util';
import type { HostKeyMaker } from '../../../application/keys/ports/host-key-ports.js';
import type { HostKeyAlgorithm } from '../../../domain/keys/host-key.js';

type Kind = readonly [type: 'ed25519' | 'ecdsa' | 'rsa', bits: number];

const KINDS: Readonly<Record<HostKeyAlgorithm, Kind>> = {
  'ssh-ed25519': ['ed25519', 256],
  'ecdsa-sha2-nistp256': ['ecdsa', 256],
  'ssh-rsa': ['rsa', 3072],
};

export const sshHostKeys: HostKeyMaker = {
  make: async (algorithm) => {
    // Loaded by services that serve git over SSH, and once.
    const { default: ssh2 } = await import('ssh2');
    const [type, bits] = KINDS[algorithm];
    const generate = promisify((done: (error: Error | null, keys: { private: string } | undefined) => void) =>
      ssh2.utils.generateKeyPair(type as 'rsa', { bits }, done as never),
    );
    return (await generate())?.private ?? '';
  },
};
