import type { ScheduleDetails, ScheduleReader } from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { RunSchedules } from '../../../../../application/pipelines/run-schedules.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WhyStopped } from '../../../../../domain/pipelines/pipeline-schedule.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { CodePage, openCode } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { refusalOf } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import {
  addScheduleFormPages,
  findSchedule,
  permitRunner,
  SCHEDULE,
  SCHEDULES,
  schedulesOf,
  type ScheduleFormParts,
} from './schedule-form-pages.js';

export interface SchedulePagesParts extends ScheduleFormParts, CodePagesParts {
  readonly scheduleReader: ScheduleReader;
  readonly runSchedules: RunSchedules;
}
type Parts = SchedulePagesParts;

const WHY_STOPPED: Readonly<Record<WhyStopped, string>> = {
  owner_gone: 'It stopped: its owner is gone, or blocked. A Maintainer can take it over.',
  owner_may_not: 'It stopped: its owner may not run pipelines of this branch or tag any more.',
  ref_gone: 'It stopped: its branch or tag is gone.',
};

/** Pipelines > Schedules: what is run by the clock. */
export const addSchedulePages = (pages: Pages, parts: Parts): void => {
  const page = new CodePage(parts);
  const tab = { name: 'schedules', label: 'Schedules', to: 'pipeline_schedules', order: 46, within: 'ci' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'run_pipelines', signedIn: true });
  pages.get(SCHEDULES, 'signed_in', (context) => showAll(parts, page, context));
  addScheduleFormPages(pages, parts);
  addActions(pages, parts);
};

const showAll = async (parts: Parts, page: CodePage, context: PageContext): Promise<void> => {
  const runner = await permitRunner(parts, context);
  const open = openCode(parts.access.also(actorFor(context.browser), runner, 'read_code'));
  const request = pageRequest(context);
  const found = await parts.pipelineSchedules.list(runner, undefined, request);
  const last = await parts.scheduleReader.lastPipelinesOf(found.items.map(({ id }) => id));
  await page.show(
    context,
    'ci/schedules',
    { ...open, ...(await parts.locate.defaultVersion(open.permitted)) },
    {
      title: `Pipeline schedules of ${runner.project.name}`,
      tab: 'schedules',
      schedules: found.items.map((schedule) => ({
        ...schedule,
        stopped: schedule.stoppedBecause && WHY_STOPPED[schedule.stoppedBecause],
        last: last.get(schedule.id),
        may: actionsOn(runner, schedule, actorOf(context.browser).id),
      })),
      page: found,
      request,
    },
  );
};

const actionsOn = ({ project, level }: Permitted<'run_pipelines'>, { ownerId }: ScheduleDetails, id: number) => {
  const owns = ownerId === id;
  const manages = isOffered(project, level, 'manage_schedules');
  return { change: owns, remove: owns || manages, take: manages && !owns };
};

const addActions = (pages: Pages, parts: Parts): void => {
  pages.post(`${SCHEDULE}/play`, 'signed_in', async (context) => {
    const { runner, schedule } = await findSchedule(parts, context);
    const { browser, response } = context;
    try {
      const { iid } = await parts.runSchedules.play(actorOf(browser), runner, schedule);
      tell(response, browser, `Pipeline #${iid} begun.`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const problem =
        refusal.problem ??
        Object.values(refusal.problems ?? {})
          .flat()
          .join(' ');
      tell(response, browser, `“${schedule.description}” was not run: ${problem}`);
    }
    response.redirect(303, schedulesOf(runner));
  });
  pages.post(`${SCHEDULE}/take_ownership`, 'signed_in', async (context) => {
    const { runner, schedule } = await findSchedule(parts, context);
    const { browser, response } = context;
    const actor = actorOf(browser);
    const manager = parts.access.also(actor, runner, 'manage_schedules');
    await parts.pipelineSchedules.takeOwnership(actor, manager, schedule.id);
    const then = schedule.active ? 'it runs with your rights.' : 'it runs, with your rights, once you make it active.';
    tell(response, browser, `“${schedule.description}” is yours: ${then}`);
    response.redirect(303, schedulesOf(runner));
  });
};
