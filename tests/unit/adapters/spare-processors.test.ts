import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { watchSpareProcessors } from '../../../src/adapters/outbound/system/spare-processors.js';

it('knows of no spare processors at first, and of no more than there are later', async () => {
  const spare = watchSpareProcessors();
  expect(spare()).toBe(0);
  await sleep(300);
  const found = spare();
  expect(found).toBeGreaterThanOrEqual(0);
  expect(found).toBeLessThanOrEqual(cpus().length);
  expect(spare()).toBe(found);
});
