import { BadRequest } from '../shared/domain-error.js';
import type { ProjectId } from '../shared/identifiers.js';
import type { RoomForFiles } from '../shared/room-for-files.js';

/** Hidden ones are left out of lists that don't ask for them. */
export const PACKAGE_STATUSES = ['default', 'hidden'] as const;
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];

/** A version of something that a project keeps files of, for others to download. */
export interface Package {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly name: string;
  readonly version: string;
  readonly status: PackageStatus;
  readonly createdAt: Date;
  /** To the minute; null for what nobody downloaded yet. */
  readonly lastDownloadedAt: Date | null;
}

/** It never changes. Of several of one name in a package the newest is what is downloaded by that name. */
export interface PackageFile {
  readonly id: number;
  readonly packageId: number;
  readonly projectId: ProjectId;
  readonly fileName: string;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly sha1: string;
  readonly md5: string;
  /** What it is called where files lie. */
  readonly fileKey: string;
  readonly createdAt: Date;
}

/** What a file is called in a project. */
export interface PackageFileName {
  readonly name: string;
  readonly version: string;
  readonly fileName: string;
}

const NAME = /^[A-Za-z0-9._-]{1,255}$/;
const VERSION = /^[A-Za-z0-9._+-]{1,255}$/;
/** Programs that unpack or save files take these for folders. */
const ONLY_DOTS = /^\.+$/;
/** Slashes of either kind, control characters, ends of lines, and characters that turn the direction of what stands around them. */
const UNFIT = /[/\\\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const LONGEST_FILE_NAME = 255;

const isFileName = (text: string): boolean =>
  text.length > 0 && text.length <= LONGEST_FILE_NAME && text.isWellFormed() && !UNFIT.test(text);

/** @throws BadRequest for what no file can be called. */
export const checkFileName = (sent: PackageFileName): PackageFileName => {
  const { name, version, fileName } = sent;
  if (!NAME.test(name) || ONLY_DOTS.test(name))
    throw new BadRequest('package_name is invalid: letters, digits, ".", "_" and "-", 255 at most');
  if (!VERSION.test(version) || ONLY_DOTS.test(version))
    throw new BadRequest('package_version is invalid: letters, digits, ".", "_", "+" and "-", 255 at most');
  if (!isFileName(fileName) || fileName.includes('..') || fileName === '.')
    throw new BadRequest('file_name is invalid: 255 characters at most, without slashes, control characters and ".."');
  return sent;
};

/** Their sum is taken for each that comes. */
const MOST_FILES = 100_000;

/** @param mostBytes of all files of packages of a project together; null for as many as there are. */
export const roomForPackages = (mostBytes: number | null): RoomForFiles => ({
  mostFiles: MOST_FILES,
  mostBytes,
  tooMany: `packages of a project have at most ${MOST_FILES} files.`,
  tooLarge: `files of packages of a project have at most ${mostBytes ?? Infinity} bytes together.`,
});
