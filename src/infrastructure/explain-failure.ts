import { Invalid, Unavailable } from '../domain/shared/domain-error.js';
import { describeFileFailure } from './database-failure.js';

/** What the operating system refuses, in words. */
const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'it exists already'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the quota of the account is used up'],
  ['ENAMETOOLONG', 'the name is too long'],
]);

/** Why a file or folder can't be used, to stand behind a colon. */
export const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return SYSTEM.get(code) ?? (message === '' ? code : message);
};

/** Where a server was to listen, and the settings that say so. */
export interface Listening {
  readonly port: number;
  readonly host: string;
  readonly settings: readonly [port: string, host: string];
}

/** By what the system says of an address. */
const NOT_LISTENING: ReadonlyMap<string, (at: Listening) => string> = new Map([
  [
    'EADDRINUSE',
    ({ port, settings: [name] }) =>
      `The port ${port} is in use: choose another by ${name}, or ${name}=0 for a free one.`,
  ],
  ['EADDRNOTAVAIL', ({ host, settings: [, name] }) => `${name} is ${host}, which is no address of this machine.`],
  ['ENOTFOUND', ({ host, settings: [, name] }) => `${name} is ${host}, and there is no such host.`],
  ['EAI_AGAIN', ({ host, settings: [, name] }) => `${name} is ${host}, a name that can't be looked up.`],
  [
    'EACCES',
    ({ port, settings: [name] }) =>
      `The account that runs this may not listen at port ${port}: choose one above 1023 by ${name}.`,
  ],
]);

/** The error to throw instead of one that a server failed to listen with. */
export const listenFailure = (error: unknown, at: Listening): unknown => {
  const sentence = NOT_LISTENING.get((error as NodeJS.ErrnoException).code ?? '')?.(at);
  return sentence === undefined ? error : new Error(sentence, { cause: error });
};

/** The sentence for whatever ended a command; a stack trace is for nobody who runs one. */
export const explainFailure = (error: unknown): string => {
  if (error instanceof Invalid) return error.message;
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (path !== undefined && SYSTEM.has(code ?? '')) return `${path} can't be used: ${reasonOf(error)}.`;
  // What was told by its cause already is a sentence.
  const ofFile = error instanceof Unavailable || code?.startsWith('SQLITE_') ? describeFileFailure(error) : undefined;
  if (ofFile !== undefined) return ofFile;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `A file can't be written: ${reasonOf(error)}.`;
  return code === 'EACCES' ? `Permission denied: ${message}` : message;
};
