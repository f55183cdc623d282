import { TOKENS } from '../../../src/infrastructure/composition/tokens.js';
import { TestService } from '../test-service.js';
import { apiTargets } from './api-targets.js';
import {
  askAs,
  Browsers,
  intakeTargets,
  oldApiTargets,
  pageTargets,
  routesOf,
  type Registered,
} from './page-targets.js';
import type { Target } from './target.js';
import type { World } from './world.js';

/** What is registered beside the API, as the application itself keeps it. */
export interface RegisteredRoutes {
  readonly pages: readonly Registered[];
  readonly operations: readonly Registered[];
}

/** @param databaseUrl of a database that nothing is in yet. */
export const findRegistered = async (databaseUrl: string): Promise<RegisteredRoutes> => {
  const service = await TestService.start(databaseUrl);
  try {
    const { container } = service.service;
    return {
      pages: routesOf(container.get(TOKENS.pagesRouter)),
      operations: routesOf(container.get(TOKENS.operationsRouter)),
    };
  } finally {
    await service.close();
  }
};

/** Every route there is: documented, registered as a page, or asked before every router. */
export const everyTarget = async (
  url: string,
  world: World,
  { pages, operations }: RegisteredRoutes,
): Promise<Target[]> => {
  const browsers = new Browsers(url, world);
  const documented = await apiTargets(url, world, askAs(url, world.administrator.token));
  const known = new Set(documented.map(({ name }) => name));
  const others = operations.filter(({ method, path }) => !known.has(`${method} ${path}`));
  return [
    ...documented,
    ...(await pageTargets(pages, 'page', world, browsers)),
    ...(await pageTargets(others, 'operations', world, browsers)),
    ...intakeTargets(world),
    ...oldApiTargets(),
  ];
};
