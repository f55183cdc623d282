import { readFileSync } from 'node:fs';
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

describe('the sources, which tests are given as one file', () => {
  it('name the line of the source where an error was made', async () => {
    const source = 'src/domain/repositories/object-format.ts';
    const lines = readFileSync(source, 'utf8').split('\n');
    const line = lines.findIndex((each) => each.includes('throw new Error(`Not a valid object')) + 1;
    const { stack } = await errorOf(() => encodeTree([{ mode: '1', name: new Uint8Array(), id: 'x' } as never]));
    expect(stack).toContain(`${source}:${line}:`);
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
