import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTEXTS } from '../../../src/infrastructure/composition/contexts.js';
import { STORAGES } from '../../../src/infrastructure/composition/storages.js';
import type { Token } from '../../../src/infrastructure/composition/token.js';
import { Service } from '../../../src/infrastructure/service.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { testConfig } from '../../support/test-config.js';

const COMPOSITION = fileURLToPath(new URL('../../../src/infrastructure/composition', import.meta.url));

const everyToken = async (): Promise<readonly Token<unknown>[]> => {
  const files = (await readdir(COMPOSITION)).filter((name) => /^(.*\.)?tokens\.ts$/.test(name));
  const modules = await Promise.all(
    files.map((name) => import(`${COMPOSITION}/${name}`) as Promise<Record<string, object>>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .flatMap((tokens) => Object.values(tokens) as Token<unknown>[]);
};

describe('the composition', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.open(testConfig('sqlite::memory:'), {
      logger: new RecordingLogger(),
    });
  });
  afterAll(() => service.database.close());

  it('resolves every token', async () => {
    const tokens = await everyToken();
    expect(tokens.length).toBeGreaterThan(40);
    for (const token of tokens) expect(service.container.get(token)).toBeDefined();
  });

  it('starts threads with the same storages as the service', () => {
    expect(CONTEXTS.map(({ storage }) => storage)).toEqual(STORAGES);
  });
});
