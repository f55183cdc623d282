import type { Environments } from '../../../../../application/environments/environments.js';
import type { EnvironmentReader } from '../../../../../application/environments/ports/environment-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  ENVIRONMENT_TIERS,
  type Environment,
  type EnvironmentFields,
} from '../../../../../domain/environments/environment.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, typed, type Refusal } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly environments: Environments;
  readonly environmentReader: EnvironmentReader;
}

type Manager = Permitted<'manage_environments'>;

interface Managed {
  readonly manager: Manager;
  readonly environment: Environment;
}

const NEW = '/*path/-/environments/new';
const ONE = '/*path/-/environments/:id';
const TAB = 'environments';
const FIELD_LABELS = { external_url: 'address', base: '' };
const GUESSED = '';
const TIERS = ENVIRONMENT_TIERS.map((tier) => [tier, `${tier.charAt(0).toUpperCase()}${tier.slice(1)}`] as const);

const listOf = ({ project }: Manager): string => `/${project.fullPath}/-/environments`;
const addressOf = ({ manager, environment }: Managed): string => `${listOf(manager)}/${environment.id}`;

/** Making, changing, stopping and removing environments. */
export const addEnvironmentFormPages = (pages: Pages, parts: Parts): void => {
  addNew(pages, parts);
  addChange(pages, parts);
  addRemoval(pages, parts);
  addStop(pages, parts);
};

const permit = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_environments');

const find = async (parts: Parts, context: PageContext): Promise<Managed> => {
  const manager = await permit(parts, context);
  const environment = await parts.environmentReader.find(manager.project.id, pathNumber(context.request));
  return { manager, environment: orNotFound(environment, 'Environment') };
};

const fieldsIn = ({ request }: PageContext) => {
  const url = field(request, 'external_url').trim();
  const tier = ENVIRONMENT_TIERS.find((each) => each === field(request, 'tier'));
  return { name: field(request, 'name').trim(), externalUrl: url === '' ? null : url, ...given({ tier }) };
};

interface Form {
  readonly title: string;
  readonly button: string;
  readonly cancel: string;
  readonly fields: Pick<EnvironmentFields, 'name' | 'externalUrl'> & { readonly tier: string };
  readonly tiers: readonly (readonly [string, string])[];
}

const show = (context: PageContext, manager: Manager, { fields, ...shown }: Form, refusal: Refusal): Promise<void> =>
  sendProjectPage(context, manager, 'environments/form', {
    tab: TAB,
    ...shown,
    fieldLabels: FIELD_LABELS,
    // One too many is of no field.
    fieldIds: { base: 'name', slug: 'name' },
    form: typed(context, { name: fields.name, external_url: fields.externalUrl ?? '', tier: fields.tier }),
    ...refusal,
  });

const addNew = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: NEW,
    find: (context) => permit(parts, context),
    show: (context, manager, refusal) =>
      show(
        context,
        manager,
        {
          ...{ title: 'New environment', button: 'Make environment', cancel: listOf(manager) },
          fields: { name: '', externalUrl: null, tier: GUESSED },
          tiers: [[GUESSED, 'As its name says'], ...TIERS],
        },
        refusal,
      ),
    act: async (context, manager) => {
      const environment = await parts.environments.create(manager, fieldsIn(context));
      return { notice: `Environment ${environment.name} made.`, to: addressOf({ manager, environment }) };
    },
  });

const addChange = (pages: Pages, parts: Parts): void =>
  addFormPage<Managed>(pages, {
    path: `${ONE}/edit`,
    find: (context) => find(parts, context),
    show: (context, managed, refusal) =>
      show(
        context,
        managed.manager,
        {
          ...{ title: `Change ${managed.environment.name}`, button: 'Save changes', cancel: addressOf(managed) },
          fields: managed.environment,
          tiers: TIERS,
        },
        refusal,
      ),
    act: async (context, managed) => {
      const fields = fieldsIn(context);
      await parts.environments.change(managed.manager, managed.environment.id, fields);
      return { notice: `Environment ${fields.name} saved.`, to: addressOf(managed) };
    },
  });

/** One that waits for the job that stops it can be stopped without it. */
const isForced = ({ request }: PageContext): boolean =>
  (request.method === 'POST' ? field(request, 'force') : request.query['force']) === 'true';

const addStop = (pages: Pages, parts: Parts): void =>
  addRemovalPage<Managed>(pages, {
    path: `${ONE}/stop`,
    find: (context) => find(parts, context),
    ask: async (context, managed) => {
      const force = isForced(context);
      return {
        title: `Stop the environment ${managed.environment.name}?`,
        consequences: force
          ? ['It counts as stopped at once. What its job was to take down may go on running.']
          : [
              'The job that stops it runs, where its CI file names one, and takes down what runs there.',
              'A later deployment makes it available again.',
            ],
        button: force ? 'Stop without its job' : 'Stop environment',
        cancel: addressOf(managed),
        ...(force ? { fields: { force: 'true' } } : {}),
        frame: await context.places.ofProject(context.browser, managed.manager, TAB),
      };
    },
    act: async (context, managed) => {
      const { manager, environment } = managed;
      const force = isForced(context);
      await parts.environments.stop(actorOf(context.browser), manager, environment.id, { force });
      const now = await parts.environmentReader.find(manager.project.id, environment.id);
      const done = now?.state === 'stopping' ? 'is being stopped by its job' : 'is stopped';
      return { notice: `Environment ${environment.name} ${done}.`, to: addressOf(managed) };
    },
  });

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<Managed>(pages, {
    path: `${ONE}/remove`,
    find: (context) => find(parts, context),
    ask: async ({ browser, places }, managed) => ({
      title: `Remove the environment ${managed.environment.name}?`,
      consequences: [
        'What was deployed there is told no more.',
        'What runs there is left as it is: only an environment that is stopped can be removed.',
      ],
      button: 'Remove environment',
      cancel: addressOf(managed),
      frame: await places.ofProject(browser, managed.manager, TAB),
    }),
    act: async (_context, { manager, environment }) => {
      await parts.environments.remove(manager, environment.id);
      return { notice: `Environment ${environment.name} removed.`, to: listOf(manager) };
    },
  });
