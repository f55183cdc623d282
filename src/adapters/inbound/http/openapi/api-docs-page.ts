import { API_PREFIX } from '../route.js';
import type { OpenApiDocument } from './openapi-document.js';
import { shellQuoted } from '../shell-quoted.js';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-since'?: string;
  /** Where it stands, if elsewhere than the rest. */
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** An operation as the list shows it. */
export interface ListedOperation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** One parameter as the page shows it, wherever it travels. */
interface ShownField {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
}

/** A part of an answer: its name with those of what holds it. */
interface ShownPart {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

interface ShownAnswer {
  readonly status: string;
  readonly description: string;
  readonly parts: readonly ShownPart[];
  /** As JSON, indented; absent where nothing is answered. */
  readonly example: string | undefined;
}

export interface ShownOperation extends ListedOperation {
  readonly description: string;
  /** The release of the API that brought it. */
  readonly since: string | undefined;
  readonly fields: readonly ShownField[];
  readonly answers: readonly ShownAnswer[];
  /** A command for a shell. */
  readonly curl: string;
}

const JSON_TYPE = 'application/json';
/** What is deeper is left to the example. */
const DEEPEST = 3;

/** The operations of a document, as pages show them. */
export class ApiDocs {
  readonly #operations = new Map<string, { readonly listed: ListedOperation; readonly operation: Operation }>();

  /** @param document with everything where it is used. */
  constructor(
    document: OpenApiDocument,
    private readonly baseUrl: string,
  ) {
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations) as [string, Operation][]) {
        const { operationId: id, summary, tags, servers } = operation;
        const whole = servers === undefined ? `${API_PREFIX}${path}` : path;
        const listed = { id, tag: tags[0] ?? '', method: method.toUpperCase(), path: whole, summary };
        this.#operations.set(id, { listed, operation });
      }
  }

  /** Those that have every word of a search in their address, name or summary, in the order of the document. */
  find(search: string): readonly ListedOperation[] {
    const words = search.toLowerCase().split(/\s+/);
    return [...this.#operations.values()]
      .map(({ listed }) => listed)
      .filter(({ id, tag, method, path, summary }) => {
        const text = `${method} ${path} ${id} ${tag} ${summary}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
  }

  show(id: string): ShownOperation | undefined {
    const found = this.#operations.get(id);
    if (found === undefined) return undefined;
    const { listed, operation } = found;
    const { parameters = [] } = operation;
    const body = operation.requestBody?.content?.[JSON_TYPE];
    return {
      ...listed,
      description: operation.description ?? '',
      since: operation['x-since'],
      fields: [...parameters.flatMap(fieldOf), ...bodyFields(body?.schema)],
      answers: Object.entries(operation.responses).map(answerOf),
      curl: curlOf(this.baseUrl, listed, parameters, body?.example),
    };
  }
}

const typeOf = ({ anyOf, enum: words, items, type }: Schema): string => {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (words !== undefined) return words.map(String).join(', ');
  return items === undefined ? (type ?? 'anything') : `list of ${typeOf(items)}`;
};

const explain = ({ description, default: usual }: Schema, own?: string): string =>
  [own ?? description, usual === undefined ? undefined : `default ${JSON.stringify(usual)}`]
    .filter((part) => part !== undefined)
    .join('; ');

const fieldOf = ({ name, in: place, required = false, description, schema }: Parameter): readonly ShownField[] =>
  place === 'header'
    ? []
    : [{ name, place, required, type: typeOf(schema), description: explain(schema, description) }];

const bodyFields = ({ properties = {}, required = [] }: Schema = {}): readonly ShownField[] =>
  Object.entries(properties).map(([name, property]) => ({
    name,
    place: 'body',
    required: required.includes(name),
    type: typeOf(property),
    description: explain(property),
  }));

/** Of an object, or of what is one or null. */
const propertiesOf = ({ properties, anyOf = [] }: Schema): Schema['properties'] =>
  properties ?? anyOf.find((each) => each.properties !== undefined)?.properties;

const partsOf = (schema: Schema, name = '', depth = 0): readonly ShownPart[] => {
  if (schema.items !== undefined) return partsOf(schema.items, `${name}[]`, depth);
  const properties = propertiesOf(schema);
  if (properties === undefined || depth === DEEPEST) return [];
  return Object.entries(properties).flatMap(([key, property]) => {
    const path = name === '' || name === '[]' ? key : `${name}.${key}`;
    const part = { name: path, type: typeOf(property), description: explain(property) };
    return [part, ...partsOf(property, path, depth + 1)];
  });
};

const answerOf = ([status, { description = '', content }]: readonly [string, Content]): ShownAnswer => {
  const json = content?.[JSON_TYPE];
  return {
    status,
    description,
    parts: json?.schema === undefined ? [] : partsOf(json.schema),
    example: json?.example === undefined ? undefined : JSON.stringify(json.example, null, 2),
  };
};

const curlOf = (
  baseUrl: string,
  { method, path }: ListedOperation,
  parameters: readonly Parameter[],
  body: unknown,
): string => {
  const address = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const example = parameters.find((each) => each.name === name)?.example;
    return typeof example === 'string' || typeof example === 'number' ? encodeURIComponent(example) : '1';
  });
  return [
    `curl${method === 'GET' ? '' : ` --request ${method}`} --header "PRIVATE-TOKEN: $TOKEN" \\`,
    ...(body === undefined
      ? []
      : ["  --header 'Content-Type: application/json' \\", `  --data ${shellQuoted(JSON.stringify(body))} \\`]),
    `  ${shellQuoted(`${baseUrl}${address}`)}`,
  ].join('\n');
};
