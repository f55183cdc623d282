import type { TSchema } from '@sinclair/typebox';

const INSTANT = '2026-03-31T12:00:00.000Z';
const DAY = '2026-03-31';

/** A value that people would read, by the name of a property. */
const TEXTS: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  access_token: 'R3fF8nXvSgk2v5yZq1oUe0kDbW7pLtAa',
  api_url: 'https://tracker.example/api/0/projects/',
  application_name: 'Release robot',
  author_username: 'ada',
  body: 'It leaks at the second valve.',
  callback_url: 'https://app.example/callback',
  code: 'k1nq0hUe5b8yZ2pLt7vXvSgR3fF8nWdA',
  color: '#d9534f',
  commit_from: '0000000000000000000000000000000000000000',
  commit_title: 'Tighten the valve',
  commit_to: '1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b',
  default_branch: 'main',
  description: 'Translates what people mean',
  email: 'ada@example.com',
  environment: 'production',
  error: 'invalid_grant',
  fingerprint: '9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de',
  full_path: 'engines/compiler',
  message: '202 Accepted',
  monitoring_tool: 'Prometheus',
  label: 'leak',
  labels: 'leak',
  client_id: 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
  client_secret: 'bW7pLtAaR3fF8nXvSgk2v5yZq1oUe0kD',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  public_email: 'ada@example.com',
  name: {
    Users: 'Ada Lovelace',
    Groups: 'Engines',
    Projects: 'Compiler',
    Labels: 'leak',
    Applications: 'Release robot',
    'Alert integrations': 'Monitoring',
    'Personal access tokens': 'Nightly report',
  },
  name_with_namespace: 'Engines / Compiler',
  new_name: 'broken',
  password: 'correct horse battery staple',
  path: 'compiler',
  path_with_namespace: 'engines/compiler',
  redirect_uri: 'https://app.example/callback',
  ref: 'main',
  refresh_token: 'Zq1oUe0kDbW7pLtAaR3fF8nXvSgk2v5y',
  scope: 'read_user',
  scopes: 'read_user',
  secret: 'bW7pLtAaR3fF8nXvSgk2v5yZq1oUe0kD',
  service: 'database',
  state: {
    Users: 'active',
    'Project members': 'active',
    'Group members': 'active',
    Milestones: 'active',
    Issues: 'opened',
  },
  title: { Issues: 'The engine leaks', Milestones: '1.0', Alerts: 'The engine is hot' },
  token: 'gV5yZq1oUe0kDbW7pLtAaR3fF8nXvSk2',
  token_type: 'bearer',
  uid: 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
  username: 'ada',
  version: '0.2.0',
  web_url: 'https://gatehouse.example/engines/compiler',
};

const INTEGERS: Readonly<Record<string, number>> = {
  iid: 7,
  access_level: 30,
  events: 3,
  expires_in: 7200,
  status: 200,
};
const SOME_ID = 42;

/** In a body these exclude others, or are for special cases alone. */
const LEFT_OUT = new Set([
  'refresh_token',
  'reset_password',
  'force_random_password',
  'assignee_id',
  'sample_payload',
  'test',
]);

const wordOf = (name: string, tag: string): string | undefined => {
  const words = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
  return typeof words === 'object' ? (words[tag] ?? Object.values(words)[0]) : words;
};

const exampleText = (name: string, { format, minLength = 0, maxLength = Infinity }: TSchema, tag: string): string => {
  if (format === 'date') return DAY;
  if (format === 'date-time') return INSTANT;
  const word =
    wordOf(name, tag) ?? (/(?:_url|_uri|_endpoint|^url)$/.test(name) ? 'https://gatehouse.example/' : 'text');
  return word.padEnd(Number(minLength), 'x').slice(0, Number(maxLength));
};

const exampleInteger = (name: string, { minimum = -Infinity, maximum = Infinity }: TSchema): number =>
  Math.min(Math.max(INTEGERS[name] ?? SOME_ID, Number(minimum)), Number(maximum));

const exampleObject = ({ properties = {} }: TSchema, tag: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties as Record<string, TSchema>).map(([name, property]) => [
      name,
      exampleOf(name, property, tag),
    ]),
  );

/** A value that a schema accepts, made of its constants, defaults and enumerations, and else of what its name says. */
export const exampleOf = (name: string, schema: TSchema, tag: string): unknown => {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['default'] !== undefined) return schema['default'];
  const [first] = (schema['enum'] as readonly unknown[] | undefined) ?? [];
  if (first !== undefined) return first;
  const members = schema['anyOf'] as readonly TSchema[] | undefined;
  if (members !== undefined) return exampleOf(name, members.find(({ type }) => type !== 'null') ?? members[0]!, tag);
  switch (schema['type'] as string | undefined) {
    case 'object':
      return exampleObject(schema, tag);
    case 'array':
      return [exampleOf(name.replace(/_ids$/, '_id'), schema['items'] as TSchema, tag)];
    case 'integer':
    case 'number':
      return exampleInteger(name, schema);
    case 'boolean':
      return true;
    case 'string':
      return exampleText(name, schema, tag);
    case 'null':
      return null;
    default:
      return {};
  }
};

/** A body as somebody may send it: not everything that is possible goes together. */
export const exampleBody = (properties: readonly (readonly [string, TSchema])[], tag: string): unknown =>
  Object.fromEntries(
    properties
      .filter(([name, { deprecated }]) => deprecated !== true && !LEFT_OUT.has(name))
      .filter(([name]) => tag !== 'OAuth2' || !['username', 'password', 'scope'].includes(name))
      .map(([name, schema]) => [name, exampleOf(name, schema, tag)]),
  );
