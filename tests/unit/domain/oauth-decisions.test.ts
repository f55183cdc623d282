import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accessTokenState, expiryOf, secondsLeft } from '../../../src/domain/oauth/access-token.js';
import type { Application } from '../../../src/domain/oauth/application.js';
import { decideRedemption, type AuthorizationCode } from '../../../src/domain/oauth/authorization-code.js';
import {
  AUTHORIZATION_PARAMETERS,
  decideAuthorization,
  type AuthorizationParameters,
} from '../../../src/domain/oauth/authorization-request.js';
import { isCodeVerifier } from '../../../src/domain/oauth/pkce.js';
import { isRegistered } from '../../../src/domain/oauth/redirect-uri.js';
import { decideRefresh, MAX_REPEATS } from '../../../src/domain/oauth/refresh-token.js';
import { readScopes } from '../../../src/domain/oauth/requested-scopes.js';
import { SCOPES } from '../../../src/domain/shared/scope.js';
import type { UserId } from '../../../src/domain/shared/identifiers.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

const CALLBACK = 'https://app.example/callback';
const APPLICATION: Application = {
  id: 1,
  uid: 'app',
  name: 'Engine',
  redirectUris: [CALLBACK, 'http://127.0.0.1/cb'],
  scopes: ['read_user', 'openid'],
  confidential: true,
  ownerId: null,
  selfRegistered: false,
  createdAt: NOW,
};
const RULES = { requireHttps: false, implicitEnabled: true };
const ASKED = { client_id: 'app', redirect_uri: CALLBACK, response_type: 'code', scope: 'read_user' };

const decide = (
  given: AuthorizationParameters['given'],
  application: Application | undefined = APPLICATION,
  rules = RULES,
) => decideAuthorization({ given, malformed: [] }, application, rules);

describe('a redirect URI', () => {
  it('is the registered one to the letter, but for the port of a loopback IP', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.webUrl(), (registered, requested) => {
        expect(isRegistered([registered], requested)).toBe(registered === requested);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(isRegistered(['http://127.0.0.1/cb'], `http://127.0.0.1:${port}/cb`)).toBe(true);
        expect(isRegistered(['http://[::1]:1/cb'], `http://[::1]:${port}/cb`)).toBe(true);
        expect(isRegistered(['http://localhost/cb'], `http://localhost:${port}/cb`)).toBe(false);
        expect(isRegistered(['http://127.0.0.1/cb'], `http://127.0.0.1:${port}/other`)).toBe(false);
        expect(isRegistered(['http://127.0.0.1/cb'], `http://127.0.0.1:${port}@evil.example/cb`)).toBe(false);
      }),
    );
  });
});

describe('an authorization request', () => {
  it('that is sound is accepted as it was asked', () => {
    expect(decide({ ...ASKED, state: 's', max_age: '60', prompt: 'login consent' })).toMatchObject({
      outcome: 'accepted',
      request: { redirectUri: CALLBACK, scopes: ['read_user'], state: 's', maxAge: 60, prompts: ['login', 'consent'] },
    });
  });

  it.each([
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'form_post' }, 'invalid_request'],
    [{ scope: 'api' }, 'invalid_scope'],
    [{ code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://app.example/r', response_type: undefined }, 'request_uri_not_supported'],
    [{ id_token_hint: 'h'.repeat(4_001) }, 'invalid_request'],
    [{ nonce: 'n'.repeat(1_001) }, 'invalid_request'],
  ])('with %j is refused by redirect with %s', (change, error) => {
    const given = Object.fromEntries(
      Object.entries({ ...ASKED, ...change }).filter(([, value]) => value !== undefined),
    );
    expect(decide(given)).toMatchObject({ outcome: 'refused', refusal: { error }, to: { redirectUri: CALLBACK } });
  });

  it('of a public application needs a challenge', () => {
    const mobile = { ...APPLICATION, confidential: false };
    expect(decide(ASKED, mobile)).toMatchObject({ outcome: 'refused', refusal: { error: 'invalid_request' } });
    const challenged = { ...ASKED, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    expect(decide(challenged, mobile)).toMatchObject({ outcome: 'accepted' });
    expect(decide({ ...ASKED, response_type: 'token' }, mobile)).toMatchObject({ outcome: 'accepted' });
  });

  it('may be of the implicit flow only where that is on', () => {
    const off = { ...RULES, implicitEnabled: false };
    expect(decide({ ...ASKED, response_type: 'token' }, APPLICATION, off)).toMatchObject({
      refusal: { error: 'unsupported_response_type' },
    });
  });

  it('whatever it holds, sends nobody to a place that was not registered', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('code', 'token', 'app', CALLBACK, 'read_user', 'S256', 'none'));
    const given = fc.dictionary(fc.constantFrom(...AUTHORIZATION_PARAMETERS), text);
    const malformed = fc.subarray([...AUTHORIZATION_PARAMETERS]);
    fc.assert(
      fc.property(given, malformed, fc.boolean(), (parameters, broken, known) => {
        const decision = decideAuthorization(
          { given: parameters, malformed: broken },
          known ? APPLICATION : undefined,
          RULES,
        );
        if (decision.outcome === 'untrusted') return;
        const { redirectUri } = decision.outcome === 'refused' ? decision.to : decision.request;
        expect(known).toBe(true);
        expect(isRegistered(APPLICATION.redirectUris, redirectUri)).toBe(true);
        if (decision.outcome === 'accepted') expect(broken).toEqual([]);
      }),
    );
  });
});

