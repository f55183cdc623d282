import { describe, expect, it } from '@jest/globals';
import { readOldRequest } from '../../../src/adapters/inbound/http/api-v3/read-old-request.js';
import { successorLink } from '../../../src/adapters/inbound/http/api-v3/successor-link.js';
import { API_CHANGES } from '../../../src/adapters/inbound/http/api-v3/changes/api-changes.js';
import { findSuccessor } from '../../../src/adapters/inbound/http/api-v3/changes/find-successor.js';
import { matchPath } from '../../../src/adapters/inbound/http/api-v3/changes/path-pattern.js';
import { processorTime, QUICK_MS } from '../../support/quick.js';

const BASE = 'https://gatehouse.example';

const ask = (method: string, url: string, body?: unknown) => {
  const { changes, request } = findSuccessor(readOldRequest({ method, url, body }));
  const link = successorLink(BASE, request);
  return { changes, method: request.method, link, address: /^<(.*)>; rel="successor-version"$/.exec(link)?.[1] ?? '' };
};
const addressOf = (method: string, url: string, body?: unknown) =>
  ask(method, url, body).address.slice(`${BASE}/api/v4`.length);

describe('the list of changes', () => {
  it('has six of release 8.17, and of release 9.0 fourteen rows and twenty-two others', () => {
    const count = (release: string) => API_CHANGES.filter((change) => change.release === release).length;
    expect([count('8.17'), count('9.0')]).toEqual([6, 14 + 22]);
    expect(new Set(API_CHANGES.map(({ before }) => before)).size).toBe(API_CHANGES.length);
  });

  it.each(API_CHANGES)('is as good as its example: $example', (change) => {
    const [method = '', path = ''] = change.example[0].split(' ');
    const { changes, method: newMethod, address } = ask(method, path);
    expect(changes).toContain(change);
    if (change.example[1] === 'dropped') return;
    const example = decodeURIComponent(change.example[1]);
    const found = `${newMethod} ${decodeURIComponent(address.slice(`${BASE}/api/v4`.length))}`;
    // Which memberships somebody wants is for him to say: the list itself is where it was.
    expect([example, example.replace('?membership=true', '')]).toContain(found);
  });
});

describe('a pattern of paths', () => {
  it.each([
    ['/todos', '/todos', {}],
    ['/todos', '/todos/1', undefined],
    ['/users/:id/:action(block|unblock)', '/users/7/unblock', { id: '7', action: 'unblock' }],
    ['/users/:id/:action(block|unblock)', '/users/7/remove', undefined],
    ['/projects/:id/keys/*rest', '/projects/5/keys', { id: '5', rest: '' }],
    ['/projects/:id/keys/*rest', '/projects/5/keys/9/enable', { id: '5', rest: '9/enable' }],
    ['/projects/:id/*ref/trigger/builds', '/projects/5/ref/main/trigger/builds', { id: '5', ref: 'ref/main' }],
    ['/projects/:id/*ref/trigger/builds', '/projects/5/builds', undefined],
    ['/*rest', '/', { rest: '' }],
  ])('%s and %s', (pattern, path, captures) => {
    const segments = path.split('/').filter((segment) => segment !== '');
    const found = matchPath(pattern, segments);
    expect(found === undefined ? undefined : Object.fromEntries(found)).toEqual(captures);
  });
});

