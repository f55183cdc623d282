import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { EnvironmentRepositories } from './ports/environment-ports.js';

/** Whoever prunes more at once had seldom brought each somewhere. */
const MOST_REFS = 100;

/** Asks for what was deployed from branches and tags that are gone to be stopped, once the push is done. */
export const environmentsFollowPushes: Subscriber<
  Pick<EnvironmentRepositories, 'environments'> & { readonly codeWorks: CodeWorkRepository }
> = async (event, { environments, codeWorks }) => {
  if (event.kind !== 'pushed') return;
  const { projectId, by: userId, at } = event;
  const refs = event.refs.filter(({ to }) => to === null).map(({ kind, name: ref }) => ({ ref, tag: kind === 'tag' }));
  if (refs.length === 0 || (await environments.countOf(projectId, 1)) === 0) return;
  const payload = { refs: refs.slice(0, MOST_REFS) };
  await codeWorks.add({ kind: 'stop_environments', projectId, userId, payload }, at);
};
