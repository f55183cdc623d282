import { describe, expect, it } from '@jest/globals';
import { addressKey } from '../../../src/adapters/inbound/http/middleware/limit-per-address.js';

describe('what a client counts as', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['2001:0DB8:0000:0001:ffff::', '2001:db8:0:1'],
    ['1:2:3:4:5:6:7:8:9::1', '1:2:3:4:5:6:7:8:9::1'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('%s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
