import { hash } from 'node:crypto';
import { createJoseTokenSigner } from '../adapters/outbound/security/jose-token-signer.js';
import type { SigningKeys } from '../application/oauth/signing-keys.js';
import type { MoveReceipt, SignedReceipt } from '../application/storage/ports/move-receipts.js';

/** The key that signs tokens signs receipts, too: `/oauth/discovery/keys` publishes what verifies both. */
export const signReceipt = async (
  signingKeys: Pick<SigningKeys, 'current'>,
  receipt: MoveReceipt,
): Promise<SignedReceipt> => {
  const digest = hash('sha256', JSON.stringify(receipt), 'hex');
  const { key, privateJwk } = await signingKeys.current();
  const claims = { sub: 'storage move', move: receipt.move, receipt_sha256: digest };
  return { ...receipt, signature: await createJoseTokenSigner().sign(claims, key, privateJwk) };
};
