import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AUTHORIZATION_ENDPOINT } from '../../src/adapters/inbound/http/oauth/authorization-endpoint.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { AwaitedBodies } from '../support/awaited-bodies.js';
import { describeEachDatabase } from '../support/databases.js';
import { sendRaw } from '../support/raw-http.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface Schema {
  readonly type?: string;
  readonly [keyword: string]: unknown;
}

/** Files of code come whole: of as much as the body of such a request may be. */
const LARGER: Readonly<Record<string, number>> = {
  'createFile.content': 5_242_880,
  'updateFile.content': 5_242_880,
  'createCommit.actions': 1_000,
  'createCommit.actions[].content': 5_242_880,
};

/** The places in a schema where a value may be as large as somebody likes. */
const unboundedIn = (schema: Schema, place: string): readonly string[] => {
  const members = schema['anyOf'] as readonly Schema[] | undefined;
  if (members !== undefined) return members.flatMap((member) => unboundedIn(member, place));
  const has = (...keywords: readonly string[]): boolean => keywords.every((keyword) => schema[keyword] !== undefined);
  if (has('enum') || has('const')) return [];
  switch (schema.type) {
    case 'string':
      return Number(schema['maxLength']) <= (LARGER[place] ?? 1_048_576) ? [] : [place];
    case 'integer':
    case 'number':
      return has('minimum', 'maximum') ? [] : [place];
    case 'array':
      return [
        ...(Number(schema['maxItems']) <= (LARGER[place] ?? 100) ? [] : [place]),
        ...unboundedIn(schema['items'] as Schema, `${place}[]`),
      ];
    case 'object': {
      // What isn't declared of it is left out.
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
      if (properties.length === 0) return [place];
      return properties.flatMap(([name, each]) => unboundedIn(each, `${place}.${name}`));
    }
    default:
      return [];
  }
};

