import type { CiRunners, RunnerPlace as Holder } from '../../../../../application/pipelines/ci-runners.js';
import type { CiRunnerQuery, CiRunnerReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { PlaceFrame } from '../frame/places.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { joinedPath, projectPath } from '../project-path.js';
import type { PageData } from '../render.js';

export interface RunnerPlacesParts {
  readonly access: WorkspaceAccess;
  readonly ciRunners: CiRunners;
  readonly ciRunnerReader: CiRunnerReader;
}
type Parts = RunnerPlacesParts;

/** A project or a group, as the pages of its runners need it. */
export interface RunnerPlace {
  readonly holder: Holder;
  readonly kind: 'project' | 'group';
  readonly name: string;
  /** Of its list of runners. */
  readonly address: string;
  /** Those that it lists. */
  readonly query: Pick<CiRunnerQuery, 'projectId' | 'groupId'>;
  /** Of those that it lists: whether it is looked after there. */
  readonly isOwn: (runner: CiRunner) => boolean;
  /** Whether others have it, too. @throws NotFound for one that isn't looked after there. */
  readonly isShared: (runner: CiRunner) => Promise<boolean>;
  /** @throws Forbidden for who doesn't look after all that have it. */
  readonly requireAll: (runner: CiRunner) => Promise<void>;
  readonly remove: (runner: CiRunner) => Promise<void>;
  readonly send: (template: string, data: PageData) => Promise<void>;
  readonly frame: () => Promise<PlaceFrame>;
}

export const RUNNERS_TAB = 'runners';
const BELOW = '-/settings/runners';

/** Of a project. Those of its groups and of the installation are listed, and looked after elsewhere. */
export const ofProject =
  ({ access, ciRunners, ciRunnerReader }: Parts) =>
  async (context: PageContext): Promise<RunnerPlace> => {
    const { browser, request, places } = context;
    const actor = actorFor(browser);
    const holder = await access.project(actor, projectPath(request), 'manage_runners');
    const { id: projectId, name, fullPath } = holder.project;
    return {
      ...{ holder, kind: 'project', name, address: `/${fullPath}/${BELOW}`, query: { projectId } },
      isOwn: ({ type }) => type === 'project_type',
      isShared: async ({ id }) => {
        const projects = await ciRunnerReader.projectsOf(id);
        if (!projects.includes(projectId)) throw new NotFound('Runner');
        return projects.length > 1;
      },
      // As by the API, a runner is changed by who looks after all of its projects.
      requireAll: async ({ id }) => {
        for (const each of await ciRunnerReader.projectsOf(id))
          if ((await unlessRefused(access.project(actor, String(each), 'manage_runners'))) === undefined)
            throw new Forbidden('Projects that you don’t look after have this runner, too.');
      },
      remove: ({ id }) => ciRunners.leave(id, projectId),
      send: (template, data) => sendProjectPage(context, holder, template, { ...data, tab: RUNNERS_TAB }),
      frame: () => places.ofProject(browser, holder, RUNNERS_TAB),
    };
  };

/** Of a group. Those of the groups above it and of the installation are listed, and looked after elsewhere. */
export const ofGroup =
  ({ access, ciRunners }: Parts) =>
  async (context: PageContext): Promise<RunnerPlace> => {
    const { browser, request, places } = context;
    const holder = await access.group(actorFor(browser), joinedPath(request), 'manage_group_runners');
    const { id, name, fullPath } = holder.group;
    const isOwn = ({ groupId }: CiRunner): boolean => groupId === id;
    return {
      ...{ holder, kind: 'group', name, address: `/groups/${fullPath}/${BELOW}`, query: { groupId: id }, isOwn },
      isShared: (runner) => (isOwn(runner) ? Promise.resolve(false) : Promise.reject(new NotFound('Runner'))),
      requireAll: () => Promise.resolve(),
      remove: (runner) => ciRunners.remove(runner.id),
      send: (template, data) => sendGroupPage(context, holder, template, { ...data, tab: RUNNERS_TAB }),
      frame: () => places.ofGroup(browser, holder, RUNNERS_TAB),
    };
  };

export const PATHS = { ofProject: `/*path/${BELOW}`, ofGroup: `/groups/*path/${BELOW}` } as const;
