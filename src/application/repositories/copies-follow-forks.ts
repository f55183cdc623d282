import type { Subscriber } from '../shared/domain-events.js';
import type { CodeCopyRepository } from './ports/code-copies.js';

/** A fork gets the code of its source: that is noted with the fork, and done afterwards. */
export const copiesFollowForks: Subscriber<{ readonly codeCopies: CodeCopyRepository }> = async (
  event,
  { codeCopies },
) => {
  if (event.kind === 'project_forked') await codeCopies.add(event.projectId, event.sourceId, event.at);
};