describeEachDatabase('the bounds of a request', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const multipart = (parts: readonly string[]): { body: string; headers: Record<string, string> } => ({
    body: [...parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`), '--b--\r\n'].join(''),
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  });

  /** Sends a request as raw text, since `fetch` gives no GET a body. */
  const raw = async (method: string, path: string, headers: Record<string, string>, body: string): Promise<string> => {
    const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return sendRaw(
      service.service.port,
      `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };

  const post = (path: string, body: string, headers: Record<string, string>, token = ada.token) =>
    fetch(`${service.url}/api/v4${path}`, { method: 'POST', body, headers: { 'PRIVATE-TOKEN': token, ...headers } });

  const projectOf = async (name: string): Promise<number> =>
    (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, form: { name } })).body.id;

  it('hold for every declared parameter of every route and endpoint', () => {
    const { container } = service.service;
    const declared = [
      ...container.get(TOKENS.routes),
      ...container.get(OAUTH_TOKENS.oauthEndpoints),
      AUTHORIZATION_ENDPOINT,
    ].map(({ operationId, parameters }) => [operationId, parameters.properties] as const);
    expect(declared.length).toBeGreaterThan(100);
    const unbounded = declared.flatMap(([operationId, properties]) =>
      Object.entries(properties).flatMap(([name, schema]) => unboundedIn(schema as Schema, `${operationId}.${name}`)),
    );
    expect(unbounded).toEqual([]);
  });

  it('make no sparse array of an index in a name, in a query, a form or a multipart form', async () => {
    const name = 'skip_groups[99999999]';
    const { body, headers } = multipart([`name="${name}"\r\n\r\n1`]);
    expect(await raw('GET', '/api/v4/groups', headers, body)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await service.call('GET', `/groups?${name}=1`)).status).toBe(400);
    expect((await service.call('POST', '/projects', { token: ada.token, form: { [name]: '1' } })).status).toBe(400);
    expect((await fetch(`${service.url}/-/liveness`)).status).toBe(200);
  });

  it('allow 100 items in a list and 1,000 fields', async () => {
    const id = await projectOf('lists');
    const issues = (query: string) => service.call('GET', `/projects/${id}/issues?${query}`, { token: ada.token });
    const labels = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
    expect((await issues(`labels=${labels(100).join(',')}`)).status).toBe(200);
    expect((await issues(`labels=${labels(101).join(',')}`)).body).toEqual({ error: 'labels is invalid' });
    expect(
      (
        await issues(
          labels(100)
            .map((label) => `labels[]=${label}`)
            .join('&'),
        )
      ).status,
    ).toBe(200);
    for (const many of [
      labels(101).map((label) => `labels[]=${label}`),
      labels(101).map((label) => `labels=${label}`),
      labels(1_001).map((label) => `${label}=1`),
    ])
      expect((await issues(many.join('&'))).status).toBe(400);
    const titled = (json: object) => service.call('POST', `/projects/${id}/issues`, { token: ada.token, json });
    expect((await titled({ title: 'a', assignee_ids: Array(101).fill(1) })).body).toEqual({
      error: 'assignee_ids is invalid',
    });
    expect((await titled({ title: 'a', labels: Array(9_000).fill(null) })).body).toEqual({
      error: 'labels is invalid',
    });
  });

  it('allow 1,000 parts of a multipart form, and 100 of one whose sender is not known', async () => {
    const parts = (count: number, more: readonly string[] = []) =>
      multipart([...Array.from({ length: count }, (_, part) => `name="k${part}"\r\n\r\n1`), ...more]);
    const list = (form: ReturnType<typeof multipart>) => raw('GET', '/api/v4/groups', form.headers, form.body);
    expect(await list(parts(100))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await list(parts(101))).toContain('The form has more than 100 parts.');
    const titled = (count: number) => {
      const { body, headers } = parts(count, ['name="name"\r\n\r\nParts']);
      return post('/projects', body, headers);
    };
    expect(await (await titled(1_000)).text()).toContain('The form has more than 1000 parts.');
    expect((await titled(999)).status).toBe(201);
  });

  it('allow 100 levels, 1,000 keys and 10,000 values in JSON, five levels in a name', async () => {
    const json = { 'Content-Type': 'application/json' };
    const refusals = [
      ['nests deeper than 100 levels', `{"name":${'['.repeat(20_000)}`],
      ['has more than 1000 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [i, 1])))],
      ['has more than 10000 values', JSON.stringify({ name: Array(10_002).fill(0) })],
    ] as const;
    for (const [reason, body] of refusals)
      expect(await (await post('/projects', body, json)).json()).toEqual({ error: `The body ${reason}.` });
    const brackets = `name${'[a]'.repeat(4_000)}=1`;
    expect((await service.call('GET', `/projects?${brackets}`)).status).toBe(400);
    const unclosed = await service.call('GET', `/projects?name${'['.repeat(15_000)}=1`);
    expect([unclosed.status, (unclosed.headers.get('link') ?? '').length < 1_000]).toEqual([200, true]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await post('/projects', `name${'[a]'.repeat(20_000)}=1`, form)).status).toBe(400);
  });

  it('answer 400 to a number that no column holds', async () => {
    const id = await projectOf('numbers');
    for (const given of ['{"title":"a","assignee_ids":[1e300]}', '{"title":"a","milestone_id":1e300}']) {
      const answer = await post(`/projects/${id}/issues`, given, { 'Content-Type': 'application/json' });
      expect([given, answer.status]).toEqual([given, 400]);
    }
  });

  it('hold for a multipart form as a whole, which carries no files', async () => {
    const large = multipart([`name="name"\r\n\r\n${'a'.repeat(600_000)}`, `name="path"\r\n\r\n${'b'.repeat(600_000)}`]);
    expect((await post('/projects', large.body, large.headers)).status).toBe(413);
    const file = multipart(['name="name"; filename="a.txt"\r\n\r\nText']);
    expect(await (await post('/projects', file.body, file.headers)).json()).toEqual({
      error: 'The form has a file, and nothing here takes one.',
    });
    const many = multipart(Array.from({ length: 1_001 }, (_, index) => `name="f${index}"\r\n\r\n1`));
    expect((await post('/projects', many.body, many.headers)).status).toBe(400);
    const cut = { ...large, body: 'nothing of the kind' };
    expect((await post('/projects', cut.body, cut.headers)).status).toBe(400);
  });

  it('refuse a stranger before a large body is read, and read a token in a small one', async () => {
    const chunked = (headers: string, chunks: number) =>
      sendRaw(
        service.service.port,
        `POST /api/v4/projects HTTP/1.1\r\nHost: x\r\n${headers}Transfer-Encoding: chunked\r\n\r\n` +
          `10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(chunks),
        /\r\n\r\n/,
      );
    const typed = 'Content-Type: multipart/form-data; boundary=b\r\n';
    expect(await chunked(typed, 2)).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close/);
    expect(await chunked(`${typed}PRIVATE-TOKEN: ${ada.token}\r\n`, 17)).toMatch(/^HTTP\/1\.1 413 /);
    const named = new URLSearchParams({ name: 'by body', private_token: ada.token });
    const answer = await fetch(`${service.url}/api/v4/projects`, { method: 'POST', body: named });
    expect(answer.status).toBe(201);
    const unread = await fetch(`${service.url}/api/v4/projects`, {
      method: 'POST',
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(unread.status).toBe(401);
  });

  it('let in two large bodies of one caller at once, and four in all; the others wait, unread', async () => {
    const [bea, cleo] = [await service.addUser('bea'), await service.addUser('cleo')];
    const files = `/projects/${await projectOf('large')}/repository/files`;
    const json = { 'Content-Type': 'application/json' };
    const small = async () => (await post(`${files}/small`, '{}', json)).status;
    const answered: string[] = [];
    const large = async ({ username, token }: TestUser): Promise<number> => {
      const { status } = await post(`${files}/large`, `{"content":"${'x'.repeat(1_500_000)}"}`, json, token);
      answered.push(username);
      return status;
    };
    const head = `POST /api/v4${files}/begun HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    /** Two bodies that don't end. */
    const beginTwo = ({ token }: TestUser): readonly Socket[] => {
      const sockets = [1, 2].map(() => connect(service.service.port, '127.0.0.1'));
      for (const socket of sockets) socket.write(`${head}PRIVATE-TOKEN: ${token}\r\nContent-Length: 2000000\r\n\r\n{`);
      return sockets;
    };
    const bodies = new AwaitedBodies(service);
    const ofAda = beginTwo(ada);
    await bodies.are(2);
    const thirdOfAda = large(ada);
    expect(await large(bea)).toBe(404);
    const ofBea = beginTwo(bea);
    await bodies.are(4);
    const ofCleo = large(cleo);
    expect([await small(), answered]).toEqual([400, ['bea']]);
    for (const socket of ofAda) socket.destroy();
    expect([await thirdOfAda, await ofCleo]).toEqual([400, 404]);
    for (const socket of ofBea) socket.destroy();
  });

  it('allow one person to act as, however it is named', async () => {
    const json = { 'Content-Type': 'application/json' };
    const whoAmI = (query: string, headers: Record<string, string> = {}) =>
      service.call('GET', `/user${query}`, { token: root.token, headers });
    for (const query of ['?sudo=ada&sudo=root', '?sudo[]=ada', '?sudo[a]=ada', '?sudo[0]=ada'])
      expect([query, (await whoAmI(query)).body]).toEqual([query, { error: 'sudo is invalid' }]);
    expect((await whoAmI('?sudo=ada', { Sudo: 'ada' })).status).toBe(400);
    for (const body of ['{"name":"a","sudo":["ada"]}', '{"name":"a","sudo":null}', '[{"name":"a","sudo":"ada"}]'])
      expect([body, (await post('/projects', body, json, root.token)).status]).toEqual([body, 400]);
    const both = await raw('GET', '/api/v4/user', { 'PRIVATE-TOKEN': root.token, Sudo: 'ada\r\nSudo: root' }, '');
    expect(both).toMatch(/^HTTP\/1\.1 400 /);
    const asAda = await post('/projects', '{"name":"of ada","sudo":"ada"}', json, root.token);
    expect((await asAda.json()) as object).toMatchObject({ path_with_namespace: 'ada/of-ada' });
  });

  it('allow one token, however it is named', async () => {
    const refused = async (query: string, headers: Record<string, string>) =>
      expect([query, (await service.call('GET', `/user${query}`, { headers })).status]).toEqual([query, 400]);
    await refused(`?private_token=${root.token}`, { 'PRIVATE-TOKEN': ada.token });
    await refused(`?private_token=${root.token}&private_token=${ada.token}`, {});
    await refused(`?private_token[]=${root.token}`, {});
    const headers = { Authorization: `Bearer ${ada.token}\r\nAuthorization: Bearer ${root.token}` };
    expect(await raw('GET', '/api/v4/user', headers, '')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET', '/oauth/token/info', headers, '')).toMatch(/^HTTP\/1\.1 400 /);
    const twice = await service.call('POST', '/projects', { token: ada.token, form: { private_token: root.token } });
    expect(twice.status).toBe(400);
  });

  it('look at no more redirect URIs than an application may have', async () => {
    const uris = 'a '.repeat(31_000);
    const { status, body } = await service.call<{ message: Record<string, readonly string[]> }>(
      'POST',
      '/applications',
      {
        token: root.token,
        json: { name: 'many', scopes: 'api', redirect_uri: uris },
      },
    );
    expect([status, body.message['redirect_uri']?.[0]]).toEqual([400, 'has too many lines (maximum is 50)']);
    expect(body.message['redirect_uri']?.length).toBeLessThanOrEqual(20);
  });

  it('hold for the links of a list, which repeat what it declares alone', async () => {
    const many = Array.from({ length: 999 }, (_, index) => `parameter${index}=1`).join('&');
    const { status, headers } = await service.call('GET', `/groups?${many}&search=x`);
    expect([status, headers.get('link')?.includes('parameter')]).toEqual([200, false]);
    expect(headers.get('link')).toContain('search=x');
  });

  it('name requests in logs and metrics by declared addresses alone', async () => {
    for (let number = 0; number < 20; number += 1)
      await fetch(`${service.url}/-/anything-${number}`, { method: 'PUT', body: 'x' });
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      await fetch(`${service.url}/-/unsubscribe/sesame-${method}`, { method });
    await fetch(`${service.url}/api/v4/sesame`);
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    expect(metrics).not.toMatch(/anything|sesame/);
    expect(metrics).toContain('route="unmatched"');
    expect(metrics).toContain('route="/-/unsubscribe/:token"');
    expect(JSON.stringify(service.logger.lines)).not.toMatch(/anything-|sesame/);
  });
});
