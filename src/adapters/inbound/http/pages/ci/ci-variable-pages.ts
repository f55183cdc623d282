import type { CiVariables, OwnedVariable } from '../../../../../application/ci-variables/ci-variables.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  CI_VARIABLE_TYPES,
  MAX_VARIABLE_VALUE,
  ORDINARY_TRAITS,
  type CiVariableTraits,
} from '../../../../../domain/ci-variables/ci-variable.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { WebUrls } from '../../web-urls.js';
import { badgeSnippets } from '../badges/badge-snippets.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { projectOfPage } from '../project-of-page.js';

export interface CiVariablePagesParts {
  readonly access: WorkspaceAccess;
  readonly ciVariables: CiVariables;
  readonly urls: WebUrls;
}
type Parts = CiVariablePagesParts;

type Manager = PermittedProject<'manage_ci_variables'>;

interface ManagedVariable {
  readonly manager: Manager;
  readonly variable: OwnedVariable;
}

const TAB = 'ci-cd';
const LIST = '/*path/-/settings/ci_cd';
const ONE = `${LIST}/:id`;

const TYPES = [
  ['env_var', 'Variable'],
  ['file', 'File: jobs are given its path'],
] as const;
const FIELD_LABELS = { environment_scope: 'environments', base: '' };

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/ci_cd`;

/** Settings > CI/CD: what the jobs of a project are given as variables. */
export const addCiVariablePages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: TAB,
    label: 'CI/CD',
    to: 'settings/ci_cd',
    permission: 'manage_ci_variables',
    order: 79,
    within: 'settings',
    signedIn: true,
  });
  addList(pages, parts);
  addChange(pages, parts);
  addRemoval(pages, parts);
};

const findProject = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_ci_variables');

const findVariable = async (parts: Parts, context: PageContext): Promise<ManagedVariable> => {
  const manager = await findProject(parts, context);
  const variable = await parts.ciVariables.find(manager, pathNumber(context.request));
  return { manager, variable: orNotFound(variable, 'Variable') };
};

/** Forms send every end of a line as CR LF; jobs are given what was typed. */
const valueIn = ({ request }: PageContext): string => field(request, 'value').replaceAll('\r\n', '\n');

const traitsIn = ({ request }: PageContext): CiVariableTraits => {
  const on = (name: string): boolean => field(request, name) === 'true';
  const description = field(request, 'description').trim();
  return {
    type: CI_VARIABLE_TYPES.find((type) => type === field(request, 'variable_type')) ?? ORDINARY_TRAITS.type,
    protected: on('protected'),
    masked: on('masked'),
    raw: on('raw'),
    environmentScope: field(request, 'environment_scope').trim(),
    description: description === '' ? null : description,
  };
};

const written = (on: boolean): string => (on ? 'true' : '');

/** What the fields of a form hold. */
const formOf = (context: PageContext, key: string, traits: CiVariableTraits) =>
  typed(context, {
    key,
    value: '',
    variable_type: traits.type,
    environment_scope: traits.environmentScope,
    description: traits.description ?? '',
    protected: written(traits.protected),
    masked: written(traits.masked),
    raw: written(traits.raw),
    replace: '',
  });

const addList = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: LIST,
    find: (context) => findProject(parts, context),
    show: async (context, manager, refusal) => {
      const request = pageRequest(context);
      const page = await parts.ciVariables.list(manager, request);
      await sendProjectPage(context, manager, 'ci/variables', {
        tab: TAB,
        title: `CI/CD of ${manager.project.name}`,
        address: addressOf(manager),
        mayChooseFile: isOffered(manager.project, manager.level, 'manage_project'),
        mayLetIn: isOffered(manager.project, manager.level, 'manage_triggers'),
        mayFreeze: isOffered(manager.project, manager.level, 'manage_schedules'),
        snippets: badgeSnippets(manager, parts.urls),
        // Of their values no more than that they are there.
        variables: page.items.map(({ value: _, ...shown }) => shown),
        page,
        request,
        types: TYPES,
        mostValue: MAX_VARIABLE_VALUE,
        fieldLabels: FIELD_LABELS,
        // One too many is of no field.
        fieldIds: { base: 'key' },
        form: formOf(context, '', { ...ORDINARY_TRAITS, protected: true }),
        ...refusal,
      });
    },
    act: async (context, manager) => {
      const key = field(context.request, 'key').trim();
      await parts.ciVariables.add(manager, { key, value: valueIn(context) }, traitsIn(context));
      return { notice: `Variable ${key} added.`, to: addressOf(manager) };
    },
  });

const addChange = (pages: Pages, parts: Parts): void =>
  addFormPage<ManagedVariable>(pages, {
    path: ONE,
    find: (context) => findVariable(parts, context),
    show: (context, { manager, variable }, refusal) =>
      sendProjectPage(context, manager, 'ci/variable', {
        tab: TAB,
        title: `Variable ${variable.key}`,
        address: addressOf(manager),
        variable: { id: variable.id, key: variable.key },
        types: TYPES,
        mostValue: MAX_VARIABLE_VALUE,
        fieldLabels: FIELD_LABELS,
        form: formOf(context, variable.key, variable),
        ...refusal,
      }),
    act: async (context, { manager, variable: { id, key } }) => {
      const value = field(context.request, 'replace') === 'true' ? { value: valueIn(context) } : {};
      await parts.ciVariables.change(manager, id, { ...traitsIn(context), ...value });
      return { notice: `Variable ${key} saved.`, to: addressOf(manager) };
    },
  });

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<ManagedVariable>(pages, {
    path: `${ONE}/remove`,
    find: (context) => findVariable(parts, context),
    ask: async ({ browser, places }, { manager, variable: { key } }) => ({
      title: `Remove the variable ${key}?`,
      consequences: ['Jobs that start from now on are not given it.', 'Its value can’t be brought back.'],
      button: 'Remove variable',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, variable: { id, key } }) => {
      await parts.ciVariables.remove(manager, id);
      return { notice: `Variable ${key} removed.`, to: addressOf(manager) };
    },
  });
