import type { Subscriber } from '../shared/domain-events.js';
import type { ForkRepository } from './ports/project-relations.js';

/** A fork tells how its code arrives. */
export const importsFollowCopies: Subscriber<{ readonly forks: ForkRepository }> = async (event, { forks }) => {
  if (event.kind !== 'code_copied') return;
  await forks.setImport(event.projectId, event.error === null ? 'finished' : 'failed', event.error);
};
