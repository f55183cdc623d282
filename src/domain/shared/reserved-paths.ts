/**
 * Addresses that the pages of the service occupy, or that lead to accounts of its own, and that a user or group therefore can't have.
 * What was written by accounts that are gone is shown as by the ghost.
 */
export const RESERVED_TOP_LEVEL_PATHS: ReadonlySet<string> = new Set([
  '-',
  'admin',
  'alert-bot',
  'api',
  'assets',
  'dashboard',
  'explore',
  'favicon.ico',
  'ghost',
  'groups',
  'help',
  'jwt',
  'login',
  'oauth',
  'profile',
  'projects',
  'public',
  'robots.txt',
  'search',
  'sign_in',
  'uploads',
  'users',
  '.well-known',
]);
