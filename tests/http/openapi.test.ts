import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import express, { type Express, type Router } from 'express';
import { API_PREFIX } from '../../src/adapters/inbound/http/route.js';
import { openApiDocument, type OpenApiDocument } from '../../src/adapters/inbound/http/openapi/openapi-document.js';
import { AUTHORIZATION_ENDPOINT } from '../../src/adapters/inbound/http/oauth/authorization-endpoint.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { withoutReferences } from '../support/openapi.js';
import { TestService } from '../support/test-service.js';

const COMMITTED = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: Partial<Router>;
  /** Whether it is mounted at the root. */
  readonly slash: boolean;
  match(path: string): boolean;
}

const layersOf = (app: Express): readonly Layer[] => app.router.stack as unknown as Layer[];

/** Every path and method that Express would answer, however deep its router lies. */
const reachable = (layers: readonly Layer[]): string[] =>
  layers.flatMap(({ route, handle }) => {
    const below = handle?.stack === undefined ? [] : reachable(handle.stack as unknown as Layer[]);
    const own = route === undefined ? [] : Object.keys(route.methods).map((method) => `${method} ${route.path}`);
    return [...own, ...below];
  });

/** The same of everything below `/api/v4`, whether it is mounted there or names the whole path. */
const reachableInApi = (layers: readonly Layer[]): string[] => {
  const mounted = layers.filter(
    (layer) => layer.route === undefined && !layer.slash && layer.match(`${API_PREFIX}/anything`),
  );
  const elsewhere = reachable(layers.filter(({ route, slash }) => route !== undefined || slash));
  const prefix = new RegExp(`^(\\w+) ${API_PREFIX}(?=/)`);
  return [
    ...reachable(mounted),
    ...elsewhere.filter((route) => prefix.test(route)).map((route) => route.replace(prefix, '$1 ')),
  ];
};

const declared = (document: OpenApiDocument): Set<string> =>
  new Set(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    ),
  );

const undeclared = (routes: readonly string[], document: OpenApiDocument): string[] => {
  const known = declared(document);
  const paths = new Set([...known].map((route) => route.split(' ')[1]));
  return routes.filter((route) => {
    const [method = '', path = ''] = route.split(' ');
    // The answer of 405 stands at every declared path for every method.
    return !known.has(route) && !(method === '_all' && paths.has(path));
  });
};

