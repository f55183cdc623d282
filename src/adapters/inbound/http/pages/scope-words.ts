import type { Scope } from '../../../../domain/shared/scope.js';

/** What each scope lets a token do, in plain words that complete "it may …". */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  api: 'read and change everything you can',
  read_api: 'read everything you can',
  read_user: 'read your profile and those of others',
  read_repository: 'read repositories',
  write_repository: 'read and change repositories',
  sudo: 'act for other users (administrators)',
  openid: 'know who you are when you sign in with it',
  profile: 'read your public profile',
  email: 'read your e-mail address',
};
