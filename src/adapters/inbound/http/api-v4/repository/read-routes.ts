import type { Route } from '../../route.js';
import { createBlobRoutes } from './blobs.js';
import { createBranchRoutes } from './branches.js';
import type { CodeRoutesParts } from './code-routes-parts.js';
import { createCommitRoutes } from './commits.js';
import { createFileRoutes } from './files.js';
import { createTagRoutes } from './tags.js';
import { listTree } from './tree.js';

/** Everything that reads the code of projects. */
export const createCodeReadingRoutes = (parts: CodeRoutesParts): readonly Route[] => [
  listTree(parts),
  ...createBlobRoutes(parts),
  ...createFileRoutes(parts),
  ...createCommitRoutes(parts),
  ...createBranchRoutes(parts),
  ...createTagRoutes(parts),
];
