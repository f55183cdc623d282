import { expect, it } from '@jest/globals';
import ssh2 from 'ssh2';
import { sshHostKeys } from '../../../src/adapters/outbound/security/ssh-host-keys.js';
import { parsePublicKey } from '../../../src/domain/keys/ssh-public-key.js';

/** Of keys whose first byte is zero there is one in 256. */
const KEYS = 1_500;

it('host keys are such as clients take, whatever byte they begin with', async () => {
  for (let made = 0; made < KEYS; made += 1) {
    const parsed = ssh2.utils.parseKey(await sshHostKeys.make('ssh-ed25519'));
    if (parsed instanceof Error) throw parsed;
    const line = `${parsed.type} ${parsed.getPublicSSH().toString('base64')}`;
    expect(parsePublicKey(line)).toHaveProperty('key');
  }
});
