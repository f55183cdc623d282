import type { ApiChange } from './api-change.js';
import { CHANGES_OF_8_17 } from './changes-of-8-17.js';
import { CHANGES_OF_9_0 } from './changes-of-9-0.js';
import { MOVES_OF_9_0 } from './moves-of-9-0.js';

/** Every change from version 3 to version 4, in the order of `docs/v3-to-v4.md`. */
export const API_CHANGES: readonly ApiChange[] = [...CHANGES_OF_8_17, ...MOVES_OF_9_0, ...CHANGES_OF_9_0];
