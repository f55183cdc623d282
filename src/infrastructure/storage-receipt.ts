import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createJoseTokenSigner } from '../adapters/outbound/security/jose-token-signer.js';
import { Sensitive } from '../application/shared/sensitive.js';
import type { Moved } from '../application/storage/move-storage.js';
import { OAUTH_TOKENS } from './composition/oauth.tokens.js';
import type { Config } from './configuration/config.js';
import { findSecretKey } from './configuration/secret-key.js';
import { createWithService } from './command-service.js';
import { VERSION } from './version.js';

/** The key that signs tokens signs for receipts, too: `/oauth/discovery/keys` publishes what verifies both. */
const sign = async (config: Config, claims: Readonly<Record<string, unknown>>): Promise<string> => {
  const key = findSecretKey(config);
  const secretKey = key && { secretKey: new Sensitive(key.toString('base64')) };
  let signature = '';
  await createWithService(() => ({ ...config, ...secretKey }))(async ({ container }) => {
    const { key: signingKey, privateJwk } = await container.get(OAUTH_TOKENS.signingKeys).current();
    signature = await createJoseTokenSigner().sign(claims, signingKey, privateJwk);
  });
  return signature;
};

/** Writes what a move did and found, for whoever must be able to show it. The last line signs the text of all before it. */
export const writeReceipt = async (file: string, moved: Moved, config: Config): Promise<void> => {
  const { verification, beforeCut, cut } = moved;
  const receipt = {
    move: moved.move,
    version: VERSION,
    from: moved.from,
    to: moved.to,
    started: moved.startedAt.toISOString(),
    ended: moved.endedAt.toISOString(),
    resumed: moved.resumed,
    cut: cut === undefined ? null : { at: cut.begunAt.toISOString(), pauseMs: cut.pauseMs, rows: cut.keys },
    migrations: moved.migrations,
    tables: Object.fromEntries(
      (verification?.tables ?? []).map(({ table, here, there }) => [table, { source: here, target: there }]),
    ),
    mended: moved.mended?.map(({ table, key, column }) => ({ table, key, column })) ?? null,
    sha256: verification?.sha256 ?? null,
    verified: { beforeCut: beforeCut !== undefined, asOfCut: verification?.equal ?? false },
    repositories: { path: config.repositoriesDirectory, moved: false },
  };
  const sha256 = hash('sha256', JSON.stringify(receipt), 'hex');
  const signature = await sign(config, { sub: 'storage move', move: moved.move, receipt_sha256: sha256 });
  writeFileSync(file, `${JSON.stringify({ ...receipt, signature }, null, 2)}\n`, { flag: 'wx' });
};
