import type { DeployKeys } from '../../../../../application/keys/deploy-keys.js';
import type { EnabledKey, KeyReader } from '../../../../../application/keys/ports/key-ports.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import { together } from '../../../../../application/shared/together.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { isExpired, type SshKey } from '../../../../../domain/keys/ssh-key.js';
import { BadRequest, Invalid } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, fieldNumber, pathNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { inOneDirection } from '../frame/one-direction.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { keyAgain, sayingBesideKey } from './pasted-key.js';

export interface DeployKeyPagesParts {
  readonly access: WorkspaceAccess;
  readonly deployKeys: DeployKeys;
  readonly keyReader: KeyReader;
  readonly clock: Clock;
}
type Parts = DeployKeyPagesParts;

type Manager = PermittedProject<'manage_deploy_keys'>;

interface ManagedKey {
  readonly manager: Manager;
  readonly key: EnabledKey;
}

/** What a form of the list does; answers what is said of it. */
type Act = (context: PageContext, manager: Manager) => Promise<string>;

const TAB = 'deploy-keys';
const LIST = '/*path/-/settings/deploy_keys';
const ONE = `${LIST}/:id`;

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/deploy_keys`;

/** Settings > Deploy keys: the keys with which machines fetch the code of a project over SSH, or push to it. */
export const addDeployKeyPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: TAB,
    label: 'Deploy keys',
    to: 'settings/deploy_keys',
    permission: 'manage_deploy_keys',
    order: 77,
    within: 'settings',
    signedIn: true,
  });
  addList(pages, parts);
  addChange(pages, parts);
  addRemoval(pages, parts);
};

const findProject = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_deploy_keys');

const findKey = async (parts: Parts, context: PageContext): Promise<ManagedKey> => {
  const manager = await findProject(parts, context);
  const key = await parts.keyReader.findInProject(manager.project.id, pathNumber(context.request));
  return { manager, key: orNotFound(key, 'Deploy Key') };
};

const mayPush = ({ request }: PageContext): boolean => field(request, 'can_push') === 'true';

const typeOf = ({ publicKey }: SshKey): string => publicKey.split(' ')[0] ?? '';

const add =
  ({ deployKeys }: Parts): Act =>
  async (context, manager) => {
    const { browser, request } = context;
    const fields = {
      title: field(request, 'title').trim(),
      key: field(request, 'key'),
      expiresAt: field(request, 'expires_at'),
      canPush: mayPush(context),
    };
    const { key, was } = await sayingBesideKey(context, deployKeys.add(actorOf(browser), manager, fields));
    if (was === 'here') throw new Invalid({ key: [`is in this project already, as “${inOneDirection(key.title)}”`] });
    return was === 'new'
      ? `Deploy key “${key.title}” added.`
      : `Another project has this key as “${key.title}”. It is enabled here, too.`;
  };

const enable =
  ({ deployKeys }: Parts): Act =>
  async ({ browser, request }, manager) => {
    const { title } = await deployKeys.enable(actorOf(browser), manager, fieldNumber(request, 'key_id'));
    return `Deploy key “${title}” enabled.`;
  };

const addList = (pages: Pages, parts: Parts): void => {
  const { deployKeys, keyReader, clock } = parts;
  const acts = new Map([
    ['add', add(parts)],
    ['enable', enable(parts)],
  ]);
  addFormPage<Manager>(pages, {
    path: LIST,
    find: (context) => findProject(parts, context),
    show: async (context, manager, refusal) => {
      const request = pageRequest(context);
      const [page, offered] = await together([
        keyReader.listOfProject(manager.project.id, request),
        deployKeys.offered(actorOf(context.browser), manager),
      ]);
      const now = clock.now();
      await sendProjectPage(context, manager, 'deploy/keys', {
        tab: TAB,
        title: `Deploy keys of ${manager.project.name}`,
        address: addressOf(manager),
        keys: page.items.map((key) => ({ ...key, type: typeOf(key), expired: isExpired(key, now) })),
        offered: offered.map(({ key, projectPath: path }) => ({ ...key, type: typeOf(key), path })),
        page,
        request,
        fieldLabels: { expires_at: 'expiry' },
        form: { ...typed(context, { title: '', expires_at: '', can_push: '' }), key: keyAgain(context) },
        ...refusal,
      });
    },
    act: async (context, manager) => {
      const act = acts.get(field(context.request, 'act'));
      if (act === undefined) throw new BadRequest('act is not one of those of this page');
      return { notice: await act(context, manager), to: addressOf(manager) };
    },
  });
};

const addChange = (pages: Pages, parts: Parts): void =>
  addFormPage<ManagedKey>(pages, {
    path: ONE,
    find: (context) => findKey(parts, context),
    show: (context, { manager, key }, refusal) =>
      sendProjectPage(context, manager, 'deploy/key', {
        tab: TAB,
        title: `Deploy key ${key.title}`,
        address: addressOf(manager),
        key,
        mayRename: mayRename(context, key),
        form: typed(context, { title: key.title, can_push: key.canPush ? 'true' : '' }),
        ...refusal,
      }),
    act: async (context, { manager, key }) => {
      const title = mayRename(context, key) ? field(context.request, 'title').trim() : undefined;
      const changes = { canPush: mayPush(context), ...given({ title }) };
      await parts.deployKeys.edit(actorOf(context.browser), manager, key, changes);
      return { notice: `Deploy key “${title ?? key.title}” saved.`, to: addressOf(manager) };
    },
  });

/** What is offered; `DeployKeys` decides. */
const mayRename = ({ browser }: PageContext, { isPublic }: EnabledKey): boolean => !isPublic || actorOf(browser).admin;

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<ManagedKey>(pages, {
    path: `${ONE}/remove`,
    find: (context) => findKey(parts, context),
    ask: async ({ browser, places }, { manager, key: { title } }) => ({
      title: `Remove the deploy key ${title}?`,
      consequences: [
        'Machines that hold it neither fetch from this project nor push to it, from now on.',
        'Other projects that have it keep it.',
      ],
      button: 'Remove deploy key',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, key: { id, title } }) => {
      await parts.deployKeys.remove(manager, id);
      return { notice: `Deploy key “${title}” removed.`, to: addressOf(manager) };
    },
  });
