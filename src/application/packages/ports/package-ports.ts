import type { Package, PackageFile, PackageFileName, PackageStatus } from '../../../domain/packages/package.js';
import type { GroupId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { FileSizes } from '../../../domain/shared/room-for-files.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

export interface PackageRepository {
  /** Of works that change the packages of a project, each waits for the one before. */
  hold(projectId: ProjectId): Promise<void>;
  /** The rest asks for a project whose packages are held. */
  sizesOf(projectId: ProjectId): Promise<FileSizes>;
  find(projectId: ProjectId, name: string, version: string): Promise<Package | undefined>;
  /** @returns its id. */
  add(made: Omit<Package, 'id' | 'lastDownloadedAt'>): Promise<number>;
  setStatus(id: number, status: PackageStatus): Promise<void>;
  addFile(file: Omit<PackageFile, 'id'>): Promise<number>;
  noteDownload(id: number, at: Date): Promise<void>;
  /** False where there is none. */
  remove(projectId: ProjectId, id: number): Promise<boolean>;
  /** What the file is called where files lie; undefined where there is none. */
  removeFile(packageId: number, fileId: number): Promise<string | undefined>;
  /** Of some of a package. */
  removeSomeFiles(packageId: number, most: number): Promise<readonly string[]>;
  /** How many files and packages of a project it removed, of so many at most. */
  removeSomeOfProject(projectId: ProjectId, most: number): Promise<number>;
}

export interface PackageFilter {
  /** A part of it, in whatever case. */
  readonly name?: string;
  readonly version?: string;
  /** `default` unless told. */
  readonly status?: PackageStatus;
  readonly orderBy: 'created_at' | 'name' | 'version';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface PackageOfGroup extends Package {
  readonly projectPath: string;
}

export interface PackageReader {
  find(projectId: ProjectId, id: number): Promise<Package | undefined>;
  list(projectId: ProjectId, filter: PackageFilter): Promise<Page<Package>>;
  /** Of a group and everything below it, in projects whose packages the viewer may read. */
  listInGroup(groupId: GroupId, viewer: Viewer, filter: PackageFilter): Promise<Page<PackageOfGroup>>;
  /** How many files each of these has. */
  countFiles(packageIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** In the order in which they came. */
  files(packageId: number, page: PageRequest, sort?: SortDirection): Promise<Page<PackageFile>>;
  file(projectId: ProjectId, fileId: number): Promise<PackageFile | undefined>;
  /** The newest of that name. */
  fileNamed(projectId: ProjectId, name: PackageFileName): Promise<PackageFile | undefined>;
  sizesOf(projectId: ProjectId): Promise<FileSizes>;
}
