import { branchRef } from '../../domain/repositories/ref-name.js';
import { Invalid } from '../../domain/shared/domain-error.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { RepositoriesRepositories } from './ports/repository-repositories.js';

type Needs = Pick<RepositoriesRepositories, 'repositories' | 'refs'>;

/**
 * A project that has branches has one of them as its default.
 * @throws Invalid at `base` for a branch that isn't there.
 */
export const keepDefaultBranch: Subscriber<Needs> = async (event, { repositories, refs }) => {
  if (event.kind !== 'default_branch_chosen') return;
  const repository = await repositories.take(event.projectId);
  // Whatever is wanted may still be pushed.
  if (repository === undefined || !(await refs.hasBranches(repository.id))) return;
  const { branch } = event;
  const ref = branchRef(branch ?? '');
  if (branch === null || !(await refs.targetsOf(repository.id, [ref])).has(ref))
    throw new Invalid({ base: [`Could not change HEAD: branch '${branch ?? ''}' does not exist`] });
  await repositories.setDefaultBranch(repository, branch);
};
