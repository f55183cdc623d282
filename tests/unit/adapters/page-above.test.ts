import { describe, expect, it } from '@jest/globals';
import { pageAbove } from '../../../src/adapters/inbound/http/pages/frame/page-above.js';

const PAGES = new Set([
  '/',
  '/profile/account',
  '/profile/sessions',
  '/*path/-/settings',
  '/*path/-/settings/webhooks/:id',
]);

describe('the address of a form, loaded again,', () => {
  it.each([
    ['/profile/account/password', '/profile/account/password', '/profile/account'],
    ['/profile/sessions/17/revoke', '/profile/sessions/:id/revoke', '/profile/sessions'],
    ['/profile/sessions/revoke_others', '/profile/sessions/revoke_others', '/profile/sessions'],
    ['/a/b/c/-/settings/archive', '/*path/-/settings/archive', '/a/b/c/-/settings'],
    ['/a/b/-/settings/webhooks/7/test', '/*path/-/settings/webhooks/:id/test', '/a/b/-/settings/webhooks/7'],
    ['/users/sign_out', '/users/sign_out', '/'],
  ])('%s leads to the nearest page above it', (address, pattern, page) => {
    expect(pageAbove(address, pattern, PAGES)).toBe(page);
  });
});
