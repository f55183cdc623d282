import { Unavailable } from '../domain/shared/domain-error.js';

const SQLITE = 'sqlite:';

/** Where a database is, without the password that leads to it. */
export const placeOf = (url: string): string => {
  if (url.startsWith(SQLITE)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

interface DriverFailure {
  readonly code?: string | undefined;
  readonly message: string;
}

/** What the driver said: errors of ours have it as their cause. */
const driverFailureOf = (error: unknown): DriverFailure => {
  const { cause } = error as Error;
  return cause instanceof Object && 'message' in cause ? driverFailureOf(cause) : (error as DriverFailure);
};

const nameIn = ({ pathname, username }: URL): string => decodeURIComponent(pathname.slice(1)) || username;

/** By what the server, or the way to it, says. */
const REFUSALS: ReadonlyMap<string, (url: URL, message: string) => string> = new Map([
  ['ECONNREFUSED', ({ host }) => `The database is out of reach: nobody listens at ${host}.`],
  ['ENOTFOUND', ({ hostname }) => `The database is out of reach: there is no host ${hostname}.`],
  ['EAI_AGAIN', ({ hostname }) => `The database is out of reach: the name ${hostname} can't be looked up.`],
  ['3D000', (url) => `There is no database "${nameIn(url)}" at ${url.host}: create it there, or correct its name.`],
  ['28P01', ({ host, username }) => `${host} refuses the password of the user "${username}".`],
  ['28000', ({ host, username }, message) => `${host} refuses the user "${username}": ${message}.`],
]);

const WITHOUT_PASSWORD = /client password must be a string/;
const UNANSWERED = /timeout|timed out/i;

/** By what the engine of a file says. */
const FILE_REFUSALS: ReadonlyMap<string, string> = new Map([
  ['SQLITE_FULL', 'no space is left on the device: make room, and try again'],
  ['SQLITE_READONLY', 'this account may not write to it, or to the folder that it is in'],
]);

/** Why a file of a database can't be written, as a sentence; undefined where that is not why. */
export const describeFileFailure = (error: unknown, file = ''): string | undefined => {
  const { code = '' } = driverFailureOf(error);
  const reason = FILE_REFUSALS.get(/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '');
  return reason === undefined
    ? undefined
    : `The database file ${file === '' ? '' : `${file} `}can't be written: ${reason}.`;
};

/** Why a database can't be opened or written, as a sentence without a password; undefined where that is not why. */
export const describeDatabaseFailure = (error: unknown, url: string): string | undefined => {
  if (url.startsWith(SQLITE)) return describeFileFailure(error, url.slice(SQLITE.length));
  const { code = '', message } = driverFailureOf(error);
  const address = new URL(url);
  const refusal = REFUSALS.get(code);
  if (refusal !== undefined) return refusal(address, message);
  if (WITHOUT_PASSWORD.test(message))
    return `${address.host} asks for a password of the user "${address.username}": write it into the address, as in postgres://user:password@host/name.`;
  if (UNANSWERED.test(message)) return `The database is out of reach: ${address.host} does not answer.`;
  return error instanceof Unavailable ? `The database is out of reach: ${message}.` : undefined;
};

/** The error to throw instead of one that a database failed with. */
export const databaseFailure = (error: unknown, url: string): unknown => {
  const sentence = describeDatabaseFailure(error, url);
  return sentence === undefined ? error : new Error(sentence, { cause: error });
};
