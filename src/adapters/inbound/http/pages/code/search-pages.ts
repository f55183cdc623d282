import type { Match } from '../../../../../application/repositories/ports/object-stores.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { cutAt } from '../page-texts.js';
import type { Pages } from '../page.js';
import { projectPagePath } from './code-addresses.js';
import { CodePage } from './code-page.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { queryText } from './query.js';

const MATCHES_SHOWN = 200;
const LONGEST_LINE = 300;

const byFile = (found: readonly Match[]) => {
  const files = new Map<string, { readonly line: number; readonly text: string }[]>();
  for (const { path, line, text } of found) {
    const lines = files.get(path) ?? [];
    lines.push({ line, text: cutAt(text.trim(), LONGEST_LINE) });
    files.set(path, lines);
  }
  return [...files].map(([path, lines]) => ({ path, lines }));
};

/** Text in the files of a version. */
export const addSearchPages = (pages: Pages, parts: CodePagesParts): void => {
  const page = new CodePage(parts);

  pages.get(projectPagePath('search'), 'anyone', async (context) => {
    const open = await page.open(context);
    const [text, wanted] = [queryText(context, 'search'), queryText(context, 'ref')];
    const { permitted } = open;
    const version = await (wanted === ''
      ? parts.locate.defaultVersion(permitted)
      : parts.locate.version(permitted, wanted));
    if (version === undefined && wanted !== '') throw new NotFound('Revision');
    const line = text.replace(/[\r\n]+/g, ' ').trim();
    const matches =
      version === undefined || line === ''
        ? undefined
        : await parts.search.search(version.repository.store, version.commit.id, line, MATCHES_SHOWN);
    await page.show(
      context,
      'code-search',
      { ...open, ...version },
      {
        title: line === '' ? `Search in ${permitted.project.name}` : `${line} · ${permitted.project.name}`,
        tab: 'search',
        search: line,
        files: matches && byFile(matches.found),
        cut: matches?.cut,
      },
    );
  });
};
