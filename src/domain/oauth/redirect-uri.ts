/** Why a redirect URI can't be registered, in the words that its author reads. */
export type RedirectUriProblem =
  | 'must be an absolute URI.'
  | 'cannot contain a fragment.'
  | 'cannot contain user information.'
  | 'must have an ASCII host.'
  | 'must have a host without empty labels.'
  | 'cannot have a parameter that the answer has: access_token, code, error, iss, state.'
  | 'is forbidden by the server.'
  | 'must be an HTTPS/SSL URI.'
  | 'with a private-use scheme needs a dot in its scheme and a non-confidential application.';

export interface RedirectUriRules {
  /** Plain http is for loopback hosts alone. */
  readonly requireHttps: boolean;
  readonly confidential: boolean;
}

// Each can run or show something instead of returning to the application, and `urn:` is the out-of-band page.
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'urn',
  'file',
  'blob',
  'about',
  'ftp',
  'ws',
  'wss',
  'view-source',
  'filesystem',
]);

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const ABSOLUTE_HTTP = /^https?:\/\/[^/?#]/i;
// Whitespace, controls, quotes and backslashes are read differently by different parsers.
const AMBIGUOUS = /[\s\p{C}"'<>\\^`{|}]/u;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Between the scheme and the first of `/`, `?` and `#`. */
const authorityOf = (uri: string): string => /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1] ?? '';

const hostOf = (uri: string): string => authorityOf(uri).replace(/:\d*$/, '');

// Other characters pass in URLs, and mean something in the headers that name a host.
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/;

/** A trailing dot, or two in a row: browsers and resolvers differ in which host that is. */
const hasEmptyLabel = (host: string): boolean => !host.startsWith('[') && host.split('.').includes('');

/** What an answer says by itself; one that came with the address would make it say two things (RFC 6749 §3.1). */
const ANSWERED = ['access_token', 'code', 'error', 'iss', 'state'];

const hasAnsweredParameter = (uri: string): boolean => {
  const query = new URLSearchParams(uri.slice(uri.indexOf('?') + 1));
  return uri.includes('?') && ANSWERED.some((name) => query.has(name));
};

type Check = (uri: string, rules: RedirectUriRules) => RedirectUriProblem | undefined;

const schemeOf = (uri: string): string | undefined => SCHEME.exec(uri)?.[1]?.toLowerCase();

const spelledBadly: Check = (uri) => {
  const scheme = schemeOf(uri);
  if (scheme === undefined || AMBIGUOUS.test(uri)) return 'must be an absolute URI.';
  if (FORBIDDEN_SCHEMES.has(scheme)) return 'is forbidden by the server.';
  return URL.canParse(uri) ? undefined : 'must be an absolute URI.';
};

const namedBadly: Check = (uri) => {
  if (uri.includes('#')) return 'cannot contain a fragment.';
  if (authorityOf(uri).includes('@')) return 'cannot contain user information.';
  const host = hostOf(uri);
  if (host === '') return undefined;
  if (!HOST.test(host)) return 'must have an ASCII host.';
  return hasEmptyLabel(host) ? 'must have a host without empty labels.' : undefined;
};

const answeredTwice: Check = (uri) =>
  hasAnsweredParameter(uri)
    ? 'cannot have a parameter that the answer has: access_token, code, error, iss, state.'
    : undefined;

const unfitScheme: Check = (uri, { confidential, requireHttps }) => {
  const scheme = schemeOf(uri) ?? '';
  if (scheme !== 'http' && scheme !== 'https') {
    return scheme.includes('.') && !confidential
      ? undefined
      : 'with a private-use scheme needs a dot in its scheme and a non-confidential application.';
  }
  if (!ABSOLUTE_HTTP.test(uri) || hostOf(uri) === '') return 'must be an absolute URI.';
  const insecure = scheme === 'http' && requireHttps && !LOOPBACK_HOST.test(hostOf(uri));
  return insecure ? 'must be an HTTPS/SSL URI.' : undefined;
};

const CHECKS: readonly Check[] = [spelledBadly, namedBadly, answeredTwice, unfitScheme];

/**
 * The first problem of a URI that is to be registered, if it has one (RFC 6749 §3.1.2; RFC 8252 §7.1 for private-use schemes).
 */
export const redirectUriProblem: Check = (uri, rules) => {
  for (const check of CHECKS) {
    const problem = check(uri, rules);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** One URI a line; blank lines don't count. */
export const splitRedirectUris = (text: string): readonly string[] => text.split(/\s+/).filter((line) => line !== '');

// The port is the one part that may differ, as applications on a person's machine listen where they can (RFC 8252 §7.3).
const LOOPBACK_IP = /^(http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

const withoutLoopbackPort = (uri: string): string => {
  const [, origin, rest] = LOOPBACK_IP.exec(uri) ?? [];
  return origin === undefined ? uri : `${origin}${rest ?? ''}`;
};

/** Whether a requested URI is one of the registered: character by character (RFC 9700 §2.1), but for a loopback port. */
export const isRegistered = (registered: readonly string[], requested: string): boolean =>
  registered.includes(requested) ||
  (LOOPBACK_IP.test(requested) && registered.map(withoutLoopbackPort).includes(withoutLoopbackPort(requested)));
