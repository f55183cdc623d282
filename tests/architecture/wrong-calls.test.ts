import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const HTTP = join(REPOSITORY, 'src/adapters/inbound/http');
const PLANTED = join(HTTP, 'api-v4/planted');

const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, REPOSITORY);

/** What the compiler says of files that exist in memory alone, by file. */
const errorsIn = (files: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> => {
  const planted = new Map(Object.entries(files).map(([name, text]) => [`${PLANTED}-${name}.ts`, text]));
  const host = ts.createCompilerHost(options);
  const compiler = { ...host };
  host.readFile = (path) => planted.get(path) ?? compiler.readFile(path);
  host.fileExists = (path) => planted.has(path) || compiler.fileExists(path);
  const program = ts.createProgram([...planted.keys()], options, host);
  return new Map(
    [...planted.keys()].map((path, index) => {
      const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(path));
      const messages = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
      return [Object.keys(files)[index]!, messages];
    }),
  );
};

const declaring = (parameter: string): string => `
import { Type } from '@sinclair/typebox';
import { route } from '../route.js';
import { anyJson, listOf, oneOf, nullable, parameters, text } from '../validation/parameters.js';
export const used = [Type, anyJson, listOf, oneOf, nullable, text];
export const planted = route({
  method: 'post', path: '/planted', operationId: 'planted', summary: 'Planted', tag: 'Planted', access: 'user',
  parameters: parameters({ given: ${parameter} }),
  responses: { 204: null },
  handle: () => Promise.resolve({ status: 204 }),
});
`;

const UNBOUNDED = {
  text: 'Type.String()',
  number: 'Type.Integer()',
  list: 'Type.Array(text(255))',
  'list-of-unbounded': 'listOf(Type.String())',
  object: 'Type.Object({})',
  record: 'Type.Record(Type.String(), Type.String())',
  'nullable-text': 'nullable(Type.String())',
  'optional-text': 'Type.Optional(Type.String())',
  anything: 'Type.Unknown()',
};

const BOUNDED = {
  'bounded-text': 'text(255)',
  'bounded-list': 'Type.Optional(listOf(nullable(oneOf(["a"]))))',
  flag: 'Type.Optional(Type.Boolean())',
};

describe('what the compiler refuses', () => {
  const errors = errorsIn(
    Object.fromEntries(
      Object.entries({ ...UNBOUNDED, ...BOUNDED }).map(([name, parameter]) => [name, declaring(parameter)]),
    ),
  );

  it.each(Object.keys(UNBOUNDED))('refuses a route with an unbounded parameter: %s', (name) => {
    expect(errors.get(name)).toEqual([expect.stringContaining('BoundedSchema')]);
  });

  it.each(Object.keys(BOUNDED))('accepts a route with a bounded parameter: %s', (name) => {
    expect(errors.get(name)).toEqual([]);
  });
});
