import type { Route } from '../../route.js';
import { createArchiveRoutes } from './archives.js';
import { createBlobRoutes } from './blobs.js';
import { createBranchRoutes } from './branches.js';
import { getChangelog } from './changelog.js';
import { createCommitRoutes } from './commits.js';
import { createComparisonRoutes } from './comparison.js';
import { createFileRoutes } from './files.js';
import { getLanguages } from './languages.js';
import { createTagRoutes } from './tags.js';
import { listTree } from './tree.js';

type Parts = Parameters<typeof createComparisonRoutes>[0] &
  Parameters<typeof createCommitRoutes>[0] &
  Parameters<typeof getChangelog>[0] &
  Parameters<typeof getLanguages>[0];

/** Everything that reads the code of projects. */
export const createCodeReadingRoutes = (parts: Parts): readonly Route[] => [
  listTree(parts),
  ...createBlobRoutes(parts),
  ...createArchiveRoutes(parts),
  ...createComparisonRoutes(parts),
  getChangelog(parts),
  getLanguages(parts),
  ...createFileRoutes(parts),
  ...createCommitRoutes(parts),
  ...createBranchRoutes(parts),
  ...createTagRoutes(parts),
];
