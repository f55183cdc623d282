import type { ShowProjectsParts } from '../../adapters/inbound/http/api-v4/projects/show-projects.js';
import type { Get } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

/** What is told of projects, wherever the API shows them. */
export const shownProjects = (get: Get): ShowProjectsParts => {
  const { access, reader, relations, groupLinkReader } = get(WORKSPACE_TOKENS.workspace);
  const { refReader } = get(REPOSITORY_TOKENS.repositories);
  const { planningOverview } = get(PLANNING_TOKENS.planning);
  return {
    access,
    reader,
    relations,
    groupLinkReader,
    users: get(IDENTITY_TOKENS.identityReaders).users,
    withCode: (ids) => refReader.withBranches(ids),
    openIssues: (viewer, ids) => planningOverview.openIssuesOf(viewer, ids),
    readmes: get(REPOSITORY_TOKENS.codeReading).readmes,
    urls: get(TOKENS.webUrls),
  };
};
