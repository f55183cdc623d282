import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Config } from './configuration/config.js';
import { secretKeyFile } from './configuration/secret-key.js';

/**
 * Sees to it that the secret key is where the installation will look for it once it is stored elsewhere, and answers what is left for
 * the operator to do, as a sentence after a space, or nothing. The key itself is never told.
 *
 * @throws Error with a sentence when another key lies there.
 */
export const keepKeyFor = (
  { secretKey, databaseUrl }: Pick<Config, 'secretKey' | 'databaseUrl'>,
  to: string,
): string => {
  const file = secretKeyFile(databaseUrl.reveal());
  if (secretKey !== undefined || file === undefined || !existsSync(file)) return '';
  const next = secretKeyFile(to);
  if (next === undefined) return ` Set SECRET_KEY to what is in ${file}.`;
  const key = readFileSync(file, 'utf8');
  if (!existsSync(next)) writeFileSync(next, key, { mode: 0o600, flag: 'wx' });
  else if (readFileSync(next, 'utf8').trim() !== key.trim())
    throw new Error(`The secret key in ${next} is not the one of this installation: remove it, or move elsewhere.`);
  return '';
};
