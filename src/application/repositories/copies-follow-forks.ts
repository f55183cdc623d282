import { branchRef } from '../../domain/repositories/ref-name.js';
import { Invalid } from '../../domain/shared/domain-error.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { CodeCopyRepository } from './ports/code-copies.js';
import type { RepositoriesRepositories } from './ports/repository-repositories.js';

type Needs = Pick<RepositoriesRepositories, 'repositories' | 'refs'> & { readonly codeCopies: CodeCopyRepository };

/**
 * A fork gets the code of its source: that is noted with the fork, and done afterwards.
 * @throws Invalid at `branches` for a branch that the source doesn't have.
 */
export const copiesFollowForks: Subscriber<Needs> = async (event, { codeCopies, repositories, refs }) => {
  if (event.kind !== 'project_forked') return;
  const { projectId, sourceId, branch, at } = event;
  if (branch !== null) {
    const source = await repositories.take(sourceId);
    const ref = branchRef(branch);
    if (source === undefined || !(await refs.targetsOf(source.id, [ref])).has(ref))
      throw new Invalid({ branches: ['must name a branch of the project'] });
  }
  await codeCopies.add({ projectId, sourceId, branch }, at);
};
