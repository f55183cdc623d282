import { addAccountPages, type AccountPagesParts } from './account-pages.js';
import { addEmailPages, type EmailPagesParts } from './email-pages.js';
import type { Pages } from './page.js';
import { addTokenPages, type TokenPagesParts } from './token-pages.js';
import { addTwoFactorPages, type TwoFactorPagesParts } from './two-factor-pages.js';

export type ProfilePagesParts = AccountPagesParts & TwoFactorPagesParts & EmailPagesParts & TokenPagesParts;

export const addProfilePages = (pages: Pages, parts: ProfilePagesParts): void => {
  addAccountPages(pages, parts);
  addTwoFactorPages(pages, parts);
  addEmailPages(pages, parts);
  addTokenPages(pages, parts);
};
