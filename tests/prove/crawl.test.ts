import { describeEachDatabase } from '../support/databases.js';
import { followEveryLink } from '../support/every-link.js';

describeEachDatabase('pages lead nowhere in vain', (openTestDatabase) => followEveryLink(openTestDatabase, Infinity));
