import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redirectUriProblem, splitRedirectUris } from '../../../src/domain/oauth/redirect-uri.js';

const DEVELOPMENT = { requireHttps: false, confidential: true };
const PRODUCTION = { requireHttps: true, confidential: true };
const NATIVE = { requireHttps: true, confidential: false };

describe('a redirect URI', () => {
  it.each(['https://app.example/callback', 'https://app.example:8443/cb?tenant=1', 'https://xn--bcher-kva.example/cb'])(
    'may be %s anywhere',
    (uri) => {
      expect(redirectUriProblem(uri, PRODUCTION)).toBeUndefined();
    },
  );

  it.each([
    'http://app.example/callback',
    'http://10.0.0.1/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
  ])('may be %s in development alone', (uri) => {
    expect(redirectUriProblem(uri, DEVELOPMENT)).toBeUndefined();
    expect(redirectUriProblem(uri, PRODUCTION)).toBe('must be an HTTPS/SSL URI.');
  });

  it.each(['http://localhost/cb', 'http://127.0.0.1:3000/cb', 'http://[::1]:3000/cb'])(
    'may be %s in production: it is loopback',
    (uri) => {
      expect(redirectUriProblem(uri, PRODUCTION)).toBeUndefined();
    },
  );

  it('may have a private-use scheme with a dot for an application that can keep no secret', () => {
    expect(redirectUriProblem('com.example.app:/cb', NATIVE)).toBeUndefined();
    expect(redirectUriProblem('com.example.app:/cb', PRODUCTION)).toMatch(/private-use scheme/);
    expect(redirectUriProblem('myapp:/cb', NATIVE)).toMatch(/private-use scheme/);
  });

  it.each([
    ['javascript:alert(1)', 'is forbidden by the server.'],
    ['JavaScript:alert(1)', 'is forbidden by the server.'],
    ['data:text/html,x', 'is forbidden by the server.'],
    ['vbscript:x', 'is forbidden by the server.'],
    ['urn:ietf:wg:oauth:2.0:oob', 'is forbidden by the server.'],
    ['https://app.example/cb#fragment', 'cannot contain a fragment.'],
    ['https://app.example/cb#', 'cannot contain a fragment.'],
    ['http://localhost:80@evil.example/', 'cannot contain user information.'],
    ['https://bücher.example/cb', 'must have an ASCII host.'],
    ['/callback', 'must be an absolute URI.'],
    ['//app.example/cb', 'must be an absolute URI.'],
    ['https:///cb', 'must be an absolute URI.'],
    ['https://:8080/cb', 'must be an absolute URI.'],
    ['https://app.example\\@evil.example/', 'must be an absolute URI.'],
    ['https://app.example/c b', 'must be an absolute URI.'],
    ['', 'must be an absolute URI.'],
    ['https://app.example:99999/cb', 'must be an absolute URI.'],
    ['https://999.1.1.1/cb', 'must be an absolute URI.'],
    ['https://[:::1]/cb', 'must be an absolute URI.'],
    ['com.example.app://a:99999/cb', 'must be an absolute URI.'],
    ['https://app.example./cb', 'must have a host without empty labels.'],
    ['https://app..example/cb', 'must have a host without empty labels.'],
    ['https://.app.example/cb', 'must have a host without empty labels.'],
    ['http://127.0.0.1./cb', 'must have a host without empty labels.'],
    ...['access_token', 'code', 'error', 'iss', 'state'].flatMap((name) =>
      [`?${name}=x`, `?tenant=1&${name}`, `?%${name.charCodeAt(0).toString(16)}${name.slice(1)}=x`].map((query) => [
        `https://app.example/cb${query}`,
        'cannot have a parameter that the answer has: access_token, code, error, iss, state.',
      ]),
    ),
  ])('is refused: %s', (uri, problem) => {
    expect(redirectUriProblem(uri, NATIVE)).toBe(problem);
  });

  it('that is accepted is one that the platform reads the same way, without user, fragment or a way to run', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string(), fc.webPath()),
        (text) => {
          if (redirectUriProblem(text, NATIVE) !== undefined) return;
          const url = new URL(text);
          expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
          expect(['https:', 'http:'].includes(url.protocol) || url.protocol.includes('.')).toBe(true);
        },
      ),
    );
  });

  it('is one of many, a line each', () => {
    expect(splitRedirectUris(' https://a.example/\r\n\nhttps://b.example/ ')).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
  });
});
