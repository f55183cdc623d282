import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import { held } from '../../../../../domain/repositories/held-objects.js';
import { isFile } from '../../../../../domain/repositories/object-format.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Pages } from '../page.js';
import { codePath } from './code-addresses.js';
import { CodePage, crumbsOf, type OpenPlace } from './code-page.js';
import { actorFor } from '../page-request.js';
import type { CodePagesParts, CodeTextParts } from './code-pages-parts.js';
import { pictureType } from '../../picture-type.js';
import { editableText, isBinary, linesOf, textOf } from './code-text.js';
import { isMarkdown } from './folder-view.js';
import { FileView } from './file-view.js';
import { pageNumber, queryText } from './query.js';
import { sendRaw } from './raw-answer.js';

const LINES_OF_BLAME = 1_000;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const isFolder = async ({ objects }: CodePagesParts, { repository, commit, path }: OpenPlace): Promise<boolean> =>
  path === '' || (await objects.entryAt(repository.store, commit.id, path))?.mode === '40000';

const commitsOf = async (
  { objects }: CodePagesParts,
  store: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Commit>> => {
  const found = await Promise.all(ids.map((id) => objects.commit(store, id)));
  return new Map(found.flatMap((commit) => (commit === undefined ? [] : [[commit.id, commit] as const])));
};

const addBlobPages = (pages: Pages, parts: CodeTextParts): void => {
  const page = new CodePage(parts);
  const files = new FileView(parts);

  pages.get(codePath('blob'), 'anyone', async (context) => {
    const place = await page.openPlace(context);
    const { addresses, ref, path, permitted } = place;
    // Links of texts don't know what they lead to.
    if (await isFolder(parts, place)) return context.response.redirect(302, addresses.of('tree', ref.name, path));
    const blob = await files.read(place);
    const plain = queryText(context, 'plain') === '1';
    const render = plain ? undefined : parts.markdown.ofFiles(actorFor(context.browser), permitted);
    const [file, [last]] = await Promise.all([
      files.show(place, blob, render),
      parts.history.log(place.repository.store, { tips: [place.commit.id], path, limit: 1 }),
    ]);
    await page.show(context, 'code-file', place, {
      title: `${path} · ${permitted.project.name}`,
      tab: 'files',
      view: 'blob',
      path,
      crumbs: crumbsOf(place, path, 'blob'),
      file,
      size: blob.size,
      last,
      editable: blob.mode !== '120000' && editableText(blob.content) !== undefined,
      canBePlain: isMarkdown(nameOf(path)),
    });
  });
};

const addRawPages = (pages: Pages, parts: CodePagesParts): void => {
  const page = new CodePage(parts);

  pages.getFile(codePath('raw'), async (context) => {
    const place = await page.openPlace(context);
    const { repository, commit, path } = place;
    const entry = await parts.objects.entryAt(repository.store, commit.id, path);
    if (entry === undefined || !isFile(entry)) throw new NotFound('File');
    const info = held(await parts.objects.info(repository.store, entry.id), entry.id);
    if (info.type !== 'blob') throw new NotFound('File');
    await sendRaw(context, nameOf(path), info, () => parts.objects.stream(repository.store, entry.id));
  });
};

const addBlamePages = (pages: Pages, parts: CodePagesParts): void => {
  const page = new CodePage(parts);
  const files = new FileView(parts);

  pages.get(codePath('blame'), 'anyone', async (context) => {
    const place = await page.openPlace(context);
    const { addresses, ref, path, permitted, repository, commit } = place;
    if (await isFolder(parts, place)) return context.response.redirect(302, addresses.of('tree', ref.name, path));
    const { content } = await files.read(place);
    if (content === undefined || isBinary(content) || pictureType(content) !== undefined)
      return context.response.redirect(302, addresses.of('blob', ref.name, path));
    const count = linesOf(textOf(content)).length;
    const number = pageNumber(context);
    const from = (number - 1) * LINES_OF_BLAME + 1;
    if (from > Math.max(count, 1)) throw new NotFound('Page');
    const to = Math.min(count, from + LINES_OF_BLAME - 1);
    const hunks = count === 0 ? [] : await parts.history.blame(repository.store, commit.id, path, { from, to });
    const commits = await commitsOf(parts, repository.store, [...new Set(hunks.map((hunk) => hunk.commit))]);
    let line = from;
    await page.show(context, 'code-blame', place, {
      title: `Blame of ${path} · ${permitted.project.name}`,
      tab: 'files',
      view: 'blame',
      path,
      crumbs: crumbsOf(place, path, 'blob'),
      hunks: hunks.map((hunk) => {
        const first = line;
        line += hunk.lines.length;
        return { first, lines: hunk.lines, commit: commits.get(hunk.commit) };
      }),
      page: { hasNext: to < count },
      request: { page: number, perPage: LINES_OF_BLAME },
    });
  });
};

/** One file: highlighted, raw, and by who wrote its lines. */
export const addFilePages = (pages: Pages, parts: CodeTextParts): void => {
  addBlobPages(pages, parts);
  addRawPages(pages, parts);
  addBlamePages(pages, parts);
};
