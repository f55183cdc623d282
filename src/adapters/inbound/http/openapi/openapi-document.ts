import type { TObject, TSchema } from '@sinclair/typebox';
import { AUTHORIZATION_ENDPOINT } from '../oauth/authorization-endpoint.js';
import type { OAuthEndpointDeclaration, OAuthSecurity } from '../oauth/oauth-endpoint.js';
import { API_PREFIX, sufficientScopes, type Route } from '../route.js';
import { component, shareComponents } from './component.js';
import { exampleBody, exampleOf } from './example-of.js';
import { descriptionOf } from './parameter-descriptions.js';
import { presentTags } from './tag-descriptions.js';
import { given } from '../kit/given.js';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: ReturnType<typeof presentTags>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const ERROR = { $ref: '#/components/schemas/Error' };
const OAUTH_ERROR = { $ref: '#/components/schemas/OAuthError' };
/** The release from which version 4 is the preferred one. */
const VERSION_4_SINCE = '9.0';
const OAUTH_TAG = 'OAuth2';
const PATH_SEGMENT = /:(\w+)/g;

const pathNames = (path: string): readonly string[] => [...path.matchAll(PATH_SEGMENT)].map((match) => match[1] ?? '');

const propertiesOf = (schema: TObject): [string, TSchema][] => Object.entries(schema.properties);

/** The property of a tag with a description: its own, or the one that its name has everywhere. */
const described = (name: string, schema: TSchema, tag: string): TSchema => {
  const description = (schema['description'] as string | undefined) ?? descriptionOf(name, tag);
  return description === undefined ? schema : { ...schema, description };
};

/** Those that every list has, by name. */
const SHARED_PARAMETERS: Readonly<Record<string, string>> = { page: 'Page', per_page: 'PerPage' };

interface ParameterPlace {
  readonly place: 'path' | 'query';
  readonly required: boolean;
  readonly tag: string;
}

const presentParameter = (name: string, schema: TSchema, { place, required, tag }: ParameterPlace) => {
  const { description, deprecated, ...rest } = described(name, schema, tag);
  const parameter = {
    name,
    in: place,
    required: place === 'path' || required,
    ...given({ description: description as string | undefined, deprecated: deprecated as boolean | undefined }),
    // `name=1,2`: repeated without brackets, a name is one of those values.
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
  };
  const shared = SHARED_PARAMETERS[name];
  return shared === undefined ? parameter : component(`parameters/${shared}`, parameter);
};

/** A list of plain values may also be one text with commas (`coerce-parameters.ts`). */
const presentProperty = (name: string, property: TSchema, tag: string): TSchema => {
  const schema = described(name, property, tag);
  if (schema['type'] !== 'array' || (schema['items'] as TSchema)['type'] === 'object') return schema;
  const { description, ...list } = schema;
  return { anyOf: [list, { type: 'string', description: 'Separated by commas' }], description } as unknown as TSchema;
};

const json = (schema: unknown, example?: unknown) => ({
  content: { 'application/json': { schema, ...given({ example }) } },
});

const BYTES_AS_EXAMPLE = 'As it is, byte by byte';

/** Bytes are described by their media type alone. */
const contentOf = (schema: TSchema, tag: string) => {
  const mediaType = schema['contentMediaType'] as string | undefined;
  return mediaType === undefined
    ? json(schema, exampleOf('', schema, tag))
    : { content: { [mediaType]: { schema, example: BYTES_AS_EXAMPLE } } };
};

const presentFile = (field: string) => ({
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            [field]: {
              type: 'string',
              contentMediaType: 'application/octet-stream',
              description: 'The file, with its name',
            },
          },
          required: [field],
        },
        example: { [field]: BYTES_AS_EXAMPLE },
      },
    },
  },
});

const presentRequestBody = (
  { operationId, parameters: schema, tag, file }: Pick<Route, 'operationId' | 'parameters' | 'tag' | 'file'>,
  inPath: readonly string[],
) => {
  const properties = propertiesOf(schema).filter(([name]) => !inPath.includes(name));
  if (file !== undefined) return presentFile(file);
  if (properties.length === 0) return {};
  const body = component(`schemas/${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`, {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, each]) => [name, presentProperty(name, each, tag)])),
    required: (schema.required ?? []).filter((name) => !inPath.includes(name) && !hasDefault(schema, name)),
  });
  const example = exampleBody(properties, tag);
  const content = { schema: body, example };
  return {
    requestBody: { content: { 'application/json': content, 'application/x-www-form-urlencoded': content } },
  };
};

const hasDefault = (schema: TObject, name: string): boolean => schema.properties[name]?.['default'] !== undefined;

const presentParameters = ({ method, path, parameters, tag }: Route) => {
  const inPath = pathNames(path);
  const inQuery = method === 'get' || method === 'delete';
  return propertiesOf(parameters)
    .filter(([name]) => inPath.includes(name) || inQuery)
    .map(([name, schema]) => {
      const required = (parameters.required ?? []).includes(name) && !hasDefault(parameters, name);
      return presentParameter(name, schema, { place: inPath.includes(name) ? 'path' : 'query', required, tag });
    });
};

const PAGE_HEADERS = Object.fromEntries(
  ['X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'X-Total', 'X-Total-Pages', 'Link'].map((name) => [
    name,
    component(`headers/${name}`, { schema: { type: 'string' } }),
  ]),
);

