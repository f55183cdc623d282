import { Unavailable } from '../shared/domain-error.js';
import type { ObjectId } from './object-id.js';

/**
 * What was found by an id that a commit or a tree names.
 * @throws Unavailable where the store has lost it: it is not as if nobody had pushed it.
 */
export const held = <Found>(found: Found | undefined, id: ObjectId): Found => {
  if (found === undefined) throw new Unavailable('repositories', { cause: new Error(`The object ${id} is missing.`) });
  return found;
};
