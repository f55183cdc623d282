import type { ObjectId } from './object-id.js';

export const ARCHIVE_FORMATS = ['tar.gz', 'tar.bz2', 'tar', 'zip'] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

const SPELLINGS: Readonly<Record<string, ArchiveFormat>> = {
  zip: 'zip',
  tar: 'tar',
  'tar.gz': 'tar.gz',
  tgz: 'tar.gz',
  gz: 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
};

/** Every spelling of an archive's format that addresses may end in. */
export const ARCHIVE_SPELLINGS: readonly string[] = Object.keys(SPELLINGS);

export const archiveFormat = (spelling: string): ArchiveFormat | undefined =>
  Object.hasOwn(SPELLINGS, spelling) ? SPELLINGS[spelling] : undefined;

const plain = (text: string): string => text.replaceAll('/', '-');

/** The name of an archive without its extension, which is also its one top folder. */
export const archiveName = (project: string, ref: string, commit: ObjectId, path = ''): string => {
  const short = ref.replace(/^refs\/(?:heads|tags)\//, '');
  return [project, plain(short), commit, ...(path === '' ? [] : [plain(path)])].join('-');
};
