import { GAP } from '../../../../../domain/planning/relative-position.js';

/**
 * Where an issue stands, in the words of the index of that order: by its number as long as nobody has moved it. Shifted, not
 * multiplied: PostgreSQL refuses what is beyond 64 bits, as of a number that nobody has.
 */
export const ISSUE_PLACE = `coalesce(issues.relative_position, (issues.iid << ${Math.log2(GAP)}))`;
