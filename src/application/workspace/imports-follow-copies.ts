import type { Subscriber } from '../shared/domain-events.js';
import type { ForkRepository } from './ports/project-relations.js';

/** A fork tells how its code arrives, and so does a project that gets it from elsewhere. */
export const importsFollowCopies: Subscriber<{ readonly forks: ForkRepository }> = async (event, { forks }) => {
  if (event.kind === 'code_import_asked') await forks.addImport(event.projectId, event.at);
  if (event.kind === 'code_import_begun') await forks.setImport(event.projectId, 'started', null);
  if (event.kind === 'code_copied')
    await forks.setImport(event.projectId, event.error === null ? 'finished' : 'failed', event.error);
};
