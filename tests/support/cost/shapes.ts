import type { Field, Target } from './target.js';
import { HOSTILE_TEXTS } from './texts.js';

/** One hostile request, but for who sends it and where. */
export interface Attack {
  readonly shape: string;
  /** What of the shape, such as the field that it is in. */
  readonly detail?: string;
  readonly query?: string;
  /** In place of what the path names. */
  readonly segment?: string;
  readonly type?: string;
  readonly body?: () => Buffer;
  readonly chunked?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Shape {
  readonly name: string;
  /** Whether it is in declared fields: such a one says nothing where the caller may not come in anyway. */
  readonly inFields: boolean;
  readonly attacks: (target: Target) => readonly Omit<Attack, 'shape'>[];
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BOUNDARY = 'hostile';
const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
/** What is left of the bytes that Node takes for an address and headers. */
const QUERY_BYTES = 12_000;
const MARGIN = 600;

const buffer = (text: string): Buffer => Buffer.from(text);
const repeated = (text: string, bytes: number): string => text.repeat(Math.max(1, Math.floor(bytes / text.length)));
const numbered = (count: number, text: (index: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);

const roomOf = ({ bodyLimit, companions }: Target): number =>
  bodyLimit - MARGIN - JSON.stringify(companions).length * 2;

/** An object as JSON whose values are JSON already. */
const object = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

const companionsBut = ({ companions }: Target, names: readonly string[]): [string, string][] =>
  Object.entries(companions).filter(([name]) => !names.includes(name));

/** A body with the same hostile JSON in each of these fields, beside their companions. */
const jsonOf = (target: Target, fields: readonly Field[], value: () => string) => ({
  type: JSON_TYPE,
  body: () =>
    buffer(
      object([
        ...companionsBut(
          target,
          fields.map(({ name }) => name),
        ).map(([name, text]) => [name, JSON.stringify(text)] as const),
        ...fields.map(({ name }) => [name, value()] as const),
      ]),
    ),
});

const formOf = (target: Target, names: readonly string[], value: () => string) => ({
  type: FORM_TYPE,
  body: () =>
    buffer(
      [
        ...companionsBut(target, names).map(([name, text]) => `${name}=${encodeURIComponent(text)}`),
        ...names.map((name) => `${encodeURIComponent(name)}=${value()}`),
      ].join('&'),
    ),
});

/** Each field with so many bytes of hostile JSON, by itself. */
const inEach =
  (value: (bytes: number) => string, of: (field: Field) => boolean = () => true) =>
  (target: Target) =>
    target.takes === 'form'
      ? []
      : target.fields
          .filter(of)
          .map((field) => ({ detail: field.name, ...jsonOf(target, [field], () => value(roomOf(target))) }));

const part = (name: string, content: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const multipart = (parts: () => string) => ({
  type: MULTIPART_TYPE,
  body: () => buffer(`${parts()}--${BOUNDARY}--\r\n`),
});

/** Names that are looked at, of which two are as good as all. */
const someNames = ({ fields }: Target): string[] =>
  fields.length === 0 ? ['x'] : fields.slice(0, 2).map(({ name }) => name);

const queryOf = (target: Target, names: readonly string[], value: string): string =>
  [
    ...companionsBut(target, names).map(([name, text]) => `${name}=${encodeURIComponent(text)}`),
    ...names.map((name) => `${name}=${value}`),
  ].join('&');

/** A body that is the same for every route with such a limit, and is made once. */
const once = (make: (bytes: number) => Buffer): ((bytes: number) => Buffer) => {
  const made = new Map<number, Buffer>();
  return (bytes) => {
    const body = made.get(bytes) ?? make(bytes);
    made.set(bytes, body);
    return body;
  };
};

const raw = (type: string, text: (bytes: number) => string): Shape['attacks'] => {
  const body = once((bytes) => buffer(text(bytes)));
  return ({ bodyLimit }) => [{ type, body: () => body(bodyLimit - MARGIN) }];
};

const SAMPLE_BYTES = 600;

/** A text as it stands in JSON: no longer than about so many bytes. */
const jsonText = (make: (bytes: number) => string, bytes: number): string => {
  const written = Buffer.byteLength(JSON.stringify(make(SAMPLE_BYTES)));
  return JSON.stringify(make(Math.floor((bytes * SAMPLE_BYTES) / Math.max(SAMPLE_BYTES, written))));
};

/** A text as it stands in a form or query: no longer than so many bytes. */
const encodedText = (make: (bytes: number) => string, bytes: number): string => {
  // Half a character can't be encoded.
  const encoded = (size: number): string => encodeURIComponent(make(size).toWellFormed()).replaceAll('%20', '+');
  return encoded(Math.floor((bytes * SAMPLE_BYTES) / Math.max(SAMPLE_BYTES, encoded(SAMPLE_BYTES).length)));
};

const PAGES: readonly string[] = [
  'page=9007199254740991&per_page=9007199254740991',
  'page=100000&per_page=100',
  'page=-1&per_page=-1',
  'page=1e300&per_page=1e300',
  'page=101&per_page=100',
  'per_page=100',
  'pagination=keyset&per_page=100',
  'order_by=updated_at&sort=asc&page=50&per_page=100',
];

const anywhere = (name: string, attacks: Shape['attacks']): Shape => ({ name, inFields: false, attacks });
const inFields = (name: string, attacks: Shape['attacks']): Shape => ({ name, inFields: true, attacks });

const isValue = ({ kind }: Field): boolean => kind !== 'flag';
const isText = ({ kind }: Field): boolean => kind !== 'flag' && kind !== 'number';

/** So many fields of a form are filled one by one; of more nobody knows which are read, and they are filled together. */
const FILLED_ONE_BY_ONE = 12;

const textsInBody = (target: Target, make: (bytes: number) => string): readonly Omit<Attack, 'shape'>[] => {
  const fields = target.fields.filter(isText);
  const room = roomOf(target);
  if (target.takes === 'json')
    return fields.map((field) => ({ detail: field.name, ...jsonOf(target, [field], () => jsonText(make, room)) }));
  if (target.method === 'GET') return [];
  const names = fields.map(({ name }) => name);
  if (names.length > FILLED_ONE_BY_ONE)
    return [{ detail: 'all', ...formOf(target, names, () => encodedText(make, Math.floor(room / names.length) - 20)) }];
  return names.map((name) => ({ detail: name, ...formOf(target, [name], () => encodedText(make, room)) }));
};

const textsInQuery = (target: Target, make: (bytes: number) => string): readonly Omit<Attack, 'shape'>[] =>
  target.method === 'GET'
    ? target.fields
        .filter(isText)
        .map(({ name }) => ({ detail: name, query: queryOf(target, [name], encodedText(make, QUERY_BYTES)) }))
    : [];

/** An address holds little: what is dear there already is dearer in a body, but for what only addresses are read for. */
const IN_ADDRESSES = new Set(['words', 'commas', 'percents', 'ligatures', 'slashes']);

const TEXT_SHAPES = Object.entries(HOSTILE_TEXTS).flatMap(([name, make]) => [
  inFields(`text of ${name} in each field`, (target) => textsInBody(target, make)),
  ...(IN_ADDRESSES.has(name)
    ? [inFields(`text of ${name} in each field of the query`, (target) => textsInQuery(target, make))]
    : []),
]);

const tooLargeMultipart = once((parts) =>
  buffer(numbered(parts, (n) => part(`k${n}`, 'a'.repeat(850_000)), '') + `--${BOUNDARY}--\r\n`),
);

/** Everything that is sent to each route. */
const SHAPES: readonly Shape[] = [
  // Objects of many keys.
  anywhere(
    '100,000 keys in JSON',
    raw(JSON_TYPE, (bytes) => `{${numbered(Math.floor(bytes / 11), (n) => `"k${n + 10_000}":1`, ',')}}`),
  ),
  anywhere(
    'the same key 100,000 times in JSON',
    raw(JSON_TYPE, (bytes) => `{${repeated('"name":1,', bytes)}"name":1}`),
  ),
  anywhere(
    '100,000 keys in a form',
    raw(FORM_TYPE, (bytes) => numbered(Math.floor(bytes / 10), (n) => `k${n + 10_000}=1`, '&')),
  ),
  anywhere(
    'the same name 100,000 times in a form',
    raw(FORM_TYPE, (bytes) => repeated('a=1&', bytes)),
  ),
  anywhere(
    '100,000 ampersands in a form',
    raw(FORM_TYPE, (bytes) => repeated('&', bytes)),
  ),
  anywhere(
    '100,000 blanks in a form',
    raw(FORM_TYPE, (bytes) => `a=${repeated('a+', bytes)}`),
  ),
  anywhere(
    'names of prototypes in JSON',
    raw(
      JSON_TYPE,
      (bytes) =>
        `{${['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'].map((name) => `"${name}":{"__proto__":{"admin":true},"length":${bytes}}`).join(',')}}`,
    ),
  ),
  anywhere('names of prototypes in a form', () => [
    {
      type: FORM_TYPE,
      body: () => buffer('__proto__[admin]=1&constructor[prototype][admin]=1&toString=1&a[__proto__]=1'),
    },
  ]),
  // Depth.
  anywhere(
    '20,000 brackets in JSON',
    raw(JSON_TYPE, (bytes) => `{"a":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`),
  ),
  anywhere(
    '20,000 braces in JSON',
    raw(JSON_TYPE, (bytes) => `${repeated('{"a":', bytes * 0.8)}1${'}'.repeat(Math.floor((bytes * 0.8) / 5))}`),
  ),
  anywhere(
    'brackets that never close in JSON',
    raw(JSON_TYPE, (bytes) => `{"a":${'['.repeat(bytes)}`),
  ),
  anywhere(
    'nested names in a form',
    raw(FORM_TYPE, (bytes) => `a${repeated('[b]', bytes)}=1`),
  ),
  anywhere(
    'many nested names in a form',
    raw(FORM_TYPE, (bytes) => numbered(Math.floor(bytes / 35), (n) => `a[b][c][d][e][f][${n}]=1`, '&')),
  ),
  anywhere('nested names in a query', () => [
    { query: `a${repeated('[b]', QUERY_BYTES)}=1` },
    { query: `a${'['.repeat(QUERY_BYTES)}=1` },
    { query: `${repeated('a[]', QUERY_BYTES)}=1` },
  ]),
  // Sparse and repeated names.
  anywhere('sparse names in a query', (target) =>
    someNames(target).map((name) => ({ detail: name, query: queryOf(target, [`${name}[99999999]`], '1') })),
  ),
  anywhere('sparse names in a form', (target) =>
    someNames(target).map((name) => ({ detail: name, ...formOf(target, [`${name}[99999999]`], () => '1') })),
  ),
  anywhere('sparse names in multipart', (target) =>
    someNames(target).map((name) => ({ detail: name, ...multipart(() => part(`${name}[99999999]`, '1')) })),
  ),
  anywhere('1,000 parameters in a query', () => [
    { query: numbered(1_000, (n) => `k${n}=1`, '&') },
    { query: repeated('a&', QUERY_BYTES) },
  ]),
  inFields('the same parameter 1,000 times', (target) =>
    someNames(target).map((name) => ({
      detail: name,
      query: repeated(`${name}=1&`, QUERY_BYTES),
    })),
  ),
  inFields('a list of 1,000 in a query', (target) =>
    target.fields.filter(isValue).flatMap(({ name }) => [
      { detail: `${name}[]`, query: repeated(`${name}[]=1&`, QUERY_BYTES) },
      {
        detail: name,
        query: queryOf(
          target,
          [name],
          numbered(QUERY_BYTES / 5, (n) => String(1_000 + n), ','),
        ),
      },
      { detail: `${name} of 100`, query: queryOf(target, [name], numbered(100, String, ',')) },
    ]),
  ),
  // Multipart.
  anywhere('1,000 parts', () => [multipart(() => numbered(1_000, (n) => part(`k${n}`, '1'), ''))]),
  anywhere('10,000 parts', (target) => [
    multipart(() => numbered(Math.floor(roomOf(target) / 80), (n) => part(`k${n}`, '1'), '')),
  ]),
  anywhere('nested names in multipart', (target) => [
    multipart(() => part(`a${repeated('[b]', Math.min(60_000, roomOf(target)))}`, '1')),
    multipart(() => numbered(1_000, (n) => part(`a[b][c][d][${n}]`, '1'), '')),
  ]),
  anywhere('a part of 1 MB', (target) => [
    multipart(() => part('a', repeated('a ', roomOf(target)))),
    multipart(() => part('a', repeated('a ', roomOf(target)), '; filename="a.txt"')),
  ]),
  anywhere('multipart without an end', (target) => [
    { type: MULTIPART_TYPE, body: () => buffer(part('a', repeated('\r\n--hostil', roomOf(target)))) },
    { type: 'multipart/form-data', body: () => buffer(part('a', 'b')) },
  ]),
  anywhere('multipart of 20 MB that nobody announced', () => [
    { type: MULTIPART_TYPE, chunked: true, body: () => tooLargeMultipart(24) },
  ]),
  // Bodies around their limit, and of other types.
  anywhere('a body just below and above the limit, unannounced', ({ bodyLimit }) => [
    { detail: 'below', type: JSON_TYPE, chunked: true, body: () => buffer(`{"a":"${'a'.repeat(bodyLimit - 20)}"}`) },
    { detail: 'above', type: JSON_TYPE, chunked: true, body: () => buffer(`{"a":"${'a'.repeat(bodyLimit * 2)}"}`) },
    { detail: 'far above', type: FORM_TYPE, chunked: true, body: () => Buffer.alloc(8_000_000, 'a=b&') },
  ]),
  anywhere('another type', ({ bodyLimit }) => [
    { detail: 'text', type: 'text/plain', body: () => Buffer.alloc(bodyLimit - 1, 'a') },
    { detail: 'UTF-16', type: 'application/json; charset=utf-16', body: () => Buffer.from('{"a":1}', 'utf16le') },
    { detail: 'Latin 1', type: `${FORM_TYPE}; charset=iso-8859-1`, body: () => Buffer.alloc(bodyLimit - 1, '%E9') },
    {
      detail: 'compressed',
      type: JSON_TYPE,
      headers: { 'Content-Encoding': 'gzip' },
      body: () => Buffer.alloc(bodyLimit - 1, 'a'),
    },
    { detail: 'a long one', type: `application/${'a+'.repeat(4_000)}json`, body: () => buffer('{}') },
    { detail: 'bytes', type: JSON_TYPE, body: () => Buffer.alloc(bodyLimit - 1, 0xff) },
    { detail: 'white space', type: JSON_TYPE, body: () => buffer(`${' '.repeat(bodyLimit - 20)}{}`) },
    { detail: 'a list', type: JSON_TYPE, body: () => buffer(`[${repeated('1,', bodyLimit - 20)}1]`) },
    { detail: 'a number', type: JSON_TYPE, body: () => buffer(`{"a":${'9'.repeat(bodyLimit - 20)}}`) },
    { detail: 'a percent flood', type: FORM_TYPE, body: () => buffer(`a=${repeated('%41', bodyLimit - 20)}`) },
    { detail: 'broken percents', type: FORM_TYPE, body: () => buffer(`a=${repeated('%zz%', bodyLimit - 20)}`) },
  ]),
  // Values of the wrong kind.
  inFields(
    'a list of nulls in each field',
    inEach((bytes) => `[${repeated('null,', bytes)}null]`),
  ),
  inFields(
    'a list of lists in each field',
    inEach((bytes) => `[${repeated('[],', bytes)}[]]`),
  ),
  inFields(
    'a list of objects in each field',
    inEach((bytes) => `[${repeated('{},', bytes)}{}]`),
  ),
  inFields(
    '100,000 ids in each field',
    inEach((bytes) => `[${numbered(Math.floor(bytes / 7), (n) => String(n + 1), ',')}]`),
  ),
  inFields(
    '1,000 names in each field',
    inEach(() => JSON.stringify(Array.from({ length: 1_000 }, (_, n) => `name ${n}`))),
  ),
  inFields(
    '20,000 brackets in each field',
    inEach((bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  ),
  inFields(
    '100,000 keys in each field',
    inEach((bytes) => `{${numbered(Math.floor(bytes / 11), (n) => `"k${n + 10_000}":1`, ',')}}`),
  ),
  inFields('1e300 in each field', (target) =>
    ['1e300', '-1e300', '9007199254740993', '-1', '0.5', '1e-300', '9'.repeat(400)].flatMap((value) =>
      inEach(
        () => value,
        ({ kind }) => kind === 'number',
      )(target).concat(
        inEach(
          () => `[${value}]`,
          ({ kind }) => kind === 'list',
        )(target),
      ),
    ),
  ),
  ...TEXT_SHAPES,
  // Pages, paths and headers.
  inFields('the largest page', ({ method }) => (method === 'GET' ? [{ query: 'per_page=100' }] : [])),
  anywhere('extremes of pages', ({ method }) =>
    method === 'GET' ? PAGES.map((query) => ({ detail: query, query })) : [],
  ),
  anywhere('a percent flood in the path', () =>
    ['%41', '%2F', '%00', '%ED%A0%80', '%zz', '%EF%B7%BA', '.', '-', '%2e%2e%2f', '%20'].map((text) => ({
      detail: text,
      segment: repeated(text, QUERY_BYTES),
    })),
  ),
  anywhere('a number beyond bounds in the path', () =>
    ['99999999999999999999', '1e300', '-1', '0', '9007199254740993', '9'.repeat(4_000)].map((segment) => ({
      detail: segment.slice(0, 20),
      segment,
    })),
  ),
  anywhere('a percent flood in the query', () => [
    { detail: 'name', query: repeated('%41', QUERY_BYTES) },
    { detail: 'value', query: `a=${repeated('%00', QUERY_BYTES)}` },
    { detail: 'broken', query: repeated('%zz&', QUERY_BYTES) },
    { detail: '?', query: repeated('?', QUERY_BYTES) },
  ]),
  anywhere('long headers', () => [
    { detail: 'cookies', headers: { Cookie: repeated('a=b; ', QUERY_BYTES) } },
    { detail: 'bearer', headers: { Authorization: `Bearer ${'a'.repeat(QUERY_BYTES)}` } },
    { detail: 'basic', headers: { Authorization: `Basic ${'YTph'.repeat(QUERY_BYTES / 4)}` } },
    { detail: 'accept', headers: { Accept: repeated('a/b;q=0.1,', QUERY_BYTES) } },
    { detail: 'forwarded', headers: { 'X-Forwarded-For': repeated('1.2.3.4, ', QUERY_BYTES) } },
    { detail: 'sudo', headers: { Sudo: 'a'.repeat(QUERY_BYTES) } },
    {
      detail: 'etag',
      headers: { 'If-None-Match': repeated('"a",', QUERY_BYTES), Range: `bytes=${repeated('0-1,', 2_000)}0-1` },
    },
  ]),
  // And what is legal.
  inFields('the largest that is legal', (target) => [
    {
      type: target.takes === 'json' ? JSON_TYPE : FORM_TYPE,
      body: () =>
        target.takes === 'json'
          ? buffer(JSON.stringify({ ...target.companions, ...largestOf(target) }))
          : buffer(
              new URLSearchParams({
                ...target.companions,
                ...(largestOf(target) as Record<string, string>),
              }).toString(),
            ),
    },
  ]),
];

/** Names of their own, as many of them must not be there yet. */
let times = 0;
const UNIQUE = /^(?:name|path|title|username|new_name|email)$/;

const largestOf = ({ fields, companions }: Target): Record<string, unknown> => {
  times += 1;
  return Object.fromEntries(
    fields
      .filter(({ name }) => !(name in companions) || UNIQUE.test(name))
      .map(({ name, largest }) => [name, UNIQUE.test(name) ? uniqueOf(name, largest) : largest]),
  );
};

const uniqueOf = (name: string, largest: unknown): string => {
  const own = `largest${times}`;
  if (name === 'email') return `${own}@example.com`;
  if (name === 'path' || name === 'username') return own;
  return `${own} ${String(largest)}`.slice(0, 255);
};

/** Every attack on a target by shapes that are asked for. */
export const attacksOn = (target: Target, asked: (shape: Shape) => boolean): readonly Attack[] =>
  SHAPES.filter(asked).flatMap(({ name, attacks }) => attacks(target).map((attack) => ({ shape: name, ...attack })));
