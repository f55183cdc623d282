import type { PullMirrorReader } from '../../../../../application/mirrors/ports/pull-mirror-ports.js';
import type { PullMirrors } from '../../../../../application/mirrors/pull-mirrors.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { PullMirror, PullStatus } from '../../../../../domain/mirrors/pull-mirror.js';
import { MAX_REMOTE_URL, maskedUrl } from '../../../../../domain/shared/remote-url.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, refusalOf, typed } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { actorOf } from '../page-session.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { remoteUrlIn, shownRemoteUrl } from '../remote-url-field.js';

export interface PullMirrorPagesParts {
  readonly access: WorkspaceAccess;
  readonly pullMirrors: PullMirrors;
  readonly pullMirrorReader: PullMirrorReader;
}
type Parts = PullMirrorPagesParts;

type Manager = PermittedProject<'manage_mirrors'>;

interface Following {
  readonly manager: Manager;
  /** Undefined where the project follows nothing yet. */
  readonly mirror: PullMirror | undefined;
}

const PAGE = '/*path/-/settings/mirrors/pull';
const TAB = 'mirrors';

const STATUS_WORDS: Readonly<Record<PullStatus, string>> = {
  none: 'Disabled',
  scheduled: 'Waits for its turn',
  started: 'Is being updated',
  finished: 'Up to date',
  failed: 'Failed',
};

const mirrorsOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/mirrors`;
const pullOf = (manager: Manager): string => `${mirrorsOf(manager)}/pull`;
const nameOf = ({ url, hasCredentials }: PullMirror): string => maskedUrl(url, hasCredentials);

/** What the page of mirrors shows of the repository that a project follows. */
export const shownPull = async ({ pullMirrorReader }: Pick<Parts, 'pullMirrorReader'>, manager: Manager) => {
  const mirror = await pullMirrorReader.find(manager.project.id);
  const pull = mirror && { ...mirror, name: nameOf(mirror), words: STATUS_WORDS[mirror.status] };
  return { pull, pullAddress: pullOf(manager) };
};

const find = async ({ access, pullMirrorReader }: Parts, context: PageContext): Promise<Following> => {
  const manager = await projectOfPage(access, context, 'manage_mirrors');
  return { manager, mirror: await pullMirrorReader.find(manager.project.id) };
};

const findOne = async (parts: Parts, context: PageContext) => {
  const { manager, mirror } = await find(parts, context);
  return { manager, mirror: orNotFound(mirror) };
};

const checked = (is: boolean | undefined): string => (is === true ? 'true' : '');

/** What the fields hold; a password is typed anew. */
const formOf = (context: PageContext, mirror: PullMirror | undefined) => {
  const form = typed(context, {
    pull_url: mirror?.url ?? '',
    username: '',
    only_protected_branches: checked(mirror?.onlyProtectedBranches),
    overwrites_diverged: checked(mirror?.overwritesDiverged),
    triggers_builds: checked(mirror?.triggersBuilds),
  });
  return { form: { ...form, pull_url: shownRemoteUrl(form.pull_url) }, fieldLabels: { pull_url: 'URL' } };
};

const addPullForm = (pages: Pages, parts: Parts): void =>
  addFormPage<Following>(pages, {
    path: PAGE,
    find: (context) => find(parts, context),
    show: (context, { manager, mirror }, refusal) =>
      sendProjectPage(context, manager, 'pull-mirror', {
        tab: TAB,
        title: `What ${manager.project.name} follows`,
        address: pullOf(manager),
        cancel: mirrorsOf(manager),
        isThere: mirror !== undefined,
        mostUrl: MAX_REMOTE_URL,
        ...formOf(context, mirror),
        ...refusal,
      }),
    act: async (context, { manager, mirror }) => {
      const { request, browser } = context;
      const on = (name: string): boolean => field(request, name) === 'true';
      const url = remoteUrlIn(request, 'pull_url');
      // What is shown of it has no user name and no password: as long as nobody types another one they stay.
      const changes = {
        enabled: true,
        ...given({ url: url === mirror?.url ? undefined : url }),
        onlyProtectedBranches: on('only_protected_branches'),
        overwritesDiverged: on('overwrites_diverged'),
        triggersBuilds: on('triggers_builds'),
      };
      await parts.pullMirrors.set(manager, changes, actorOf(browser).id, 'pull_url');
      return { notice: 'The project is updated from there now, and again and again.', to: mirrorsOf(manager) };
    },
  });

const addActions = (pages: Pages, parts: Parts): void => {
  pages.post(`${PAGE}/update`, 'signed_in', async (context) => {
    const { manager, mirror } = await findOne(parts, context);
    const { response, browser } = context;
    try {
      await parts.pullMirrors.hurry(manager);
      tell(response, browser, `The project is updated from ${nameOf(mirror)} now.`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      tell(response, browser, refusal.problem ?? 'The project can’t be updated.');
    }
    response.redirect(303, mirrorsOf(manager));
  });

  addRemovalPage<Awaited<ReturnType<typeof findOne>>>(pages, {
    path: `${PAGE}/remove`,
    find: (context) => findOne(parts, context),
    ask: async ({ browser, places }, { manager, mirror }) => ({
      title: 'Follow it no more?',
      consequences: [`Nothing comes from ${nameOf(mirror)} any more. What has come stays here.`],
      button: 'Follow no more',
      cancel: mirrorsOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, mirror }) => {
      await parts.pullMirrors.remove(manager);
      return { notice: `The project follows ${nameOf(mirror)} no more.`, to: mirrorsOf(manager) };
    },
  });
};

/** Settings > Mirrors > what the project follows: a repository elsewhere whose branches and tags it gets again and again. */
export const addPullMirrorPages = (pages: Pages, parts: Parts): void => {
  addPullForm(pages, parts);
  addActions(pages, parts);
};