describeEachDatabase('the OpenAPI document', (openTestDatabase) => {
  let service: TestService;
  /** As clients read it, and the same with every reference followed. */
  let served: OpenApiDocument;
  let document: OpenApiDocument;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    served = (await service.call<OpenApiDocument>('GET', '/openapi.json')).body;
    document = withoutReferences(served);
  });

  afterAll(() => service.close());

  it('is OpenAPI 3.1 with an operation of its own name for every declared route', () => {
    expect(document.openapi).toBe('3.1.0');
    const { container } = service.service;
    const declarations = [
      ...container.get(TOKENS.routes),
      AUTHORIZATION_ENDPOINT,
      ...container.get(OAUTH_TOKENS.oauthEndpoints),
    ];
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map((operation) => (operation as { operationId: string }).operationId),
    );
    expect([...ids].sort()).toEqual(declarations.map(({ operationId }) => operationId).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names every parameter of a path', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const operation of Object.values(operations) as { parameters: { name: string; in: string }[] }[]) {
        const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        expect([path, ...named.sort()]).toEqual([path, ...inPath.sort()]);
      }
    }
  });

  describe('a route without a declaration', () => {
    it('does not exist in the application', () => {
      const app = service.service.container.get(TOKENS.app);
      const routes = reachableInApi(layersOf(app));
      expect(routes.length).toBeGreaterThan(20);
      expect(undeclared(routes, document)).toEqual([]);
    });

    it('does not exist below /oauth and /.well-known either', () => {
      const routes = reachable(layersOf(service.service.container.get(TOKENS.app))).filter((route) =>
        /^\w+ \/(?:oauth|\.well-known)\//.test(route),
      );
      expect(routes.length).toBeGreaterThan(8);
      // The consent form posts to where it came from; what clients post there is redirected to the GET, which says so.
      const form = 'post /oauth/authorize';
      expect(undeclared(routes, document).filter((route) => route !== form && !route.startsWith('options '))).toEqual(
        [],
      );
    });

    it('would be found, wherever it is planted', () => {
      const app = express();
      app.use(
        API_PREFIX,
        express.Router().get('/planted', () => undefined),
      );
      app.use(API_PREFIX, express.Router().use(express.Router().delete('/user', () => undefined)));
      app.get(`${API_PREFIX}/whole`, () => undefined);
      app.use(express.Router().post(`${API_PREFIX}/below`, () => undefined));
      app.get('/page', () => undefined);
      expect(undeclared(reachableInApi(layersOf(app)), document).sort()).toEqual([
        'delete /user',
        'get /planted',
        'get /whole',
        'post /below',
      ]);
    });
  });

  it('marks the aliases of token info as deprecated, and says since when each route is there', () => {
    const operation = document.paths['/oauth/token/info']?.['get'] as {
      responses: {
        200: { content: { 'application/json': { schema: { properties: Record<string, { deprecated?: true }> } } } };
      };
    };
    const { properties } = operation.responses[200].content['application/json'].schema;
    const deprecated = Object.keys(properties).filter((name) => properties[name]?.deprecated === true);
    expect(deprecated).toEqual(['scopes', 'expires_in_seconds']);
    const routes = Object.entries(document.paths).filter(([path]) => !/^\/(?:oauth|\.well-known)\//.test(path));
    for (const operations of routes.flatMap(([, each]) => Object.values(each))) {
      expect((operations as { 'x-since': string })['x-since']).toMatch(/^\d+\.\d+$/);
    }
  });

  interface Operation {
    readonly operationId: string;
    readonly tags: readonly string[];
    readonly parameters: readonly { readonly name: string; readonly description?: string }[];
    readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
    readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
  }
  interface Media {
    readonly schema: { readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
    readonly example?: unknown;
  }
  const operations = (): readonly Operation[] =>
    Object.values(document.paths).flatMap((each) => Object.values(each)) as Operation[];

  it('describes every property of a body and every parameter', () => {
    const bare = operations().flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters.filter(({ description }) => description === undefined).map(({ name }) => `${operationId} ${name}`),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema: { properties = {} } }) =>
        Object.entries(properties)
          .filter(([, { description }]) => typeof description !== 'string' || description === '')
          .map(([name]) => `${operationId} ${name}`),
      ),
    ]);
    expect(bare).toEqual([]);
  });

  it('writes the shape of what several operations answer once, among the components', () => {
    const timesOf = new Map<string, number>();
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      const { properties } = part as { readonly properties?: object };
      const shape = JSON.stringify(part);
      if (Object.keys(properties ?? {}).length > 4) timesOf.set(shape, (timesOf.get(shape) ?? 0) + 1);
      Object.values(part).forEach(visit);
    };
    visit(served.paths);
    expect([...timesOf].filter(([, times]) => times > 1).map(([shape]) => shape)).toEqual([]);
  });

  it('has an example for each body and each answer, which its own schema accepts', () => {
    const ajv = ajvFormats.default(new Ajv({ strict: false }));
    const check = (of: string, { schema, example }: Media): string[] => {
      if (example === undefined) return [`${of}: none`];
      const accepts = ajv.compile(schema);
      return accepts(example) ? [] : [`${of}: ${ajv.errorsText(accepts.errors)}`];
    };
    const problems = operations().flatMap(({ operationId, requestBody, responses }) => [
      ...Object.values(requestBody?.content ?? {}).flatMap((media) => check(`${operationId} body`, media)),
      ...Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, { content = {} }]) =>
          Object.values(content).flatMap((media) => check(`${operationId} ${status}`, media)),
        ),
    ]);
    expect(problems).toEqual([]);
  });

  it('describes every tag, and names the license', () => {
    const used = new Set(operations().flatMap(({ tags }) => tags));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
    for (const { description } of document.tags) expect(description.length).toBeGreaterThan(10);
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
  });

  it('says that lists such as labels are an array or one text with commas', async () => {
    const operation = operations().find(({ operationId }) => operationId === 'createIssue');
    const labels = operation?.requestBody?.content['application/json']?.schema.properties?.['labels'];
    expect(labels).toMatchObject({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] });
    const ada = await service.addUser('ada');
    const { body } = await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json: { name: 'x' } });
    for (const given of [['a', 'b'], 'a,b']) {
      const json = { title: 'Labelled', labels: given };
      const issue = await service.call('POST', `/projects/${body.id}/issues`, { token: ada.token, json });
      expect(issue.body).toMatchObject({ labels: ['a', 'b'] });
    }
  });

  it('writes what routes share once, and refers to every component but the ways to sign in', () => {
    const referred = new Set(
      [...JSON.stringify(served).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, place]) => place),
    );
    const { securitySchemes, ...shared } = served.components;
    expect(Object.keys(securitySchemes ?? {})).toEqual(['privateToken', 'bearer', 'client']);
    const places = Object.entries(shared).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `${kind}/${name}`),
    );
    expect([...referred].sort()).toEqual(places.sort());
    expect(places).toEqual(expect.arrayContaining(['schemas/Issue', 'schemas/Milestone', 'responses/Refusal404']));
    expect(served.paths['/projects/{id}/issues/{iid}']?.['get']).toMatchObject({
      responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Issue' } } } } },
    });
  });

  it('is committed as it is', () => {
    const routes = service.service.container.get(TOKENS.routes);
    const endpoints = service.service.container.get(OAUTH_TOKENS.oauthEndpoints);
    const text = `${JSON.stringify(openApiDocument(routes, endpoints, 'http://localhost:8080', '0'), null, 2)}\n`;
    if (process.env['UPDATE_OPENAPI'] === 'true') writeFileSync(COMMITTED, text);
    // Stale? `make openapi` writes it anew.
    expect(readFileSync(COMMITTED, 'utf8')).toBe(text);
  });

  it('is served where API clients look for it', () => {
    expect(document.servers).toEqual([{ url: `${service.url}${API_PREFIX}` }]);
  });

  it('is not sent again to who has it', async () => {
    const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${service.url}${API_PREFIX}/openapi.json`, { headers: { ...headers, 'Cache-Control': 'max-age=60' } });
    const first = await ask({});
    const again = await ask({ 'If-None-Match': String(first.headers.get('etag')) });

    expect(first.headers.get('content-type')).toBe('application/json');
    expect(Number(first.headers.get('content-length'))).toBe((await first.arrayBuffer()).byteLength);
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' });
  });
});
