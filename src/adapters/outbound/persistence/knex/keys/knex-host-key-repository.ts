import type { HostKeyRepository, SealedHostKey } from '../../../../../application/keys/ports/host-key-ports.js';
import type { Session } from '../session.js';

export class KnexHostKeyRepository implements HostKeyRepository {
  constructor(private readonly session: Session) {}

  async add({ algorithm, sealedPrivateKey }: SealedHostKey, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('ssh_host_keys')
      .insert({ algorithm, sealed_private_key: sealedPrivateKey, created_at: dialect.writeInstant(at) })
      .onConflict('algorithm')
      .ignore();
  }

  async list(): Promise<readonly SealedHostKey[]> {
    const rows = await this.session.query('ssh_host_keys').select('*');
    return rows.map((row) => ({ algorithm: row.algorithm, sealedPrivateKey: row.sealed_private_key }));
  }
}
