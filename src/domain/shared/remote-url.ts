import { outboundUrlProblem, type MayReach, type OutboundUrlProblem } from './outbound-url.js';

export interface RemoteCredentials {
  readonly username: string;
  readonly password: string;
}

/** A repository elsewhere, and who is known there. */
export interface RemoteAddress {
  /** Without user name and password. */
  readonly url: string;
  readonly credentials: RemoteCredentials | null;
}

/** Why nothing is fetched from a URL, or pushed there, in the words that its author reads. */
export type RemoteUrlProblem =
  | Exclude<OutboundUrlProblem, 'must not carry a user name or password'>
  | 'must begin with https:// or http://, as git is not spoken over SSH here'
  | 'must not have a query or a fragment'
  | 'has a user name or password that HTTP cannot carry';

export const MAX_REMOTE_URL = 1_000;

/** `ssh://…`, `git@host:path`. */
const SSH = /^(?:(?:git\+)?ssh:|[^/\s:]+@[^/\s:]+:)/i;
const CONTROLS = /\p{C}/u;
// Whitespace, controls and backslashes are read differently by different parsers.
const AMBIGUOUS = /[\s\p{C}\\]/u;

/**
 * What can be the host of a server. libcurl takes a `+` or `-` before a name that it is told the address of for a word of its own: it would
 * ask where that name leads, though another address was checked.
 */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9_.-]*)$/;

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** What a URL says before its host; undefined where no header can say it. */
const credentialsOf = ({ username, password }: URL): RemoteCredentials | null | undefined => {
  if (username === '' && password === '') return null;
  const [name, secret] = [decoded(username), decoded(password)];
  if (name === undefined || secret === undefined || name.includes(':')) return undefined;
  return CONTROLS.test(name + secret) ? undefined : { username: name, password: secret };
};

/**
 * Reads the URL of a repository elsewhere: what stands before its host is kept apart from the rest, so that nobody shows it by mistake.
 * Answers the first problem instead, if there is one.
 */
export const readRemoteUrl = (text: string, mayReach: MayReach): RemoteAddress | RemoteUrlProblem => {
  const given = text.trim();
  if (given.length > MAX_REMOTE_URL) return 'is too long (maximum is 255 characters)';
  if (SSH.test(given)) return 'must begin with https:// or http://, as git is not spoken over SSH here';
  // Looked at before it is taken apart: `URL` forgives what others don't.
  if (AMBIGUOUS.test(given) || !URL.canParse(given)) return 'must be an http or https address';
  const url = new URL(given);
  const credentials = credentialsOf(url);
  url.username = '';
  url.password = '';
  // `example.com.` is the same host, which not everybody sees alike.
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (!HOST.test(url.hostname)) return 'must be an http or https address';
  const problem = outboundUrlProblem(url.href, mayReach);
  if (problem !== undefined && problem !== 'must not carry a user name or password') return problem;
  if (url.href.includes('?') || url.href.includes('#')) return 'must not have a query or a fragment';
  if (credentials === undefined) return 'has a user name or password that HTTP cannot carry';
  return { url: url.href, credentials };
};

/** A URL as it is shown: whether somebody is known there, but not who. */
export const maskedUrl = (url: string, hasCredentials: boolean): string =>
  hasCredentials ? url.replace('://', '://*****:*****@') : url;
