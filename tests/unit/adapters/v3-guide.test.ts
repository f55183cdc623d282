import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { API_CHANGES } from '../../../src/adapters/inbound/http/api-v3/changes/api-changes.js';
import { renderV3Guide } from '../../support/v3-guide.js';

const GUIDE = fileURLToPath(new URL('../../../docs/v3-to-v4.md', import.meta.url));

describe('the guide from V3 to V4', () => {
  it('is committed as the list of changes has it', () => {
    const guide = renderV3Guide();
    if (process.env['UPDATE_V3_GUIDE'] === 'true') writeFileSync(GUIDE, guide);
    // Stale? `make v3-guide` writes it anew.
    expect(readFileSync(GUIDE, 'utf8')).toBe(guide);
  });

  it('has a row for every change, each of three cells', () => {
    const rows = renderV3Guide()
      .split('\n')
      .filter((line) => /^\|(?:.*[^\\]\|){3}$/.test(line) && !line.includes('---') && !line.startsWith('| Before'));
    expect(rows).toHaveLength(API_CHANGES.length);
  });
});
