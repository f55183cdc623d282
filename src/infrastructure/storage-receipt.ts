import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { keepReceipts } from '../adapters/outbound/persistence/knex/storage/knex-move-receipts.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { Sensitive } from '../application/shared/sensitive.js';
import { receiptOf, receiptText } from '../application/storage/move-receipt.js';
import type { Moved } from '../application/storage/move-storage.js';
import type { MoveReceipt, StepTimes } from '../application/storage/ports/move-receipts.js';
import { OAUTH_TOKENS } from './composition/oauth.tokens.js';
import type { Config } from './configuration/config.js';
import { findSecretKey } from './configuration/secret-key.js';
import { createWithService } from './command-service.js';
import { reasonOf } from './explain-failure.js';
import { signReceipt } from './sign-receipt.js';
import { VERSION } from './version.js';

/** A container may run as a number that nobody gave a name. */
const nameOfUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
};

const write = async (config: Config, file: string, receipt: MoveReceipt): Promise<void> => {
  const key = findSecretKey(config);
  const secretKey = key && { secretKey: new Sensitive(key.toString('base64')) };
  await createWithService(() => ({ ...config, ...secretKey }))(async ({ container }) => {
    const signed = await signReceipt(container.get(OAUTH_TOKENS.signingKeys), receipt);
    writeFileSync(file, receiptText(signed), { flag: 'wx' });
  });
};

/** Beside those of earlier moves, where the installation is stored now. Nothing else is written there. */
const keep = async ([from, to]: Journey['urls'], receipt: MoveReceipt): Promise<void> => {
  const [before, now] = [openDatabase({ url: from, poolMax: 1 }), openDatabase({ url: to, poolMax: 1 })];
  try {
    await keepReceipts(before, now, receipt, systemClock.now());
  } finally {
    await Promise.all([before.close(), now.close()]);
  }
};

export interface Journey {
  readonly urls: readonly [from: string, to: string];
  readonly moved: Moved;
  readonly steps: StepTimes;
  /** Where its receipt is written beside. */
  readonly file: string | undefined;
}

/**
 * Keeps what a move did and found for the admin area, and signs it for whoever wants it as a file.
 *
 * @throws Error with a sentence that says that the move itself has ended, where that file can't be written.
 */
export const keepReceipt = async (config: Config, { urls, moved, steps, file }: Journey): Promise<void> => {
  const by = `${nameOfUser()}@${hostname()}`;
  const receipt = receiptOf(moved, { version: VERSION, by, steps, repositories: config.repositoriesDirectory });
  await keep(urls, receipt);
  if (file === undefined) return;
  await write(config, file, receipt).catch((error: unknown) => {
    throw new Error(
      `The move has ended, and its receipt could not be written to ${file} (${reasonOf(error)}): Storage in the admin area has it.`,
      { cause: error },
    );
  });
};
