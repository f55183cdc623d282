import {
  checkEnvironment,
  guessTier,
  longerSlugOf,
  MOST_ENVIRONMENTS,
  requireRoomForEnvironment,
  slugOf,
  type Environment,
  type EnvironmentFields,
} from '../../../domain/environments/environment.js';
import { Invalid } from '../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { EnvironmentRepositories } from '../ports/environment-ports.js';

type Needs = Pick<EnvironmentRepositories, 'environments'>;

/** An environment that isn't there yet. */
export type WantedEnvironment = Pick<EnvironmentFields, 'name'> & Partial<EnvironmentFields>;

/** @throws Invalid naming every problem, or at `base` for one too many. */
export const addEnvironment = async (
  { environments }: Needs,
  projectId: ProjectId,
  { name, externalUrl = null, tier = guessTier(name) }: WantedEnvironment,
  createdAt: Date,
): Promise<Environment> => {
  checkEnvironment({ name, externalUrl });
  await environments.hold(projectId);
  const count = await environments.countOf(projectId, MOST_ENVIRONMENTS);
  // What was stopped longest makes room: branches come and go.
  if (count >= MOST_ENVIRONMENTS && !(await environments.removeStopped(projectId))) requireRoomForEnvironment(count);
  if ((await environments.named(projectId, name)) !== undefined)
    throw new Invalid({ name: ['has already been taken'] });
  const slug = await freeSlug(environments, projectId, name);
  return environments.add({ projectId, name, slug, externalUrl, tier, createdAt });
};

/** The one of this name, which is made where it isn't there. @throws Invalid likewise. */
export const environmentNamed = async (
  repositories: Needs,
  projectId: ProjectId,
  wanted: WantedEnvironment,
  at: Date,
): Promise<Environment> => {
  await repositories.environments.hold(projectId);
  const known = await repositories.environments.named(projectId, wanted.name);
  return known ?? addEnvironment(repositories, projectId, wanted, at);
};

/** @throws Invalid. */
const freeSlug = async (environments: Needs['environments'], projectId: ProjectId, name: string): Promise<string> => {
  for (const slug of [slugOf(name), longerSlugOf(name)])
    if (!(await environments.hasSlug(projectId, slug))) return slug;
  throw new Invalid({ slug: ['has already been taken'] });
};
