import type { ProtectedRefRepository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ProtectedRefs } from '../../../../../application/repositories/protected-refs.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Projects } from '../../../../../application/workspace/projects.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  isProtectionLevel,
  MAINTAINERS,
  type ProtectionLevel,
} from '../../../../../domain/repositories/protected-ref.js';
import { BadRequest, Invalid } from '../../../../../domain/shared/domain-error.js';
import { field, fieldNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { projectPath } from '../project-path.js';
import { addUnprotectPages } from './unprotect-pages.js';

export interface RepositorySettingsParts {
  readonly access: WorkspaceAccess;
  readonly projects: Projects;
  readonly protectedRefs: ProtectedRefs;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>;
}
type Parts = RepositorySettingsParts;

/** Who may manage the rules may manage the project, too. */
interface Place {
  readonly rules: PermittedProject<'manage_protected_refs'>;
  readonly project: PermittedProject<'manage_project'>;
}

/** What a form of the page does; answers what is said of it. */
type Act = (context: PageContext, place: Place) => Promise<string>;

const LEVELS = [
  [30, 'Developers and Maintainers'],
  [MAINTAINERS, 'Maintainers'],
  [60, 'Administrators'],
  [0, 'Nobody'],
] as const satisfies readonly (readonly [ProtectionLevel, string])[];

/** What the forms for one more rule hold. */
const NEW_RULE = {
  act: '',
  name: '',
  merge_level: String(MAINTAINERS),
  push_level: String(MAINTAINERS),
  create_level: String(MAINTAINERS),
  allow_force_push: '',
};

const findPlace =
  ({ access }: Parts) =>
  async ({ browser, request }: PageContext): Promise<Place> => {
    const [actor, path] = [actorFor(browser), projectPath(request)];
    const rules = await access.project(actor, path, 'manage_protected_refs');
    return { rules, project: await access.project(actor, path, 'manage_project') };
  };

/** @throws BadRequest for what the page doesn't offer. */
const levelIn = ({ request }: PageContext, name: string): ProtectionLevel => {
  const text = field(request, name);
  const level = fieldNumber(request, name);
  if (text === '' || !isProtectionLevel(level)) throw new BadRequest(`${name} is not one of the levels`);
  return level;
};

const nameIn = ({ request }: PageContext): string => field(request, 'name').trim();

/** What is wrong with the branch stands beside it. */
const besideField = async (edit: Promise<void>): Promise<void> => {
  try {
    await edit;
  } catch (error) {
    if (error instanceof Invalid && error.problems['base'] !== undefined)
      throw new Invalid({ default_branch: ['is not a branch of this project'] });
    throw error;
  }
};

const branchLevels = (context: PageContext) => ({
  pushLevel: levelIn(context, 'push_level'),
  mergeLevel: levelIn(context, 'merge_level'),
  allowForcePush: field(context.request, 'allow_force_push') === 'true',
});

const actsOf = ({ projects, protectedRefs }: Parts): ReadonlyMap<string, Act> =>
  new Map<string, Act>([
    [
      'choose_default_branch',
      async ({ request }, { project }) => {
        const branch = field(request, 'default_branch').trim();
        if (branch === '') throw new Invalid({ default_branch: ["can't be blank"] });
        await besideField(projects.edit(project, { defaultBranch: branch }));
        return `“${branch}” is the default branch.`;
      },
    ],
    [
      'protect_branch',
      async (context, { rules }) => {
        await protectedRefs.protectBranch(rules, nameIn(context), branchLevels(context));
        return `“${nameIn(context)}” is protected.`;
      },
    ],
    [
      'change_branch',
      async (context, { rules }) => {
        await protectedRefs.editBranch(rules, nameIn(context), branchLevels(context));
        return `Protection of “${nameIn(context)}” saved.`;
      },
    ],
    [
      'protect_tag',
      async (context, { rules }) => {
        await protectedRefs.protectTag(rules, nameIn(context), levelIn(context, 'create_level'));
        return `Tags “${nameIn(context)}” are protected.`;
      },
    ],
  ]);

/** Settings > Repository: the default branch, and who may change which branches and tags. */
export const addRepositorySettingsPage = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: 'repository-settings',
    label: 'Repository',
    to: 'settings/repository',
    permission: 'manage_protected_refs',
    order: 75,
    within: 'settings',
    signedIn: true,
  });
  const acts = actsOf(parts);
  addUnprotectPages(pages, parts);
  addFormPage<Place>(pages, {
    path: '/*path/-/settings/repository',
    find: findPlace(parts),
    show: async (context, { rules }, refusal) => {
      const { project } = rules;
      const [branches, tags] = await Promise.all([
        parts.protections.branchesOf(project.id),
        parts.protections.tagsOf(project.id),
      ]);
      await sendProjectPage(context, rules, 'repository-settings', {
        tab: 'repository-settings',
        title: `Repository settings of ${project.name}`,
        address: `/${project.fullPath}/-/settings/repository`,
        branches,
        tags,
        levels: LEVELS,
        form: typed(context, { default_branch: project.defaultBranch ?? '', ...NEW_RULE }),
        ...refusal,
      });
    },
    act: async (context, place) => {
      const act = acts.get(field(context.request, 'act'));
      if (act === undefined) throw new BadRequest('act is not one of those of this page');
      return {
        notice: await act(context, place),
        to: `/${place.rules.project.fullPath}/-/settings/repository`,
      };
    },
  });
};
