import type { LookupFunction } from 'node:net';
import type { FoundAddress } from './find-address.js';

/** Answers the address that was checked, whatever the name leads to by now. */
export const pinnedTo =
  (found: FoundAddress): LookupFunction =>
  (_name, options, callback) => {
    if (options.all === true) callback(null, [found]);
    else callback(null, found.address, found.family);
  };
