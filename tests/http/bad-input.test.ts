import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Route } from '../../src/adapters/inbound/http/route.js';
import { AUTHORIZATION_ENDPOINT } from '../../src/adapters/inbound/http/oauth/authorization-endpoint.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { timesOf } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { anyText } from '../support/any-text.js';

const RUNS_A_ROUTE = timesOf(8, 100);

const HOSTILE = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'null',
  'undefined',
  'NaN',
  '[]',
  '{}',
  '../..',
  '%2e%2e%2f',
  "' or 1=1 --",
  '"; drop table users; --',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '￿',
  '💥',
  'İ',
  '<script>alert(1)</script>',
  '%',
  '_',
  '\\',
  'a'.repeat(5_000),
  '2026-02-30',
  '0000-00-00',
  '9999-99-99',
  'true',
  'on',
  '__proto__',
  'constructor',
  'all',
  'self',
];

const scalar = fc.oneof(
  fc.constantFrom(...HOSTILE),
  anyText({ maxLength: 30 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', 'id', '__proto__', 'constructor'), scalar, { maxKeys: 3 }),
);

const parametersOf = (route: Pick<Route, 'parameters'>) =>
  fc.record(Object.fromEntries(Object.keys(route.parameters.properties).map((name) => [name, value])), {
    requiredKeys: [],
  });

/** As a query would carry it: text, and lists as repeated names. */
const toQuery = (parameters: Record<string, unknown>): string => {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(parameters)) {
    for (const each of Array.isArray(given) ? given : [given]) {
      query.append(
        Array.isArray(given) ? `${name}[]` : name,
        (typeof each === 'string' ? each : JSON.stringify(each)).toWellFormed(),
      );
    }
  }
  return query.toString();
};

const pathOf = (route: Route, parameters: Record<string, unknown>): string =>
  route.path.replace(/:(\w+)/g, (_, name: string) => {
    const given = parameters[name] ?? '1';
    const text = (typeof given === 'string' ? given : JSON.stringify(given)).toWellFormed();
    return encodeURIComponent(text === '' || text === '.' || text === '..' ? '1' : text);
  });

describeEachDatabase('bad input', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
  });

  afterAll(() => service.close());

  it('never makes any declared route fail, and every refusal has the right shape', async () => {
    const routes = service.service.container.get(TOKENS.routes);
    for (const route of routes) {
      await fc.assert(
        fc.asyncProperty(parametersOf(route), async (parameters) => {
          // The token that asks must outlive the test, and so must its owner.
          const ends = /personal_access_tokens.*\/rotate$/.test(route.path) || route.method === 'delete';
          if (ends && /personal_access_tokens/.test(route.path)) parameters['token_id'] = '999';
          const endsItself = route.scopes === 'any' || /\/self\/rotate$/.test(route.path);
          const token = endsItself ? await service.addToken(root.id, ['api']) : root.token;
          if (/^\/users\/:id/.test(route.path) && route.method !== 'get') parameters['id'] = '999';
          const query = route.method === 'get' || route.method === 'delete' ? `?${toQuery(parameters)}` : '';
          const { status, body, headers } = await service.call(
            route.method.toUpperCase(),
            pathOf(route, parameters) + query,
            {
              token,
              ...(query === '' ? { json: parameters } : {}),
            },
          );
          const line = `${route.method} ${route.path} ${JSON.stringify(parameters)} → ${status} ${JSON.stringify(body)}`;
          if (status >= 500) throw new Error(line);
          if (headers.get('x-request-id') === null) throw new Error(`${line} without a request id`);
          if (status >= 400 && !('message' in (body as object)) && !('error' in (body as object)))
            throw new Error(line);
        }),
        { numRuns: RUNS_A_ROUTE },
      );
    }
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('never makes an endpoint of OAuth fail, by query, form or JSON', async () => {
    const endpoints = service.service.container.get(OAUTH_TOKENS.oauthEndpoints);
    for (const endpoint of [AUTHORIZATION_ENDPOINT, ...endpoints]) {
      await fc.assert(
        fc.asyncProperty(parametersOf(endpoint), fc.boolean(), async (parameters, asJson) => {
          const query = toQuery(parameters);
          const inBody = endpoint.method === 'post';
          const response = await fetch(service.url + endpoint.path + (inBody ? '' : `?${query.slice(0, 8_000)}`), {
            method: endpoint.method.toUpperCase(),
            redirect: 'manual',
            ...(inBody ? { body: asJson ? JSON.stringify(parameters) : new URLSearchParams(query) } : {}),
            headers: inBody && asJson ? { 'Content-Type': 'application/json' } : {},
          });
          const line = `${endpoint.path} ${JSON.stringify(parameters)} → ${response.status}`;
          if (response.status >= 500) throw new Error(line);
          if (response.headers.get('x-request-id') === null) throw new Error(`${line} without a request id`);
          const machine = endpoint !== AUTHORIZATION_ENDPOINT && response.status >= 400;
          if (machine && !('error' in ((await response.json()) as object))) throw new Error(line);
        }),
        { numRuns: RUNS_A_ROUTE },
      );
    }
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  describe('in the body', () => {
    const post = (body: string, type: string) =>
      fetch(`${service.url}/api/v4/projects`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': root.token, 'Content-Type': type },
        body,
      }).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as unknown,
      }));

    it('is 400 for malformed JSON', async () => {
      const { status, body } = await post('{"name": ', 'application/json');
      expect([status, body]).toEqual([400, { error: 'message body does not match declared format' }]);
    });

    it('is 400 for JSON that is no object', async () => {
      expect((await post('["name"]', 'application/json')).status).toBe(400);
      expect((await post('"name"', 'application/json')).status).toBe(400);
    });

    it('is 415 for a type that is not spoken here', async () => {
      expect((await post('<name/>', 'application/xml')).status).toBe(415);
    });

    it('is 413 for a megabyte, at once, and the connection ends', async () => {
      const { status, headers, body } = await post(`{"name":"${'x'.repeat(1_048_576)}"}`, 'application/json');
      expect([status, body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
      expect(headers.get('connection')).toBe('close');
    });

    it('names every parameter that is wrong, and the values that would be right', async () => {
      const { status, body } = await service.call('GET', '/projects?order_by=size&page=one&visibility=secret');
      expect(status).toBe(400);
      expect(body).toEqual({
        error: 'visibility does not have a valid value, order_by does not have a valid value, page is invalid',
        allowed: ['private', 'internal', 'public'],
      });
    });

    it('takes parameters from a query, a form, a multipart form or JSON alike, the path before the body before the query', async () => {
      const names: string[] = [];
      const remember = async (answer: Promise<{ status: number; body: unknown }>) => {
        const { status, body } = await answer;
        expect([status, body]).toEqual([201, expect.anything()]);
        names.push((body as { name: string }).name);
      };
      const multipart = new FormData();
      multipart.set('name', 'by multipart');
      await remember(service.call('POST', '/projects?name=by+query', { token: root.token }));
      await remember(service.call('POST', '/projects?name=not+this', { token: root.token, form: { name: 'by form' } }));
      await remember(service.call('POST', '/projects', { token: root.token, json: { name: 'by json' } }));
      const response = await fetch(`${service.url}/api/v4/projects`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': root.token },
        body: multipart,
      });
      names.push(((await response.json()) as { name: string }).name);
      expect(names).toEqual(['by query', 'by form', 'by json', 'by multipart']);
    });

    it.each(['', '; name=""'])(
      'is 400 for a part of a multipart form without a name, as in form-data%s',
      async (name) => {
        const response = await fetch(`${service.url}/api/v4/projects`, {
          method: 'POST',
          headers: { 'PRIVATE-TOKEN': root.token, 'Content-Type': 'multipart/form-data; boundary=x' },
          body: `--x\r\nContent-Disposition: form-data${name}\r\n\r\nnameless\r\n--x--\r\n`,
        });
        expect([response.status, await response.json()]).toEqual([
          400,
          { error: 'message body does not match declared format' },
        ]);
      },
    );
  });

  it('is 404 for an unknown address, 405 with the allowed methods for an unknown method', async () => {
    expect((await service.call('GET', '/nothing/here')).body).toEqual({ error: '404 Not Found' });
    const { status, body, headers } = await service.call('DELETE', '/user', { token: root.token });
    expect([status, body]).toEqual([405, { error: '405 Not Allowed' }]);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('is a page of ours outside the API too, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${service.url}/nothing/here/at/all`, { method });
      const html = await response.text();
      expect([method, response.status, html.includes('There is no such page')]).toEqual([method, 404, true]);
      expect(response.headers.get('content-security-policy')).not.toBeNull();
    }
  });

  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(service.service.port, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it('in the first line, a whole address, never leads the links of a list to another host', async () => {
    const answer = await send(
      'GET http://evil.example/api/v4/projects?per_page=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(/^Link: <([^?]*)/im.exec(answer)?.[1]).toBe(`${service.url}/api/v4/projects`);
  });

  it('is told behind the answers to what came before it, which are whole', async () => {
    const ask = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    const version = ask('/api/v4/version', `PRIVATE-TOKEN: ${root.token}\r\n`);
    const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    const both = await send(`${version}${version}nonsense\r\n\r\n`);
    expect(statuses(both)).toEqual(['200', '200', '400']);
    expect(both).toMatch(/\{"error":"The request could not be read\."\}$/);
    // Of a connection that was to end nothing more is said.
    const last = version.replace('Host', 'Connection: close\r\nHost');
    expect(statuses(await send(`${last}${version}`))).toEqual(['200']);
  });

  it('tells what is no request so, in the shape of every refusal', async () => {
    const large = await send(`GET /api/v4/user HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 [^]*X-Request-Id: [\w-]+[^]*\{"error":"The address and headers/);
    expect(await send('nonsense\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*\{"error":"The request could not be read\."\}$/,
    );
    // Two lengths are how requests are smuggled past a proxy.
    const smuggled = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await send(smuggled)).toMatch(/^HTTP\/1\.1 400 /);
    expect(service.logger.lines.filter(({ fields }) => fields['route'] === 'unreadable').length).toBeGreaterThanOrEqual(
      3,
    );
  });
});
