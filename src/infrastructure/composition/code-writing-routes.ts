import { addChangelog } from '../../adapters/inbound/http/api-v4/repository/changelog.js';
import { createBranchWritingRoutes } from '../../adapters/inbound/http/api-v4/repository/branch-writing-routes.js';
import { createCommitWritingRoutes } from '../../adapters/inbound/http/api-v4/repository/commit-writing-routes.js';
import { createFileWritingRoutes } from '../../adapters/inbound/http/api-v4/repository/file-writing-routes.js';
import { createProtectedBranchRoutes } from '../../adapters/inbound/http/api-v4/repository/protected-branch-routes.js';
import { createProtectedTagRoutes } from '../../adapters/inbound/http/api-v4/repository/protected-tag-routes.js';
import { createSubmoduleRoutes } from '../../adapters/inbound/http/api-v4/repository/submodule-routes.js';
import { createTagWritingRoutes } from '../../adapters/inbound/http/api-v4/repository/tag-writing-routes.js';
import { WriteChangelog } from '../../application/repositories/write-changelog.js';
import { createReleaseRoutes } from '../../adapters/inbound/http/api-v4/releases/release-routes.js';
import type { Route } from '../../adapters/inbound/http/route.js';
import type { Get } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { markdownBy } from './markdown-by.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

/** The routes that change code. */
export const writingRoutes = (get: Get): readonly Route[] => {
  const { access, forkNetwork } = get(WORKSPACE_TOKENS.workspace);
  const { users } = get(IDENTITY_TOKENS.identityReaders);
  const { history, objects } = get(REPOSITORY_TOKENS.gitStores);
  const { changelogs } = get(REPOSITORY_TOKENS.codeReading);
  const { milestoneReader, planningOverview } = get(PLANNING_TOKENS.planning);
  const parts = {
    ...get(REPOSITORY_TOKENS.repositories),
    access,
    forkNetwork,
    jobTokens: get(PIPELINE_TOKENS.pipelines).jobTokens,
    users,
    history,
    objects,
    clock: get(TOKENS.clock),
    urls: get(TOKENS.webUrls),
  };
  return [
    ...createFileWritingRoutes(parts),
    ...createCommitWritingRoutes(parts),
    ...createSubmoduleRoutes(parts),
    ...createBranchWritingRoutes(parts),
    ...createTagWritingRoutes(parts),
    ...createProtectedBranchRoutes(parts),
    ...createProtectedTagRoutes(parts),
    addChangelog({ ...parts, writeChangelog: new WriteChangelog({ ...parts, changelogs }) }),
    ...createReleaseRoutes({
      ...parts,
      milestoneReader,
      planningOverview,
      markdown: markdownBy(get, get(REPOSITORY_TOKENS.apiMarkup)),
    }),
  ];
};
