import { GAP } from '../../../../../domain/planning/relative-position.js';

/**
 * Where an issue stands, in the words of the index of that order: by its number as long as nobody has moved it. Numbers that nobody has are
 * taken by their remainder, or the place would be beyond 64 bits.
 */
export const ISSUE_PLACE = `coalesce(issues.relative_position, ((issues.iid % 2147483647) * ${GAP}))`;
