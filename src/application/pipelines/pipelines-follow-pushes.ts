import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { Subscriber } from '../shared/domain-events.js';

/** Whoever mirrors a repository moves all of its refs at once, and wants no job for each. */
const MOST_REFS = 4;
/** Of `git push -o`: no jobs for what is pushed. */
const SKIP = 'ci.skip';

/** Asks for the CI files of what was pushed to be read, once the push is done. */
export const pipelinesFollowPushes: Subscriber<{ readonly codeWorks: CodeWorkRepository }> = async (
  event,
  { codeWorks },
) => {
  if (event.kind !== 'pushed' || event.quiet === true) return;
  const { projectId, by: userId, at, options = [] } = event;
  const skip = options.includes(SKIP);
  for (const { kind, name: ref, from, to, hasCiFile = true } of event.refs.slice(0, MOST_REFS)) {
    if (to === null || !hasCiFile) continue;
    const payload = { ref, tag: kind === 'tag', from, to, skip };
    await codeWorks.add({ kind: 'create_pipeline', projectId, userId, payload }, at);
  }
};
