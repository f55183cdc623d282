import { API_PREFIX } from '../route.js';
import type { OpenApiDocument } from './openapi-document.js';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-since'?: string;
  /** Where it stands, if elsewhere than the rest. */
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** One parameter as the page shows it, wherever it travels. */
export interface ShownField {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
}

export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The release of the API that brought it. */
  readonly since: string | undefined;
  readonly fields: readonly ShownField[];
  readonly answers: readonly { readonly status: string; readonly description: string }[];
}

export interface ShownTag {
  readonly name: string;
  readonly operations: readonly ShownOperation[];
}

const typeOf = (schema: Schema): string => {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  return schema.type ?? 'anything';
};

const explain = ({ description, schema }: { readonly description?: string; readonly schema: Schema }): string =>
  [
    description ?? schema.description,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ');

const bodyFields = (operation: Operation): readonly ShownField[] => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    place: 'body',
    required: schema?.required?.includes(name) ?? false,
    type: typeOf(property),
    description: explain({ schema: property }),
  }));
};

const show = (method: string, path: string, operation: Operation): ShownOperation => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  path: operation.servers === undefined ? `${API_PREFIX}${path}` : path,
  summary: operation.summary,
  since: operation['x-since'],
  description: operation.description ?? '',
  fields: [
    ...operation.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      required: parameter.required,
      type: typeOf(parameter.schema),
      description: explain(parameter),
    })),
    ...bodyFields(operation),
  ],
  answers: Object.entries(operation.responses).map(([status, { description }]) => ({ status, description })),
});

/** The operations of a document by tag, in the order of the document. */
export const showOperations = (document: OpenApiDocument): readonly ShownTag[] => {
  const tags = new Map<string, ShownOperation[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations) as [string, Operation][]) {
      const tag = operation.tags[0] ?? '';
      tags.set(tag, [...(tags.get(tag) ?? []), show(method, path, operation)]);
    }
  }
  return [...tags].map(([name, operations]) => ({ name, operations }));
};
