import type { CiRunners } from '../../../../../application/pipelines/ci-runners.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import { permittedOrNot } from '../../kit/permitted-or-not.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addFormPage } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import {
  keepToken,
  PAUSES,
  runnerForm,
  runnerIn,
  runnerTitle,
  shownRunner,
  takeNewRunner,
  type RunnerFormParts,
} from './runner-form.js';

export interface RunnerPagesParts extends RunnerFormParts {
  readonly access: WorkspaceAccess;
  readonly ciRunners: CiRunners;
  readonly clock: Clock;
}
type Parts = RunnerPagesParts;

type Manager = PermittedProject<'manage_runners'>;

interface ManagedRunner {
  readonly manager: Manager;
  readonly runner: CiRunner;
  /** Whether other projects have it, too. */
  readonly shared: boolean;
}

const TAB = 'runners';
const LIST = '/*path/-/settings/runners';
const ONE = `${LIST}/:id`;

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/runners`;

/** Settings > Runners: the programs that take the jobs of a project. */
export const addRunnerPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: TAB,
    label: 'Runners',
    to: 'settings/runners',
    permission: 'manage_runners',
    order: 80,
    settings: true,
    signedIn: true,
  });
  addList(pages, parts);
  addPauses(pages, parts);
  addRemoval(pages, parts);
};

const findProject = ({ access }: Parts, { browser, request }: PageContext): Promise<Manager> =>
  access.project(actorFor(browser), projectPath(request), 'manage_runners');

/** Those of the installation are the administrators'. @throws NotFound for them, and for those of other projects. */
const findRunner = async (parts: Parts, context: PageContext): Promise<ManagedRunner> => {
  const manager = await findProject(parts, context);
  const runner = orNotFound(await parts.ciRunnerReader.find(pathNumber(context.request)), 'Runner');
  const projects = await parts.ciRunnerReader.projectsOf(runner.id);
  if (!projects.includes(manager.project.id)) throw new NotFound('Runner');
  return { manager, runner, shared: projects.length > 1 };
};

const addList = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: LIST,
    find: (context) => findProject(parts, context),
    show: async (context, manager, refusal) => {
      const newRunner = await takeNewRunner(parts, context);
      const request = pageRequest(context);
      const page = await parts.ciRunnerReader.list({ tags: [], projectId: manager.project.id, page: request });
      const now = parts.clock.now();
      await sendProjectPage(context, manager, 'ci/runners', {
        tab: TAB,
        title: `Runners of ${manager.project.name}`,
        address: addressOf(manager),
        ...newRunner,
        runners: page.items.map((runner) => shownRunner(runner, now)),
        page,
        request,
        ...runnerForm(context),
        ...refusal,
      });
    },
    act: async (context, manager) => {
      const runner = await parts.ciRunners.create(actorOf(context.browser), manager, runnerIn(context));
      keepToken(parts, context, runner, addressOf(manager));
      return { notice: `Runner ${runnerTitle(runner)} made.`, to: addressOf(manager) };
    },
  });

/** As by the API, a runner is changed by who looks after all of its projects. @throws Forbidden. */
const requireAll = async ({ access, ciRunnerReader }: Parts, { browser }: PageContext, { id }: CiRunner) => {
  for (const projectId of await ciRunnerReader.projectsOf(id)) {
    const permitted = await permittedOrNot(access.project(actorFor(browser), String(projectId), 'manage_runners'));
    if (permitted === undefined) throw new Forbidden('Projects that you don’t look after have this runner, too.');
  }
};

const addPauses = (pages: Pages, parts: Parts): void => {
  for (const { act, paused, done } of PAUSES)
    pages.post(`${ONE}/${act}`, 'signed_in', async (context) => {
      const { manager, runner } = await findRunner(parts, context);
      await requireAll(parts, context, runner);
      await parts.ciRunners.change(runner.id, { paused });
      tell(context.response, context.browser, `Runner ${runnerTitle(runner)} ${done}`);
      context.response.redirect(303, addressOf(manager));
    });
};

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<ManagedRunner>(pages, {
    path: `${ONE}/remove`,
    find: (context) => findRunner(parts, context),
    ask: async ({ browser, places }, { manager, runner, shared }) => ({
      title: `Remove the runner ${runnerTitle(runner)}?`,
      consequences: shared
        ? ['It takes no more jobs of this project.', 'Other projects keep it, and its token stays good.']
        : ['Its token is refused at once: it takes no more jobs.', 'It can’t be brought back.'],
      button: 'Remove runner',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, runner }) => {
      await parts.ciRunners.leave(runner.id, manager.project.id);
      return { notice: `Runner ${runnerTitle(runner)} removed.`, to: addressOf(manager) };
    },
  });
