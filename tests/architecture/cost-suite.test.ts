import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { withoutVictim } from '../support/cost/api-targets.js';

it('the cost suite makes what each route removes', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  expect(withoutVictim(paths)).toEqual([]);
});
