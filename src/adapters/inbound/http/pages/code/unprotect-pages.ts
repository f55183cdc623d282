import type { ProtectedRefRepository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ProtectedRefs } from '../../../../../application/repositories/protected-refs.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { queryText } from './query.js';

export interface UnprotectPagesParts {
  readonly access: WorkspaceAccess;
  readonly protectedRefs: ProtectedRefs;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>;
}

interface Rule {
  readonly rules: PermittedProject<'manage_protected_refs'>;
  readonly name: string;
}

interface Kind {
  readonly path: string;
  readonly names: (projectId: ProjectId) => Promise<readonly { readonly name: string }[]>;
  readonly ask: (name: string) => string;
  readonly consequences: readonly string[];
  readonly act: (rule: Rule) => Promise<unknown>;
  readonly done: (name: string) => string;
}

const branchesBy = ({ protections, protectedRefs }: UnprotectPagesParts): Kind => ({
  path: 'unprotect_branch',
  names: (projectId) => protections.branchesOf(projectId),
  ask: (name) => `Unprotect “${name}”?`,
  consequences: [
    'Developers push there and merge into it, by force too, and delete it, unless another rule is for it.',
    'Its jobs are no longer given variables and runners that are kept for protected branches.',
  ],
  act: ({ rules, name }) => protectedRefs.unprotectBranch(rules, name),
  done: (name) => `“${name}” is no longer protected.`,
});

const tagsBy = ({ protections, protectedRefs }: UnprotectPagesParts): Kind => ({
  path: 'unprotect_tag',
  names: (projectId) => protections.tagsOf(projectId),
  ask: (name) => `Unprotect tags “${name}”?`,
  consequences: [
    'Developers make, move and delete them, unless another rule is for them.',
    'Their jobs are no longer given variables and runners that are kept for protected tags.',
  ],
  act: ({ rules, name }) => protectedRefs.unprotectTag(rules, name),
  done: (name) => `Tags “${name}” are no longer protected.`,
});

/** What asks before branches or tags lose their protection. */
export const addUnprotectPages = (pages: Pages, parts: UnprotectPagesParts): void => {
  for (const kind of [branchesBy(parts), tagsBy(parts)])
    addRemovalPage<Rule>(pages, {
      path: `/*path/-/settings/repository/${kind.path}`,
      find: async (context) => {
        const { request } = context;
        const rules = await projectOfPage(parts.access, context, 'manage_protected_refs');
        const asked = request.method === 'POST' ? field(request, 'name') : queryText(context, 'name');
        const { name } = orNotFound((await kind.names(rules.project.id)).find((rule) => rule.name === asked));
        return { rules, name };
      },
      ask: async ({ browser, places }, { rules, name }) => ({
        title: kind.ask(name),
        consequences: kind.consequences,
        button: 'Unprotect',
        cancel: `/${rules.project.fullPath}/-/settings/repository`,
        fields: { name },
        frame: await places.ofProject(browser, rules, 'repository-settings'),
      }),
      act: async (_context, rule) => {
        await kind.act(rule);
        return { notice: kind.done(rule.name), to: `/${rule.rules.project.fullPath}/-/settings/repository` };
      },
    });
};
