import { describeEachDatabase } from '../support/databases.js';
import { followEveryLink } from '../support/every-link.js';

// All pages of each kind are opened by `make prove`.
describeEachDatabase('pages lead nowhere in vain', (openTestDatabase) => followEveryLink(openTestDatabase, 1));
