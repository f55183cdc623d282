import type { ArchiveWriter } from '../../../../../application/repositories/ports/object-stores.js';
import { archiveFormat, archiveName, ARCHIVE_SPELLINGS } from '../../../../../domain/repositories/archive-name.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { disposition } from '../../api-v4/repository/bytes.js';
import { sendBytes } from '../../send-bytes.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { codePath } from './code-addresses.js';
import { CodePage } from './code-page.js';
import type { CodePagesParts } from './code-pages-parts.js';

export interface ArchivePageParts extends CodePagesParts {
  readonly archives: ArchiveWriter;
}

/** Of `tar.gz` and `gz` the longer one is meant. */
const EXTENSIONS = ARCHIVE_SPELLINGS.toSorted((one, other) => other.length - one.length);

/** What an address says: a version and behind it the name of the file, or the version alone with the extension of the file. */
const wantedBy = (rest: string): { readonly version: string; readonly extension: string } | undefined => {
  const extension = EXTENSIONS.find((spelling) => rest.endsWith(`.${spelling}`));
  if (extension === undefined) return undefined;
  const slash = rest.lastIndexOf('/');
  return { version: slash === -1 ? rest.slice(0, -extension.length - 1) : rest.slice(0, slash), extension };
};

const send = async ({ archives, locate, ...others }: ArchivePageParts, context: PageContext): Promise<void> => {
  const { permitted } = await new CodePage({ locate, ...others }).open(context);
  const wanted = wantedBy(String(context.request.params['rest']));
  const format = wanted && archiveFormat(wanted.extension);
  const version = wanted && (await locate.version(permitted, wanted.version));
  if (format === undefined || version === undefined) throw new NotFound('Archive');
  const { repository, commit, ref } = version;
  const prefix = archiveName(permitted.project.path, ref.name, commit.id);
  const open = () => archives.archive(repository.store, { commit: commit.id, format, prefix });
  await sendBytes(context.response, open, {
    status: 200,
    headers: {
      'Content-Type': format === 'zip' ? 'application/zip' : 'application/octet-stream',
      'Content-Disposition': disposition('attachment', `${prefix}.${format}`),
      'Cache-Control': 'private, no-cache',
    },
  });
};

/** All files of a version in one, to be saved. */
export const addArchivePage = (pages: Pages, parts: ArchivePageParts): void =>
  pages.getFile(codePath('archive'), (context) => send(parts, context));
