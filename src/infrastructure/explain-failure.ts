import { Invalid } from '../domain/shared/domain-error.js';

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

/** The sentence for whatever ended a command; a stack trace is for nobody who runs one. */
export const explainFailure = (error: unknown): string => {
  if (error instanceof Invalid) return error.message;
  const { code, message, path, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'The port is in use: choose another by PORT, or PORT=0 for a free one.';
  if (path !== undefined && syscall !== 'listen' && SYSTEM.has(code ?? ''))
    return `${path} can't be used: ${reasonOf(error)}.`;
  return code === 'EACCES' ? `Permission denied: ${message}` : message;
};
