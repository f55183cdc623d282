import type { Deployment } from '../../domain/environments/deployment.js';
import type { HistoryReader, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { EnvironmentReader } from './ports/environment-ports.js';

interface Parts {
  readonly reader: Pick<EnvironmentReader, 'deploymentBefore'>;
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly history: Pick<HistoryReader, 'walk'>;
}

/** Of one deployment so many are looked at, the newest. */
const MOST_COMMITS = 500;

/** Finds out which commits a deployment was the first to bring to its environment. */
export class DeployedCommits {
  constructor(private readonly parts: Parts) {}

  /** None where it hasn't succeeded. */
  async of(deployment: Deployment): Promise<readonly string[]> {
    const { reader, refs, objects, history } = this.parts;
    const { projectId, sha, status } = deployment;
    const repository = status === 'success' ? await refs.findRepository(projectId) : undefined;
    if (repository === undefined) return [];
    const { store } = repository;
    const before = await reader.deploymentBefore(deployment);
    // Commits that no branch has any more may be gone.
    const known = before !== undefined && (await objects.commit(store, before.sha)) !== undefined;
    if ((await objects.commit(store, sha)) === undefined) return [];
    return history.walk(store, { tips: [sha], ...(known && { not: [before.sha] }), limit: MOST_COMMITS });
  }
}
