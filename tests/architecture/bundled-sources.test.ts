import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Container } from 'inversify';
import { encodeTree } from '../../src/domain/repositories/object-format.js';
import { describeAnyDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';

const errorOf = async (work: () => unknown): Promise<Error> => {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('There is no error.');
};

/** Where a stack says that an error was made; in workers, Jest names the line of the one file, and leaves its map alone. */
const placeIn = (stack = ''): string => {
  const [, file, line, column] = /\((\/\S+?):(\d+):(\d+)\)/.exec(stack) ?? [];
  if (file === undefined || file.endsWith('.ts')) return `${file}:${line}`;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  return 'originalLine' in entry ? `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}` : '';
};

describe('the sources, which tests are given as one file', () => {
  it('lead back to the line of the source where an error was made', async () => {
    const source = 'src/domain/repositories/object-format.ts';
    const lines = readFileSync(source, 'utf8').split('\n');
    const line = lines.findIndex((each) => each.includes('throw new Error(`Not a valid object')) + 1;
    const { stack } = await errorOf(() => encodeTree([{ mode: '1', name: new Uint8Array(), id: 'x' } as never]));
    expect(placeIn(stack)).toBe(`${resolve(source)}:${line}`);
  });

  it('are never loaded beside that file: a source that is not in it is refused', async () => {
    const program = '../../src/infrastructure/main.js';
    const { message } = await errorOf(() => import(program));
    expect(message).toContain('src/infrastructure/main');
  });

  describeAnyDatabase('a service', (openTestDatabase) => {
    it('is made of the classes that tests import from packages', async () => {
      const service = await TestService.start(await openTestDatabase());
      const { container } = service.service;
      await service.close();
      expect(container).toBeInstanceOf(Container);
    });
  });
});
