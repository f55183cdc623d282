import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { withPath } from '../adapters/outbound/git/durable-files.js';
import type { Config } from './configuration/config.js';
import { secretKeyFile } from './configuration/secret-key.js';

type Settings = Pick<Config, 'secretKey' | 'databaseUrl'>;

/** The key that lies beside a database, where no setting has it. */
const keyBeside = ({
  secretKey,
  databaseUrl,
}: Settings): { readonly file: string; readonly key: string } | undefined => {
  const file = secretKeyFile(databaseUrl.reveal());
  if (secretKey !== undefined || file === undefined || !existsSync(file)) return undefined;
  return { file, key: readFileSync(file, 'utf8') };
};

/** Changes nothing. @throws Error with a sentence when another key lies where the installation will look for it once it is stored elsewhere. */
export const refuseOtherKeyFor = (settings: Settings, to: string): void => {
  const [here, next] = [keyBeside(settings), secretKeyFile(to)];
  if (here === undefined || next === undefined || !existsSync(next)) return;
  if (readFileSync(next, 'utf8').trim() !== here.key.trim())
    throw new Error(`The secret key in ${next} is not the one of this installation: remove it, or move elsewhere.`);
};

const write = (file: string, key: string): void => {
  try {
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // What is there already is not ours; a part of a key would be taken for another one.
    if ((error as NodeJS.ErrnoException).syscall === 'write') rmSync(file);
    withPath(error, file);
  }
};

/**
 * Sees to it that the secret key is where the installation will look for it once it is stored elsewhere, and answers what is left for
 * the operator to do, as a sentence after a space, or nothing. The key itself is never told.
 *
 * @throws Error with a sentence when another key lies there.
 */
export const keepKeyFor = (settings: Settings, to: string): string => {
  refuseOtherKeyFor(settings, to);
  const [here, next] = [keyBeside(settings), secretKeyFile(to)];
  if (here === undefined) return '';
  if (next === undefined) return ` Set SECRET_KEY to what is in ${here.file}.`;
  if (!existsSync(next)) write(next, here.key);
  return '';
};