describe('a code', () => {
  const CODE: AuthorizationCode = {
    id: 7,
    userId: 1 as UserId,
    applicationId: 1,
    grantId: null,
    redirectUri: CALLBACK,
    scopes: ['read_user'],
    codeChallenge: null,
    nonce: null,
    authenticatedAt: NOW,
    createdAt: NOW,
    expiresAt: at(600),
  };
  const REDEMPTION = {
    applicationId: 1,
    redirectUri: CALLBACK,
    codeVerifier: undefined,
    challengeOfVerifier: undefined,
    now: at(1),
  };

  it.each([
    ['unknown', undefined, {}],
    ['other_client', CODE, { applicationId: 2 }],
    ['expired', CODE, { now: at(600) }],
    ['other_redirect_uri', CODE, { redirectUri: `${CALLBACK}/` }],
    ['verifier_missing', { ...CODE, codeChallenge: 'c' }, {}],
    ['verifier_unexpected', CODE, { codeVerifier: 'v'.repeat(43), challengeOfVerifier: 'c' }],
    ['verifier_differs', { ...CODE, codeChallenge: 'c' }, { codeVerifier: 'v'.repeat(43), challengeOfVerifier: 'd' }],
    ['verifier_differs', { ...CODE, codeChallenge: 'c' }, { codeVerifier: 'short', challengeOfVerifier: 'c' }],
  ])('is refused as %s', (reason, code, change) => {
    expect(decideRedemption(code, { ...REDEMPTION, ...change })).toMatchObject({ outcome: 'refused', reason });
  });

  it('is reused when it was redeemed before, even when it has expired since, and only by its own client', () => {
    const used = { ...CODE, grantId: 9 };
    expect(decideRedemption(used, { ...REDEMPTION, now: at(9_000) })).toEqual({ outcome: 'reused', grantId: 9 });
    expect(decideRedemption(used, { ...REDEMPTION, applicationId: 2 })).toMatchObject({ reason: 'other_client' });
  });

  it('buys tokens otherwise', () => {
    expect(decideRedemption(CODE, REDEMPTION)).toEqual({ outcome: 'redeem', code: CODE });
  });
});

describe('a refresh token', () => {
  const TOKEN = { id: 1, grantId: 1, accessTokenId: 1, rotatedAt: null, repeats: 0 };
  const USE = { byOwnClient: true, grantRevoked: false, graceSeconds: 30, now: at(0) };
  const reason = (token: Parameters<typeof decideRefresh>[0], use: Partial<typeof USE> = {}) =>
    decideRefresh(token, { ...USE, ...use }).reason;

  it('rotates at its first use', () => expect(reason(TOKEN)).toBe('first_use'));

  it('may be repeated within the grace, by its own client, three times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 6 }),
        fc.boolean(),
        (age, repeats, byOwnClient) => {
          const { outcome } = decideRefresh({ ...TOKEN, rotatedAt: at(-age), repeats }, { ...USE, byOwnClient });
          expect(outcome).toBe(byOwnClient && age <= 30 && repeats < MAX_REPEATS ? 'repeat' : 'theft');
        },
      ),
    );
  });

  it('names why it is theft, and why it is refused', () => {
    const rotated = { ...TOKEN, rotatedAt: at(-1) };
    expect(reason(rotated, { byOwnClient: false })).toBe('other_client');
    expect(reason({ ...rotated, rotatedAt: at(-31) })).toBe('past_grace');
    expect(reason({ ...rotated, repeats: 3 })).toBe('too_many_repeats');
    expect(reason(rotated, { grantRevoked: true })).toBe('revoked');
    expect(reason(undefined)).toBe('unknown');
    expect(decideRefresh(TOKEN, { ...USE, byOwnClient: false })).toEqual({
      outcome: 'refused',
      reason: 'other_client',
    });
  });
});

describe('scopes and verifiers', () => {
  it('are read when each is known and named once', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SCOPES], { minLength: 1 }), (scopes) =>
        expect(readScopes(scopes.join(' '))).toEqual(scopes),
      ),
    );
    for (const text of ['', ' ', 'api api', 'API', 'api,read_user', 'nonsense', 'api\tsudo'])
      expect(readScopes(text)).toBeUndefined();
  });

  it('have 43 to 128 characters of the unreserved set', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9\-._~]{1,140}$/), (text) => {
        expect(isCodeVerifier(text)).toBe(text.length >= 43 && text.length <= 128);
      }),
    );
  });
});

describe('an access token', () => {
  it('says first that it expired, and counts whole seconds', () => {
    expect(accessTokenState({ expiresAt: at(1), revoked: false }, NOW)).toBe('active');
    expect(accessTokenState({ expiresAt: at(0), revoked: true }, NOW)).toBe('expired');
    expect(accessTokenState({ expiresAt: null, revoked: true }, NOW)).toBe('revoked');
    expect(secondsLeft({ expiresAt: at(1.9) }, NOW)).toBe(1);
    expect(secondsLeft({ expiresAt: at(-5) }, NOW)).toBe(0);
    expect([secondsLeft({ expiresAt: null }, NOW), expiryOf(NOW, 0), expiryOf(NOW, 60)]).toEqual([null, null, at(60)]);
  });
});
