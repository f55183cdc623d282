import type { PipelineTriggers, ShownTrigger } from '../../../../../application/pipelines/pipeline-triggers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_TRIGGER_DESCRIPTION } from '../../../../../domain/pipelines/pipeline-trigger.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { shellQuoted } from '../../shell-quoted.js';
import type { WebUrls } from '../../web-urls.js';
import { field, idIn, pathNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { PageFlash } from '../page-flash.js';
import { allowLiveScript } from '../page-headers.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';

export interface TriggerPagesParts {
  readonly access: WorkspaceAccess;
  readonly pipelineTriggers: PipelineTriggers;
  readonly flash: PageFlash;
  readonly urls: WebUrls;
}
type Parts = TriggerPagesParts;

type Manager = PermittedProject<'manage_triggers'>;

interface ManagedTrigger {
  readonly manager: Manager;
  readonly trigger: ShownTrigger;
}

const TAB = 'triggers';
const LIST = '/*path/-/settings/triggers';
const ONE = `${LIST}/:id`;

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/triggers`;

/** Settings > Pipeline triggers: tokens that start the pipelines of a project. */
export const addTriggerPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: TAB,
    label: 'Pipeline triggers',
    to: 'settings/triggers',
    permission: 'manage_triggers',
    order: 81,
    within: 'settings',
    signedIn: true,
  });
  addList(pages, parts);
  addChange(pages, parts);
  addRemoval(pages, parts);
};

const findProject = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_triggers');

const findTrigger = async (parts: Parts, context: PageContext): Promise<ManagedTrigger> => {
  const manager = await findProject(parts, context);
  const actor = actorOf(context.browser);
  const trigger = await parts.pipelineTriggers.find(actor, manager, pathNumber(context.request));
  return { manager, trigger: orNotFound(trigger, 'Trigger') };
};

const descriptionIn = ({ request }: PageContext): string => field(request, 'description');

/** What was made a moment ago, for its maker to copy, unless it is gone again. */
const takeNew = async (parts: Parts, context: PageContext, manager: Manager) => {
  const actor = actorOf(context.browser);
  const [id] = parts.flash.take(context.request, context.response, actor.id);
  const made = id === undefined ? undefined : await parts.pipelineTriggers.find(actor, manager, idIn(id));
  if (made === undefined) return { copies: false };
  allowLiveScript(context.response);
  const { project } = manager;
  const address = parts.urls.api(`/projects/${project.id}/trigger/pipeline`);
  // The token is in no history of a shell.
  const ref = shellQuoted(`ref=${project.defaultBranch ?? DEFAULT_BRANCH}`);
  const command = `curl --form token="$TOKEN" --form ${ref} ${address}`;
  return { copies: true, newTrigger: { token: made.token, command } };
};

const addList = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: LIST,
    find: (context) => findProject(parts, context),
    show: async (context, manager, refusal) => {
      const request = pageRequest(context);
      const newTrigger = await takeNew(parts, context, manager);
      const page = await parts.pipelineTriggers.list(actorOf(context.browser), manager, request);
      await sendProjectPage(context, manager, 'ci/triggers', {
        tab: TAB,
        title: `Pipeline triggers of ${manager.project.name}`,
        address: addressOf(manager),
        ...newTrigger,
        // Of their tokens no more than that they are there.
        triggers: page.items.map(({ token: _, ...shown }) => shown),
        page,
        request,
        mostDescription: MAX_TRIGGER_DESCRIPTION,
        form: typed(context, { description: '' }),
        ...refusal,
      });
    },
    act: async (context, manager) => {
      const actor = actorOf(context.browser);
      const { id, description } = await parts.pipelineTriggers.create(actor, manager, descriptionIn(context));
      parts.flash.put(context.response, actor.id, [String(id)], addressOf(manager));
      return { notice: `Trigger “${description}” made.`, to: addressOf(manager) };
    },
  });

const addChange = (pages: Pages, parts: Parts): void =>
  addFormPage<ManagedTrigger>(pages, {
    path: ONE,
    find: (context) => findTrigger(parts, context),
    show: (context, { manager, trigger: { id, description } }, refusal) =>
      sendProjectPage(context, manager, 'ci/trigger', {
        tab: TAB,
        title: `Trigger ${description}`,
        address: addressOf(manager),
        trigger: { id, description },
        mostDescription: MAX_TRIGGER_DESCRIPTION,
        form: typed(context, { description }),
        ...refusal,
      }),
    act: async (context, { manager, trigger: { id } }) => {
      const actor = actorOf(context.browser);
      const { description } = await parts.pipelineTriggers.describe(actor, manager, id, descriptionIn(context));
      return { notice: `Trigger “${description}” saved.`, to: addressOf(manager) };
    },
  });

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<ManagedTrigger>(pages, {
    path: `${ONE}/remove`,
    find: (context) => findTrigger(parts, context),
    ask: async ({ browser, places }, { manager, trigger: { description } }) => ({
      title: `Remove the trigger ${description}?`,
      consequences: ['Programs that use its token start no more pipelines.', 'It can’t be brought back.'],
      button: 'Remove trigger',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, trigger: { id, description } }) => {
      await parts.pipelineTriggers.remove(manager, id);
      return { notice: `Trigger “${description}” removed.`, to: addressOf(manager) };
    },
  });
