import { ContainerModule } from 'inversify';
import { CiVariables } from '../../application/ci-variables/ci-variables.js';
import { createCiVariableRoutes } from '../../adapters/inbound/http/api-v4/ci-variables/ci-variable-routes.js';
import { addCiVariablePages } from '../../adapters/inbound/http/pages/ci/ci-variable-pages.js';
import { KnexCiVariableReader } from '../../adapters/outbound/persistence/knex/ci-variables/knex-ci-variable-reader.js';
import { ciVariablesStorage } from './ci-variables.storage.js';
import { CI_VARIABLE_TOKENS } from './ci-variables.tokens.js';
import type { Context } from './context.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const ciVariablesModule = new ContainerModule(({ bind }) => {
  bind(CI_VARIABLE_TOKENS.ciVariables).toResolvedValue(
    ({ reader }, unitOfWork, { secretBox }, clock) =>
      new CiVariables(unitOfWork, new KnexCiVariableReader(reader), secretBox, clock),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.secrecy, TOKENS.clock],
  );
});

/** What CI jobs are given as variables. */
export const ciVariablesContext: Context<typeof ciVariablesStorage> = {
  storage: ciVariablesStorage,
  modules: [ciVariablesModule],
  routes: (get) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    return createCiVariableRoutes({ access, ciVariables: get(CI_VARIABLE_TOKENS.ciVariables) });
  },
  pages: (get) => (pages) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    addCiVariablePages(pages, {
      access,
      ciVariables: get(CI_VARIABLE_TOKENS.ciVariables),
      urls: get(TOKENS.webUrls),
    });
  },
};
