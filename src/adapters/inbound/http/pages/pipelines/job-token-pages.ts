import type { PipelineStarters } from '../../../../../application/pipelines/pipeline-starters.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { projectsLetIn, type ProjectsLetInParts } from '../../projects-let-in.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { projectOfPage } from '../project-of-page.js';

export interface JobTokenPagesParts extends ProjectsLetInParts {
  readonly access: WorkspaceAccess;
  readonly pipelineStarters: PipelineStarters;
}
type Parts = JobTokenPagesParts;

type Manager = PermittedProject<'manage_triggers'>;

interface ManagedStarter {
  readonly manager: Manager;
  readonly starter: Project;
}

const TAB = 'ci-cd';
const LIST = '/*path/-/settings/job_tokens';

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/job_tokens`;

/** Settings > CI/CD > Jobs of other projects: those that may start the pipelines of a project with their tokens. */
export const addJobTokenPages = (pages: Pages, parts: Parts): void => {
  addList(pages, parts);
  addRemoval(pages, parts);
};

const findProject = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_triggers');

const listFor = (parts: Parts, { browser }: PageContext, { project }: Manager): Promise<readonly Project[]> =>
  projectsLetIn(parts, project.id, parts.access.viewer(actorFor(browser)));

const notFound = (error: unknown): never => {
  throw error instanceof NotFound ? new Invalid({ project: ['is not the path of a project that you can see'] }) : error;
};

const addList = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: LIST,
    find: (context) => findProject(parts, context),
    show: (context, manager, refusal) =>
      sendProjectPage(context, manager, 'ci/job-tokens', {
        tab: TAB,
        title: `Jobs of other projects in ${manager.project.name}`,
        address: addressOf(manager),
        above: `/${manager.project.fullPath}/-/settings/ci_cd`,
        letIn: listFor(parts, context, manager),
        form: typed(context, { project: '' }),
        ...refusal,
      }),
    act: async (context, manager) => {
      const path = field(context.request, 'project').trim();
      const starter = await parts.access.project(actorFor(context.browser), path, 'read_project').catch(notFound);
      await parts.pipelineStarters.letIn(manager, starter);
      return { notice: `Jobs of ${starter.project.fullPath} are let in.`, to: addressOf(manager) };
    },
  });

const addRemoval = (pages: Pages, parts: Parts): void =>
  addRemovalPage<ManagedStarter>(pages, {
    path: `${LIST}/:id/remove`,
    find: async (context) => {
      const manager = await findProject(parts, context);
      const id = pathNumber(context.request);
      const starter = (await listFor(parts, context, manager)).find((each) => each.id === id);
      return { manager, starter: orNotFound(starter, 'Project') };
    },
    ask: async ({ browser, places }, { manager, starter }) => ({
      title: `Let jobs of ${starter.fullPath} in no longer?`,
      consequences: ['With their tokens they start no more pipelines of this project. Those that run go on.'],
      button: 'Remove project',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, starter }) => {
      await parts.pipelineStarters.shutOut(manager, starter.id);
      return { notice: `Jobs of ${starter.fullPath} are let in no longer.`, to: addressOf(manager) };
    },
  });
