import type { RemoteMirrorReader } from '../../../../../application/mirrors/ports/mirror-ports.js';
import type { RemoteMirrors } from '../../../../../application/mirrors/remote-mirrors.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { MirrorStatus, RemoteMirror } from '../../../../../domain/mirrors/remote-mirror.js';
import { MAX_REMOTE_URL, maskedUrl } from '../../../../../domain/shared/remote-url.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, refusalOf, typed } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { remoteUrlIn, shownRemoteUrl } from '../remote-url-field.js';
import { addPullMirrorPages, shownPull, type PullMirrorPagesParts } from './pull-mirror-pages.js';

export interface MirrorPagesParts extends PullMirrorPagesParts {
  readonly remoteMirrors: RemoteMirrors;
  readonly remoteMirrorReader: RemoteMirrorReader;
}
type Parts = MirrorPagesParts;

type Manager = PermittedProject<'manage_mirrors'>;

interface ManagedMirror {
  readonly manager: Manager;
  readonly mirror: RemoteMirror;
}

const MIRRORS = '/*path/-/settings/mirrors';
const MIRROR = `${MIRRORS}/:id`;
const TAB = 'mirrors';
const ALL_MIRRORS = { page: 1, perPage: 100 };

const STATUS_WORDS: Readonly<Record<MirrorStatus, string>> = {
  none: 'Never updated',
  scheduled: 'Waits for its turn',
  started: 'Is being updated',
  to_retry: 'Failed, and is tried again',
  finished: 'Up to date',
  failed: 'Failed',
};

const mirrorsOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/mirrors`;
const nameOf = ({ url, hasCredentials }: RemoteMirror): string => maskedUrl(url, hasCredentials);

const findManager = ({ access }: Parts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_mirrors');

const findMirror = async (parts: Parts, context: PageContext): Promise<ManagedMirror> => {
  const manager = await findManager(parts, context);
  const mirror = await parts.remoteMirrorReader.find(manager.project.id, pathNumber(context.request));
  return { manager, mirror: orNotFound(mirror) };
};

/** What the fields hold; a password is typed anew. */
const formOf = (context: PageContext) => {
  const fields = { url: '', username: '', only_protected_branches: '', keep_divergent_refs: '' };
  const form = typed(context, fields);
  return { form: { ...form, url: shownRemoteUrl(form.url) }, mostUrl: MAX_REMOTE_URL, fieldLabels: { url: 'URL' } };
};

const addListPage = (pages: Pages, parts: Parts): void =>
  addFormPage<Manager>(pages, {
    path: MIRRORS,
    find: (context) => findManager(parts, context),
    show: async (context, manager, refusal) => {
      const { items } = await parts.remoteMirrorReader.list(manager.project.id, ALL_MIRRORS);
      await sendProjectPage(context, manager, 'mirrors', {
        tab: TAB,
        title: `Mirrors of ${manager.project.name}`,
        address: mirrorsOf(manager),
        ...(await shownPull(parts, manager)),
        mirrors: items.map((mirror) => ({ ...mirror, name: nameOf(mirror), words: STATUS_WORDS[mirror.status] })),
        ...formOf(context),
        ...refusal,
      });
    },
    act: async (context, manager) => {
      const { request } = context;
      const on = (name: string): boolean => field(request, name) === 'true';
      await parts.remoteMirrors.add(manager, remoteUrlIn(request), {
        enabled: true,
        onlyProtectedBranches: on('only_protected_branches'),
        keepDivergentRefs: on('keep_divergent_refs'),
      });
      return {
        notice: 'Mirror added. It is updated with the next push, or now if you say so.',
        to: mirrorsOf(manager),
      };
    },
  });

const addActions = (pages: Pages, parts: Parts): void => {
  const { remoteMirrors } = parts;
  pages.post(`${MIRROR}/update`, 'signed_in', async (context) => {
    const { manager, mirror } = await findMirror(parts, context);
    const { response, browser } = context;
    try {
      await remoteMirrors.sync(manager, mirror);
      tell(response, browser, `${nameOf(mirror)} is updated now.`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      tell(response, browser, refusal.problem ?? 'The mirror can’t be updated.');
    }
    response.redirect(303, mirrorsOf(manager));
  });

  addRemovalPage<ManagedMirror>(pages, {
    path: `${MIRROR}/remove`,
    find: (context) => findMirror(parts, context),
    ask: async ({ browser, places }, { manager, mirror }) => ({
      title: 'Remove the mirror?',
      consequences: [`${nameOf(mirror)} gets nothing any more. What it has stays there.`],
      button: 'Remove mirror',
      cancel: mirrorsOf(manager),
      frame: await places.ofProject(browser, manager, TAB),
    }),
    act: async (_context, { manager, mirror }) => {
      await remoteMirrors.remove(manager, mirror);
      return { notice: `${nameOf(mirror)} is no longer a mirror.`, to: mirrorsOf(manager) };
    },
  });
};

/** Settings > Mirrors: repositories elsewhere that get what is pushed, or that the project follows, and how they stand. */
export const addMirrorPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: TAB,
    label: 'Mirrors',
    to: 'settings/mirrors',
    permission: 'manage_mirrors',
    order: 77,
    within: 'settings',
    signedIn: true,
  });
  addListPage(pages, parts);
  // Before those of one mirror: its name is no number.
  addPullMirrorPages(pages, parts);
  addActions(pages, parts);
};
