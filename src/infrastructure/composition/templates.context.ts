import { ContainerModule } from 'inversify';
import { RecognizeLicense } from '../../application/templates/recognize-license.js';
import { Templates } from '../../application/templates/templates.js';
import { createProjectTemplateRoutes } from '../../adapters/inbound/http/api-v4/templates/project-template-routes.js';
import { createTemplateRoutes } from '../../adapters/inbound/http/api-v4/templates/template-routes.js';
import { FileTemplates } from '../../adapters/outbound/templates/file-templates.js';
import { PackageLicenses } from '../../adapters/outbound/templates/package-licenses.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { templatesStorage } from './templates.storage.js';
import { TEMPLATE_TOKENS } from './templates.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const templatesModule = new ContainerModule(({ bind }) => {
  bind(TEMPLATE_TOKENS.templates).toResolvedValue(
    (clock) => new Templates(new FileTemplates(), new PackageLicenses(), clock),
    [TOKENS.clock],
  );
  bind(TEMPLATE_TOKENS.recognizeLicense).toResolvedValue(() => new RecognizeLicense(new PackageLicenses()));
});

/** Files to begin with. */
export const templatesContext: Context<typeof templatesStorage> = {
  storage: templatesStorage,
  modules: [templatesModule],
  routes: (get) => {
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    const { access } = get(WORKSPACE_TOKENS.workspace);
    const { descriptionTemplates } = get(REPOSITORY_TOKENS.codeReading);
    const parts = { templates: get(TEMPLATE_TOKENS.templates), descriptionTemplates, users, access };
    return [...createTemplateRoutes(parts), ...createProjectTemplateRoutes(parts)];
  },
};
