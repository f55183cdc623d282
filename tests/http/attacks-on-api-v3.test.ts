import { request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { describeEachDatabase } from '../support/databases.js';
import { timesOf } from '../support/rounds.js';
import { TestService } from '../support/test-service.js';

const RUNS = timesOf(100, 1_000);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK'];

const WORDS = [
  ...[
    'projects',
    'issues',
    'merge_request',
    'merge_requests',
    'keys',
    'repository',
    'files',
    'blobs',
    'commits',
    'users',
  ],
  ...[
    'builds',
    'triggers',
    'trigger',
    'todos',
    'owned',
    'search',
    'star',
    'fork',
    '5',
    'milestones',
    'templates',
    'licenses',
  ],
];
const HOSTILE = [
  ...[
    '',
    '.',
    '..',
    '%2e%2e',
    '%2E.',
    '%2F',
    '%2f..%2f',
    '%5C',
    '\\',
    '%00',
    'a%00b',
    '%',
    '%%',
    '%zz',
    '%c0%ae',
    '%ff',
  ],
  ...['%0d%0aSet-Cookie:x=y', '%0A', '%E5%98%8A%E5%98%8D', '<', '>', '"', '>;rel="next"', ',<//evil.example>'],
  ...[
    '//evil.example',
    'http://evil.example',
    '@evil.example',
    ':80',
    ';private_token=s3cret',
    '*',
    "'",
    '`',
    '{}',
    '|',
  ],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'a'.repeat(3_000), '%41'.repeat(2_000), 'x/'.repeat(2_000)],
];
const NAMES = [
  ...[
    'iid',
    'iid[]',
    'iid[',
    'labels',
    'public',
    'visibility_level',
    'branch_name',
    'ref_name',
    'file_path',
    'filepath',
    'page',
  ],
  ...['merge_when_build_succeeds', 'confirm', '__proto__', 'constructor', 'builds_enabled', ''],
];
const SECRETS = [
  'private_token',
  'access_token',
  'bearer_token',
  'PRIVATE_TOKEN',
  'private_token[]',
  'user[access_token]',
  'token',
];

/** What Node's parser lets through: anything else on the first line is no request. */
const wire = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 20,
});
const segment = fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...HOSTILE), wire);
const value = fc.oneof(fc.constantFrom(...HOSTILE), wire, fc.nat().map(String));
const parameter = fc.oneof(
  fc.tuple(fc.constantFrom(...NAMES), value).map(([name, given]) => `${name}=${given}`),
  fc.constantFrom(...SECRETS).map((name) => `${name}=s3cret`),
  wire,
);
const target = fc
  .tuple(fc.array(segment, { maxLength: 7 }), fc.array(parameter, { maxLength: 5 }))
  .map(
    ([segments, parameters]) =>
      `${['/api/v3', ...segments].join('/')}${parameters.length === 0 ? '' : '?'}${parameters.join('&')}`,
  )
  // Node refuses longer heads with 431 before anybody sees them.
  .filter(({ length }) => length < 14_000);
const body = fc.option(
  fc.oneof(
    fc.json(),
    fc
      .dictionary(fc.constantFrom(...NAMES), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
      .map((given) => JSON.stringify(given)),
    wire,
  ),
  { nil: undefined },
);
const contentType = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/html',
);

describeEachDatabase('whatever is sent to API V3', (openTestDatabase) => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
  });

  afterAll(() => service.close());

  const send = (method: string, path: string, type?: string, sent?: string) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const length = Buffer.byteLength(sent ?? '');
      const headers = sent === undefined ? {} : { 'Content-Type': type, 'Content-Length': length };
      const outgoing = sendRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(sent);
    });

  const expectGone = (status: number, headers: IncomingHttpHeaders) => {
    expect([status, headers['content-type']]).toEqual([410, 'application/json']);
    const link = headers['link'];
    // RFC 8288 §3: one target of RFC 3986 characters alone, and one parameter.
    expect(link).toMatch(/^<[\w\-.~:/?[\]@!$&'()*+,;=%]+>; rel="successor-version"$/);
    const address = link?.slice(1, link.indexOf('>')) ?? '';
    expect(address).not.toMatch(/%(?![\da-fA-F]{2})/);
    const { origin, pathname, href } = new URL(address);
    expect([origin, /^\/api\/v4(?:\/|$)/.test(pathname)]).toEqual([new URL(service.url).origin, true]);
    expect(address.length).toBeLessThan(5_000);
    expect(headers['set-cookie']).toBeUndefined();
    expect(href.slice(href.indexOf('?') + 1)).not.toContain('=s3cret');
  };

  it('the answer is 410 in JSON, with a well-formed link to an address of this service below /api/v4', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), target, contentType, body, async (method, path, type, sent) => {
        const bodiless = method === 'TRACE' || method === 'HEAD';
        const { status, headers, text } = await send(method, path, type, bodiless ? undefined : sent);
        expectGone(status, headers);
        if (method === 'HEAD') return;
        const answer = JSON.parse(text) as { error: string; migration: unknown[] };
        expect(Object.keys(answer)).toEqual(['error', 'migration']);
        expect(Array.isArray(answer.migration)).toBe(true);
        expect(text).not.toContain('s3cret');
      }),
      { numRuns: RUNS },
    );
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  const sendRaw = (head: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname, () => socket.end(head, 'latin1'));
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      socket.on('error', reject).on('close', () => resolve(text));
    });

  it('a whole address as target, with another host and a password, changes nothing of the link', async () => {
    const answer = await sendRaw(
      'GET http://ada:s3cret@evil.example/api/v3/projects/owned?private_token=s3cret HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 410 /);
    expect(/^Link: (.*)\r$/m.exec(answer)?.[1]).toBe(
      `<${service.url}/api/v4/projects?owned=true>; rel="successor-version"`,
    );
    expect(answer).not.toContain('evil.example');
    expect(answer).not.toContain('s3cret');
  });

  it.each([
    'Host: evil.example',
    'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript',
  ])('the link does not follow %j', async (host) => {
    const answer = await sendRaw(`GET /api/v3/user HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
    expect(/^Link: (.*)\r$/m.exec(answer)?.[1]).toBe(`<${service.url}/api/v4/user>; rel="successor-version"`);
  });

  it.each(['/api/v3/a\r\nSet-Cookie: a=b', '/api/v3/a\nSet-Cookie: a=b', '/api/v3/a b', '/api/v3/\u0000'])(
    'a target that breaks the line is no request, or no more than one: %j',
    async (path) => {
      const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 (?:400|410) /);
      expect(answer).not.toMatch(/set-cookie/i);
    },
  );

  it('a target that is too long is refused before anybody looks at it', async () => {
    const answer = await sendRaw(`GET /api/v3/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: here\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});
