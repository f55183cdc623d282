import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Pages } from '../page.js';
import { codePath, projectPagePath } from './code-addresses.js';
import { CodePage, crumbsOf, missingFrom, type OpenCode } from './code-page.js';
import { actorFor } from '../page-request.js';
import type { CodeTextParts } from './code-pages-parts.js';
import { ENTRIES_OF_PAGE, FolderView } from './folder-view.js';
import { pageNumber, queryText } from './query.js';

const LONGEST_PATH = 4_096;

interface Wanted {
  readonly ref: string;
  readonly path: string;
}

/** Folders, and the picker of versions. */
export const addFolderPages = (pages: Pages, parts: CodeTextParts): void => {
  const page = new CodePage(parts);
  const folders = new FolderView(parts);

  pages.get(codePath('tree'), 'anyone', async (context) => {
    const place = await page.openPlace(context);
    const { repository, commit, path, ref, addresses } = place;
    const entry = await parts.objects.entryAt(repository.store, commit.id, path);
    if (entry === undefined || entry.mode === '160000') throw missingFrom(place, 'Folder');
    if (entry.mode !== '40000') return context.response.redirect(302, addresses.of('blob', ref.name, path));
    const entries = (await parts.objects.tree(repository.store, entry.id)) ?? [];
    const number = pageNumber(context);
    const render = parts.markdown.ofFiles(actorFor(context.browser), place.permitted);
    const folder = await folders.show(place, entries, number, render);
    if (folder.entries.length === 0 && number > 1) throw new NotFound('Page');
    await page.show(context, 'code-folder', place, {
      title: path === '' ? `Files of ${place.permitted.project.name}` : `${path} · ${place.permitted.project.name}`,
      tab: 'files',
      view: 'tree',
      path,
      crumbs: crumbsOf(place, path),
      folder,
      page: folder,
      request: { page: number, perPage: ENTRIES_OF_PAGE },
    });
  });

  pages.tabs.addToProjects({ name: 'files', label: 'Files', to: 'tree', permission: 'read_code', order: 10 });

  // The tab leads to the default branch; where there is none yet, the page of the project says how to push it.
  pages.get(projectPagePath('tree'), 'anyone', async (context) => {
    const { permitted, addresses } = await page.open(context);
    const version = await parts.locate.defaultVersion(permitted);
    context.response.redirect(303, version === undefined ? addresses.project : addresses.of('tree', version.ref.name));
  });

  // The form of the picker: a version by its name, where the same path is shown if it is there.
  pages.get(projectPagePath('refs/switch'), 'anyone', async (context) => {
    const open = await page.open(context);
    const wanted = { ref: queryText(context, 'ref'), path: queryText(context, 'path', LONGEST_PATH) };
    context.response.redirect(303, await addressIn(open, wanted, queryText(context, 'view')));
  });

  const addressIn = async (open: OpenCode, { ref: wanted, path }: Wanted, view: string): Promise<string> => {
    const { addresses, permitted } = open;
    const version = await parts.locate.version(permitted, wanted);
    if (version === undefined) return `${addresses.page('branches')}?search=${encodeURIComponent(wanted)}`;
    const { repository, commit, ref } = version;
    if (view === 'commits') return addresses.of('commits', ref.name);
    const entry = path === '' ? undefined : await parts.objects.entryAt(repository.store, commit.id, path);
    const there = entry !== undefined && entry.mode !== '160000';
    return addresses.of(there && entry.mode !== '40000' ? 'blob' : 'tree', ref.name, there ? path : '');
  };
};
