/**
 * Whether a connection may go to a host, as far as its name alone tells: an address is public or allowed, and any other name is
 * known only when it is looked up. The host is as `URL` writes it, which knows every spelling of an address.
 */
export type MayReach = (host: string) => boolean;

/** Why the service will not keep a URL that it may one day connect to, in the words that its author reads. */
export type OutboundUrlProblem =
  | 'is too long (maximum is 255 characters)'
  | 'must be an http or https address'
  | 'must not carry a user name or password'
  | 'leads to a private or reserved network';

const MAX_LENGTH = 255;

// Whitespace, controls and backslashes are read differently by different parsers.
const AMBIGUOUS = /[\s\p{C}\\]/u;

const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/** The first problem of a URL that is to be kept, if it has one. */
export const outboundUrlProblem = (url: string, mayReach: MayReach): OutboundUrlProblem | undefined => {
  if (url.length > MAX_LENGTH) return 'is too long (maximum is 255 characters)';
  const authority = AUTHORITY.exec(url)?.[1];
  if (authority === undefined || AMBIGUOUS.test(url) || !URL.canParse(url)) return 'must be an http or https address';
  if (authority.includes('@')) return 'must not carry a user name or password';
  return mayReach(new URL(url).hostname) ? undefined : 'leads to a private or reserved network';
};

/** What a message may show of a URL that was given: nobody who is known there. */
export const withoutCredentials = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1*****@');
