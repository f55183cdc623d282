import type {
  SigningKeyReader,
  SigningKeyRepository,
} from '../../../../../application/oauth/ports/signing-key-repository.js';
import type { SigningKey } from '../../../../../domain/oauth/signing-key.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull, writeInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type SigningKeyRow = Omit<RowOf<'signing_keys'>, 'id'>;

const toRow = (key: SigningKey, dialect: Dialect): SigningKeyRow => ({
  kid: key.kid,
  public_jwk: JSON.stringify(key.publicJwk),
  sealed_private_jwk: key.sealedPrivateJwk,
  created_at: dialect.writeInstant(key.createdAt),
  retired_at: writeInstantOrNull(dialect, key.retiredAt),
});

const toSigningKey = (row: SigningKeyRow, dialect: Dialect): SigningKey => ({
  kid: row.kid,
  publicJwk: JSON.parse(row.public_jwk) as SigningKey['publicJwk'],
  sealedPrivateJwk: row.sealed_private_jwk,
  createdAt: dialect.readInstant(row.created_at),
  retiredAt: readInstantOrNull(dialect, row.retired_at),
});

export class KnexSigningKeyRepository implements SigningKeyRepository {
  constructor(private readonly session: Session) {}

  async add(key: SigningKey): Promise<void> {
    await this.session.query('signing_keys').insert(toRow(key, this.session.dialect));
  }

  async retireAll(at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('signing_keys')
      .whereNull('retired_at')
      .update({ retired_at: dialect.writeInstant(at) });
  }

  async removeRetiredBefore(at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('signing_keys').where('retired_at', '<', dialect.writeInstant(at)).delete();
  }
}

export class KnexSigningKeyReader implements SigningKeyReader {
  constructor(private readonly session: Session) {}

  async list(): Promise<readonly SigningKey[]> {
    const rows = await this.session.query('signing_keys').select('*').orderBy('id', 'desc');
    return rows.map((row) => toSigningKey(row, this.session.dialect));
  }
}
