import { Type } from '@sinclair/typebox';
import type { BranchDetails } from '../../../../../application/repositories/browse/branches.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import type { WebUrls } from '../../web-urls.js';
import { CommitSchema, presentCommit } from './present-commit.js';

export const BranchSchema = component(
  'schemas/Branch',
  Type.Object({
    name: Type.String(),
    commit: CommitSchema,
    merged: Type.Boolean({ description: 'Everything in it has reached the default branch, which has more by now' }),
    protected: Type.Boolean(),
    developers_can_push: Type.Boolean({ description: 'Whether its protection lets developers push' }),
    developers_can_merge: Type.Boolean({ description: 'Whether its protection lets developers merge' }),
    can_push: Type.Boolean({ description: 'Whether you may push to it' }),
    default: Type.Boolean(),
    web_url: Type.String(),
  }),
);

export const presentBranch = (branch: BranchDetails, project: Pick<Project, 'id' | 'fullPath'>, urls: WebUrls) => ({
  name: branch.name,
  commit: presentCommit(branch.commit, project, urls),
  merged: branch.merged,
  protected: branch.protected,
  developers_can_push: branch.developersCanPush,
  developers_can_merge: branch.developersCanMerge,
  can_push: branch.canPush,
  default: branch.default,
  web_url: urls.tree(project.fullPath, branch.name),
});