const presentResponses = (route: Route) => {
  const answers = Object.entries(route.responses).map(([status, schema]) => {
    const paged = 'per_page' in route.parameters.properties ? { headers: PAGE_HEADERS } : {};
    return [status, { description: 'Done', ...paged, ...(schema === null ? {} : contentOf(schema, route.tag)) }];
  });
  const refusals = [
    ['400', 'A parameter is missing or not acceptable'],
    ...(route.access === 'anyone' && route.method === 'get' ? [] : [['401', 'No token, or one that is not good']]),
    ['403', 'Seen, but not allowed; or the token’s scopes are too small'],
    ...(route.path.includes(':') ? [['404', 'Not there, or not for you to see']] : []),
    ...(route.lastChanged === undefined ? [] : [['412', 'Changed after `If-Unmodified-Since`: nothing was done']]),
    ['429', 'Too many requests; try again after `Retry-After` seconds'],
    ['503', 'The database is out of reach; try again after `Retry-After` seconds'],
  ];
  return Object.fromEntries([
    ...answers,
    ...refusals.map(([status = '', description]) => [
      status,
      component(`responses/Refusal${status}`, { description, ...json(ERROR) }),
    ]),
  ]) as unknown;
};

const SENSITIVE = 'Not by the session of a browser: its pages ask for the password.';

const describe = ({ description, sensitive }: Route): { description?: string } => {
  const sentences = [description, sensitive && SENSITIVE].filter((each) => each !== undefined);
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
};

const presentOperation = (route: Route) => ({
  operationId: route.operationId,
  summary: route.summary,
  ...describe(route),
  tags: [route.tag],
  'x-since': route.since ?? VERSION_4_SINCE,
  security: [...(route.access === 'anyone' ? [{}] : []), { privateToken: [] }, { bearer: [] }],
  'x-scopes': sufficientScopes(route),
  parameters: presentParameters(route),
  ...(route.method === 'get' || route.method === 'delete' ? {} : presentRequestBody(route, pathNames(route.path))),
  responses: presentResponses(route),
});

const COMPONENTS = {
  securitySchemes: {
    privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
    bearer: { type: 'http', scheme: 'bearer' },
    client: { type: 'http', scheme: 'basic', description: 'Application ID and Client Secret' },
  },
  schemas: {
    Error: {
      description: 'What endpoints refuse carries `message`; what the parameters or the token refuse carries `error`.',
      type: 'object',
      properties: {
        message: { description: 'A sentence, or problems by attribute' },
        error: { type: 'string' },
        error_description: { type: 'string' },
        scope: { type: 'string' },
        allowed: { type: 'array', description: 'The values that are acceptable' },
      },
    },
    OAuthError: {
      type: 'object',
      properties: {
        error: { type: 'string', description: 'A code of RFC 6749, RFC 6750 or RFC 7009' },
        error_description: { type: 'string' },
      },
      required: ['error'],
    },
  },
};

const SECURITY: Readonly<Record<OAuthSecurity, readonly object[]>> = {
  client: [{ client: [] }, {}],
  bearer: [{ bearer: [] }],
  person: [{}],
  none: [{}],
};

const presentOAuthResponses = ({ responses, security }: OAuthEndpointDeclaration) => {
  const refusals = [
    ['400', 'A refusal in the words of RFC 6749 §5.2'],
    ...(security === 'none' ? [] : [['401', 'The client or the token is not good']]),
    ['503', 'The database is out of reach; try again after `Retry-After` seconds'],
  ];
  const answers = Object.entries(responses).map(([status, schema]) => [
    status,
    {
      description: status === '303' ? 'To the redirect URI, or to sign in' : 'Done',
      ...(schema === null ? {} : json(schema, exampleOf('', schema, OAUTH_TAG))),
    },
  ]);
  return Object.fromEntries([
    ...answers,
    ...refusals.map(([status = '', description]) => [
      status,
      component(`responses/OAuthRefusal${status}`, { description, ...json(OAUTH_ERROR) }),
    ]),
  ]) as unknown;
};

/** Endpoints beside `/api/v4` stand at the root of the service. */
const presentOAuthOperation = (endpoint: OAuthEndpointDeclaration, baseUrl: string) => ({
  operationId: endpoint.operationId,
  summary: endpoint.summary,
  ...given({ description: endpoint.description }),
  tags: [OAUTH_TAG],
  servers: [{ url: baseUrl }],
  security: SECURITY[endpoint.security],
  parameters:
    endpoint.method === 'post'
      ? []
      : propertiesOf(endpoint.parameters).map(([name, schema]) =>
          presentParameter(name, schema, {
            place: 'query',
            required: (endpoint.parameters.required ?? []).includes(name),
            tag: OAUTH_TAG,
          }),
        ),
  ...(endpoint.method === 'post' ? presentRequestBody({ ...endpoint, tag: OAUTH_TAG }, []) : {}),
  responses: presentOAuthResponses(endpoint),
});

/** The document of the declared routes: what validates a request is what is published of it. */
export const openApiDocument = (...declared: Parameters<typeof wholeDocument>): OpenApiDocument =>
  shareComponents(wholeDocument(...declared));

/** The same with everything where it is used, for who shows it. */
export const wholeDocument = (
  routes: readonly Route[],
  endpoints: readonly OAuthEndpointDeclaration[],
  baseUrl: string,
  version: string,
): OpenApiDocument => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(PATH_SEGMENT, '{$1}');
    paths[path] = { ...paths[path], [route.method]: presentOperation(route) };
  }
  for (const endpoint of [AUTHORIZATION_ENDPOINT, ...endpoints]) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: presentOAuthOperation(endpoint, baseUrl) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      description: 'A self-hosted development-platform API, version 4. Every list is paged; every refusal says why.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl + API_PREFIX }],
    tags: presentTags(new Set([OAUTH_TAG, ...routes.map(({ tag }) => tag)])),
    paths,
    components: COMPONENTS,
  };
};