describe('the address in version 4', () => {
  it('keeps what it does not know, and the query with it', () => {
    expect(addressOf('GET', '/user')).toBe('/user');
    expect(addressOf('GET', '/')).toBe('');
    expect(addressOf('GET', '/groups/a%2Fb/?with=x&with=y+z')).toBe('/groups/a%2Fb?with=x&with=y+z');
  });

  it('is what all the changes together make of it', () => {
    expect(addressOf('DELETE', '/projects/5/keys/9/disable')).toBe('/projects/5/deploy_keys/9');
    expect(addressOf('GET', '/projects/5/merge_request/3/notes?page=2')).toBe(
      '/projects/5/merge_requests/3/notes?page=2',
    );
    expect(addressOf('PUT', '/projects/5?builds_enabled=1&public=true&merge_when_build_succeeds=1&name=N')).toBe(
      '/projects/5?builds_enabled=1&visibility=public&merge_when_pipeline_succeeds=1&name=N'.replace(
        'builds_',
        'jobs_',
      ),
    );
  });

  it.each([
    ['public=1', 'visibility=public'],
    ['public=false', 'visibility=private'],
    ['visibility_level=20', 'visibility=public'],
    ['visibility_level=10', 'visibility=internal'],
    ['visibility_level=0', 'visibility=private'],
    ['visibility_level=constructor', 'visibility=constructor'],
  ])('says %s as %s', (before, after) => {
    expect(addressOf('PUT', `/projects/5?${before}`)).toBe(`/projects/5?${after}`);
  });

  it('repeats nothing of a body but the path of a file', () => {
    const body = { branch_name: 'next', private_token: 'secret', public: true };
    expect(addressOf('POST', '/projects/5/repository/branches', body)).toBe('/projects/5/repository/branches');
    expect(addressOf('GET', '/projects/5/repository/files', { file_path: 'a b/c?' })).toBe(
      '/projects/5/repository/files/a%20b%2Fc%3F',
    );
  });

  it.each([
    ...[
      'private_token=s',
      'access_token=s',
      'bearer_token=s',
      'job_token=s',
      'token=s',
      'password=s',
      'Private_Token=s',
    ],
    ...[
      'private_token[]=s',
      'private_token%5B0%5D=s',
      'user[password]=s',
      '%70rivate_token=s',
      ' private_token=s',
      '/?private_token=s',
    ],
  ])('never has a credential: %s', (secret) => {
    expect(addressOf('GET', `/users?search=a&${secret}&page=2`)).toBe('/users?search=a&page=2');
  });

  it.each([
    '/user;private_token=s',
    '/user%3Fprivate_token=s',
    '/user;bearer_token%3Ds',
    '/users?search=a;access_token%3Ds',
  ])('never has a credential in a place of its own: %s', (url) => {
    expect(addressOf('GET', url)).toBe(url.startsWith('/users') ? '/users' : '');
  });

  it('never has the token of a trigger, which was part of its path', () => {
    expect(addressOf('DELETE', '/projects/5/triggers/7b9148c158980bbd9bcea92c17522d')).toBe('/projects/5/triggers');
    expect(addressOf('DELETE', '/projects/5/triggers/10')).toBe('/projects/5/triggers/10');
  });

  it.each([
    ['//evil.example/x', '/evil.example/x'],
    ['/../../evil', '/evil'],
    ['/a/%2e%2E/%2e/b', '/b'],
    ['/\\evil.example', '/%5Cevil.example'],
    ['/x>;rel="next",<http://evil.example', '/x%3E;rel=%22next%22,%3Chttp:/evil.example'],
    ['/x%0d%0aSet-Cookie:%20a=b', '/x%0d%0aSet-Cookie:%20a=b'],
    ['/x?y=%0d%0aSet-Cookie:a&z="><', '/x?y=%0D%0ASet-Cookie%3Aa&z=%22%3E%3C'],
    ['/x%', '/x%25'],
    ['/%zz%00', '/%25zz%00'],
    ['http://user:pass@evil.example/user', '/user'],
    ['/user#fragment', '/user'],
    ['/projects/5/repository/files?file_path=..', '/projects/5/repository/files?file_path=..'],
  ])('of %s stays below /api/v4', (url, address) => {
    expect(addressOf('GET', url)).toBe(address);
    expect(new URL(ask('GET', url).address).href.startsWith(`${BASE}/api/v4`)).toBe(true);
  });

  it('is cut to what still leads somewhere when it is long', () => {
    expect(addressOf('GET', `/users?search=${'x'.repeat(5_000)}`)).toBe('/users');
    expect(addressOf('GET', `/${'x/'.repeat(5_000)}`)).toBe('');
  });
});

describe('a long path or parameter', () => {
  const LONG = 100_000;
  it.each([
    ['one segment', '/projects/', 'a'],
    ['many segments', '/projects/', 'a/'],
    ['dots', '/projects/', '../'],
    ['encodings', '/projects/', '%2'],
    ['slashes', '/projects/5/repository/files/', '/'],
    ['the same words', '/projects/5/', 'issues/'],
    ['commas', '/issues?labels=', 'a,'],
    ['brackets', '/issues?', 'iid['],
    ['many parameters', '/issues?', '&iid[]=1'],
    ['a path of a file', '/projects/5/repository/blobs/s?file_path=', '%2F'],
    ['colons', 'http', '://'],
  ])('is answered in no time: %s', (_name, start, repeated) => {
    const url = start + repeated.repeat(LONG / repeated.length);
    const took = () => processorTime(() => ask('GET', url));
    expect(Math.min(took(), took(), took())).toBeLessThan(QUICK_MS);
  });
});
