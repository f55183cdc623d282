import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { Subscriber } from '../shared/domain-events.js';

/** Asks for what was deployed from a branch or tag that is gone to be stopped, once the push is done. */
export const environmentsFollowPushes: Subscriber<{ readonly codeWorks: CodeWorkRepository }> = async (
  event,
  { codeWorks },
) => {
  if (event.kind !== 'pushed') return;
  const { projectId, by: userId, at } = event;
  for (const { name: ref, to } of event.refs)
    if (to === null) await codeWorks.add({ kind: 'stop_environments', projectId, userId, payload: { ref } }, at);
};
