import { isFeatureOn } from '../../domain/workspace/project-features.js';
import { GitGate } from '../../adapters/inbound/git/git-gate.js';
import type { TakePushParts } from '../../adapters/inbound/git/take-push.js';
import type { Config } from '../configuration/config.js';
import type { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import type { ReviewUseCases } from './review.tokens.js';
import type { WorkspaceUseCases } from './workspace.tokens.js';

/** What pushes need, whatever carries them. */
export const composeGitPushes = (
  workspace: WorkspaceUseCases,
  { pushedBranches, applyPushOptions }: Pick<ReviewUseCases, 'pushedBranches' | 'applyPushOptions'>,
  urls: WebUrls,
  { gitPushStallSeconds: stallSeconds }: Pick<Config, 'gitPushStallSeconds'>,
): Pick<TakePushParts, 'gate' | 'pageUrl' | 'mergeRequestUrl' | 'applyOptions' | 'stallSeconds'> => ({
  stallSeconds,
  gate: new GitGate({ ...workspace, invitedTo: (actor, project) => pushedBranches.invitedTo(actor, project) }),
  pageUrl: (path) => urls.project(path),
  applyOptions: (viewer, push) => applyPushOptions.execute(viewer, push),
  mergeRequestUrl: async (viewer, project, branch) => {
    const open = await pushedBranches.openOf(viewer, project.id, branch);
    if (open !== undefined) return { url: urls.mergeRequest(open.projectPath, open.iid), there: true };
    return isFeatureOn(project, 'merge_requests')
      ? { url: urls.newMergeRequest(project.fullPath, branch), there: false }
      : undefined;
  },
});
