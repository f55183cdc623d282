import type { Context } from './context.js';
import { repositoriesStorage } from './repositories.storage.js';

/** The code of projects: what git keeps, and who may change it. */
export const repositoriesContext: Context<typeof repositoriesStorage> = {
  storage: repositoriesStorage,
  modules: [],
};
