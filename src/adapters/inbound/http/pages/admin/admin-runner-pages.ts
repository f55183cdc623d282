import type { CiRunners } from '../../../../../application/pipelines/ci-runners.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { refusalOf, type Refusal } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { showQuestion } from '../frame/removal-page.js';
import { pathNumber, type PageContext, type Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import {
  keepToken,
  PAUSES,
  runnerForm,
  runnerIn,
  runnerTitle,
  shownRunner,
  takeNewRunner,
  type RunnerFormParts,
} from '../pipelines/runner-form.js';
import { sendPage } from '../render.js';

export interface AdminRunnerPagesParts extends RunnerFormParts {
  readonly ciRunners: CiRunners;
  readonly workspace: Pick<WorkspaceReader, 'findProjects' | 'findGroup'>;
  readonly clock: Clock;
}
type Parts = AdminRunnerPagesParts;

const LIST = '/admin/runners';
/** Of the projects of a runner so many are named. */
const MOST_NAMED = 3;

/** Every runner, and new ones that take the jobs of every project. */
export const addAdminRunnerPages = (pages: Pages, parts: Parts): void => {
  addList(pages, parts);
  addPauses(pages, parts);
  addRemoval(pages, parts);
};

const find = async ({ ciRunnerReader }: Parts, { request }: PageContext): Promise<CiRunner> =>
  orNotFound(await ciRunnerReader.find(pathNumber(request)), 'Runner');

/** Of each runner the paths of some projects whose jobs it takes, and how many more there are, or of its group. */
const placesOf = async ({ ciRunnerReader, workspace }: Parts, runners: readonly CiRunner[]) => {
  const ids = await Promise.all(runners.map(({ id }) => ciRunnerReader.projectsOf(id)));
  const named = ids.map((all) => all.slice(0, MOST_NAMED));
  const found = new Map((await workspace.findProjects(named.flat())).map(({ id, fullPath }) => [id, fullPath]));
  const groups = await groupsOf(workspace, runners);
  return named.map((some, at) => ({
    group: groups.get(runners[at]!.groupId),
    projects: some.flatMap((id) => found.get(id) ?? []),
    more: ids[at]!.length - some.length,
  }));
};

/** Their paths. */
const groupsOf = async (workspace: Parts['workspace'], runners: readonly CiRunner[]) => {
  const ids = [...new Set(runners.flatMap(({ groupId }) => groupId ?? []))];
  const groups = await Promise.all(ids.map((id) => workspace.findGroup(id)));
  return new Map<GroupId | null, string | undefined>(ids.map((id, at) => [id, groups[at]?.fullPath]));
};

const show = async (parts: Parts, context: PageContext, refusal: Refusal = {}): Promise<void> => {
  const newRunner = await takeNewRunner(parts, context);
  const request = pageRequest(context);
  const page = await parts.ciRunnerReader.list({ tags: [], page: request });
  const whose = await placesOf(parts, page.items);
  const now = parts.clock.now();
  sendPage(context.response, context.browser, 'admin/runners', {
    title: 'Runners',
    address: LIST,
    ...newRunner,
    runners: page.items.map((runner, at) => ({ ...shownRunner(runner, now), ...whose[at] })),
    page,
    request,
    ...runnerForm(context),
    ...refusal,
  });
};

const addList = (pages: Pages, parts: Parts): void => {
  pages.get(LIST, 'administrator', (context) => show(parts, context));

  pages.postSensitive(LIST, async (context) => {
    try {
      const runner = await parts.ciRunners.create(actorOf(context.browser), 'instance', runnerIn(context));
      keepToken(parts, context, runner, LIST);
      tell(context.response, context.browser, `Runner ${runnerTitle(runner)} made.`);
      context.response.redirect(303, LIST);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const { status, ...said } = refusal;
      context.response.status(status);
      await show(parts, context, said);
    }
  });
};

const addPauses = (pages: Pages, parts: Parts): void => {
  for (const { act, paused, done } of PAUSES)
    pages.post(`${LIST}/:id/${act}`, 'administrator', async (context) => {
      const runner = await find(parts, context);
      await parts.ciRunners.change(runner.id, { paused });
      tell(context.response, context.browser, `Runner ${runnerTitle(runner)} ${done}`);
      context.response.redirect(303, LIST);
    });
};

const addRemoval = (pages: Pages, parts: Parts): void => {
  pages.get(`${LIST}/:id/remove`, 'administrator', async (context) => {
    const runner = await find(parts, context);
    showQuestion(context, {
      title: `Remove the runner ${runnerTitle(runner)}?`,
      consequences: [
        'Its token is refused at once: it takes no more jobs, of whatever project.',
        'It can’t be brought back.',
      ],
      button: 'Remove runner',
      cancel: LIST,
    });
  });

  pages.postSensitive('/admin/runners/:id/remove', async (context) => {
    const runner = await find(parts, context);
    await parts.ciRunners.remove(runner.id);
    tell(context.response, context.browser, `Runner ${runnerTitle(runner)} removed.`);
    context.response.redirect(303, LIST);
  });
};
