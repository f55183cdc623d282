import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addFormPage } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
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
} from './runner-form.js';
import { ofGroup, ofProject, PATHS, RUNNERS_TAB, type RunnerPlace, type RunnerPlacesParts } from './runner-places.js';

export interface RunnerPagesParts extends RunnerFormParts, RunnerPlacesParts {
  readonly clock: Clock;
}
type Parts = RunnerPagesParts;

/** The same pages for projects and for groups. */
interface Collection {
  readonly path: string;
  readonly find: (context: PageContext) => Promise<RunnerPlace>;
}

interface ManagedRunner {
  readonly place: RunnerPlace;
  readonly runner: CiRunner;
  /** Whether other projects have it, too. */
  readonly shared: boolean;
}

/** Settings > Runners: the programs that take the jobs of a project, or of all in a group. */
export const addRunnerPages = (pages: Pages, parts: Parts): void => {
  const tab = {
    ...{ name: RUNNERS_TAB, label: 'Runners', to: 'settings/runners', order: 80 },
    ...({ within: 'settings', signedIn: true } as const),
  };
  pages.tabs.addToProjects({ ...tab, permission: 'manage_runners' });
  pages.tabs.addToGroups({ ...tab, permission: 'manage_group_runners' });
  const collections: readonly Collection[] = [
    { path: PATHS.ofGroup, find: ofGroup(parts) },
    { path: PATHS.ofProject, find: ofProject(parts) },
  ];
  for (const collection of collections) {
    addList(pages, parts, collection);
    addPauses(pages, parts, collection);
    addRemoval(pages, parts, collection);
  }
};

/** @throws NotFound for those that aren't looked after in this place. */
const findRunner = async (parts: Parts, { find }: Collection, context: PageContext): Promise<ManagedRunner> => {
  const place = await find(context);
  const runner = orNotFound(await parts.ciRunnerReader.find(pathNumber(context.request)), 'Runner');
  return { place, runner, shared: await place.isShared(runner) };
};

const addList = (pages: Pages, parts: Parts, { path, find }: Collection): void =>
  addFormPage<RunnerPlace>(pages, {
    path,
    find,
    show: async (context, place, refusal) => {
      const newRunner = await takeNewRunner(parts, context);
      const request = pageRequest(context);
      const page = await parts.ciRunnerReader.list({ tags: [], ...place.query, page: request });
      const now = parts.clock.now();
      await place.send('ci/runners', {
        title: `Runners of ${place.name}`,
        address: place.address,
        kind: place.kind,
        ...newRunner,
        runners: page.items.map((runner) => ({ ...shownRunner(runner, now), own: place.isOwn(runner) })),
        page,
        request,
        ...runnerForm(context),
        ...refusal,
      });
    },
    act: async (context, { holder, address }) => {
      const runner = await parts.ciRunners.create(actorOf(context.browser), holder, runnerIn(context));
      keepToken(parts, context, runner, address);
      return { notice: `Runner ${runnerTitle(runner)} made.`, to: address };
    },
  });

const addPauses = (pages: Pages, parts: Parts, collection: Collection): void => {
  for (const { act, paused, done } of PAUSES)
    pages.post(`${collection.path}/:id/${act}`, 'signed_in', async (context) => {
      const { place, runner } = await findRunner(parts, collection, context);
      await place.requireAll(runner);
      await parts.ciRunners.change(runner.id, { paused });
      tell(context.response, context.browser, `Runner ${runnerTitle(runner)} ${done}`);
      context.response.redirect(303, place.address);
    });
};

const addRemoval = (pages: Pages, parts: Parts, collection: Collection): void =>
  addRemovalPage<ManagedRunner>(pages, {
    path: `${collection.path}/:id/remove`,
    find: (context) => findRunner(parts, collection, context),
    ask: async (_context, { place, runner, shared }) => ({
      title: `Remove the runner ${runnerTitle(runner)}?`,
      consequences: shared
        ? ['It takes no more jobs of this project.', 'Other projects keep it, and its token stays good.']
        : ['Its token is refused at once: it takes no more jobs.', 'It can’t be brought back.'],
      button: 'Remove runner',
      cancel: place.address,
      frame: await place.frame(),
    }),
    act: async (_context, { place, runner }) => {
      await place.remove(runner);
      return { notice: `Runner ${runnerTitle(runner)} removed.`, to: place.address };
    },
  });
