import { addAccountPages, type AccountPagesParts } from './account-pages.js';
import { addEmailPages, type EmailPagesParts } from './email-pages.js';
import type { Pages } from './page.js';
import { addOwnProfilePages } from './own-profile-pages.js';
import { addSessionPages, type SessionPagesParts } from './session-pages.js';
import { addTokenPages, type TokenPagesParts } from './token-pages.js';
import { addTwoFactorPages, type TwoFactorPagesParts } from './two-factor-pages.js';

export type ProfilePagesParts = AccountPagesParts &
  TwoFactorPagesParts &
  EmailPagesParts &
  TokenPagesParts &
  SessionPagesParts;

export const addProfilePages = (pages: Pages, parts: ProfilePagesParts): void => {
  addOwnProfilePages(pages, parts);
  addSessionPages(pages, parts);
  addAccountPages(pages, parts);
  addTwoFactorPages(pages, parts);
  addEmailPages(pages, parts);
  addTokenPages(pages, parts);
};
