import {
  checkFileName,
  roomForPackages,
  type Package,
  type PackageFile,
  type PackageFileName,
  type PackageStatus,
} from '../../domain/packages/package.js';
import { DomainError, NotFound, TooLarge } from '../../domain/shared/domain-error.js';
import type { ByteSpan } from '../../domain/shared/byte-span.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { noRoom, requireRoomLeft, roomLeft } from '../../domain/shared/room-for-files.js';
import type { ArtifactFiles, Bytes, ReceivedFile } from '../pipelines/ports/artifact-ports.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { PackageReader, PackageRepository } from './ports/package-ports.js';

interface Needs {
  readonly packages: PackageRepository;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: PackageReader;
  /** Those of jobs lie there, too: its clean-up removes what no row of either names. */
  readonly files: Pick<ArtifactFiles, 'receiveOfPackage' | 'read' | 'remove'>;
  /** Of one file. */
  readonly mostBytes: number;
  /** Of all files of a project; null for as many as there are. */
  readonly mostOfProject: number | null;
  readonly clock: Clock;
}

/** What all files of a project have, of how much they may have. */
interface UsedRoom {
  readonly bytes: number;
  readonly mostBytes: number | null;
}

const REMOVED_AT_ONCE = 100;
const FORGOTTEN_AT_ONCE = 1_000;
/** That something was downloaded is written down no more often. */
const NOTED_EVERY_MS = 60_000;

/** Files of versions of a project that are kept for others. */
export class Packages {
  constructor(private readonly parts: Parts) {}

  async usedBy(projectId: ProjectId): Promise<UsedRoom> {
    return { bytes: (await this.parts.reader.sizesOf(projectId)).bytes, mostBytes: this.parts.mostOfProject };
  }

  /** How many bytes another file may have. @throws NoRoom. */
  async roomOf({ project }: Permitted<'write_packages'>): Promise<number> {
    const { reader, mostBytes, mostOfProject } = this.parts;
    return Math.min(mostBytes, roomLeft(await reader.sizesOf(project.id), roomForPackages(mostOfProject)));
  }

  /**
   * A file whose row follows by `accept`, or that is taken back by `withdraw`.
   * @param room how many bytes it may have. @throws NoRoom.
   */
  async receive(bytes: Bytes, room: number): Promise<ReceivedFile> {
    try {
      return await this.parts.files.receiveOfPackage(bytes, room, ['md5', 'sha1']);
    } catch (error) {
      throw error instanceof TooLarge ? this.tooLargeFor(room) : error;
    }
  }

  /** Why a file is refused that has more bytes than there was room for. */
  tooLargeFor(room: number): DomainError {
    const { mostBytes, mostOfProject } = this.parts;
    const ofProject = roomForPackages(mostOfProject).tooLarge;
    return noRoom(room < mostBytes ? ofProject : `a file of a package has at most ${mostBytes} bytes.`);
  }

  withdraw({ key }: ReceivedFile): Promise<void> {
    return this.parts.files.remove([key]);
  }

  /**
   * Keeps what has come, in the package of that name and version. Else it is taken back.
   * @param status of the package from then on; null leaves it as it is. @throws NoRoom.
   */
  async accept(
    place: Permitted<'write_packages'>,
    name: PackageFileName,
    status: PackageStatus | null,
    file: ReceivedFile,
  ): Promise<PackageFile> {
    try {
      return await this.#accept(place.project.id, checkFileName(name), status, file);
    } catch (error) {
      // Of what else went wrong nobody knows whether its row was written: the clean-up does.
      if (error instanceof DomainError) await this.withdraw(file);
      throw error;
    }
  }

  #accept(
    projectId: ProjectId,
    { name, version, fileName }: PackageFileName,
    status: PackageStatus | null,
    file: ReceivedFile,
  ): Promise<PackageFile> {
    const { md5 = '', sha1 = '' } = file.digests;
    return this.parts.unitOfWork.execute(async ({ packages }) => {
      await packages.hold(projectId);
      requireRoomLeft(file.size, await packages.sizesOf(projectId), roomForPackages(this.parts.mostOfProject));
      const createdAt = this.parts.clock.now();
      const found = await packages.find(projectId, name, version);
      if (found !== undefined && status !== null && status !== found.status) await packages.setStatus(found.id, status);
      const packageId =
        found?.id ?? (await packages.add({ projectId, name, version, status: status ?? 'default', createdAt }));
      const kept = {
        ...{ packageId, projectId, fileName, createdAt, size: file.size },
        ...{ sha256: file.sha256, sha1, md5, fileKey: file.key },
      };
      return { id: await packages.addFile(kept), ...kept };
    });
  }

  /** The bytes of a file that is downloaded, or of a part of it. @throws NotFound. */
  async read({ project }: Permitted<'read_packages'>, file: PackageFile, span?: ByteSpan): Promise<Bytes> {
    // Before it is opened: what fails afterwards would leave it open.
    await this.#note(await this.parts.reader.find(project.id, file.packageId));
    return this.parts.files.read(file.fileKey, span);
  }

  async #note(of: Package | undefined): Promise<void> {
    const at = this.parts.clock.now();
    if (of === undefined || at.getTime() - (of.lastDownloadedAt?.getTime() ?? 0) < NOTED_EVERY_MS) return;
    try {
      await this.parts.unitOfWork.execute(({ packages }) => packages.noteDownload(of.id, at));
    } catch (error) {
      // Where nothing can be written for now, files can be read all the same.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** A package with all its files, in small steps. @throws NotFound. */
  async remove({ project }: Permitted<'remove_packages'>, { id }: Package): Promise<void> {
    for (;;) {
      const { keys, isGone } = await this.parts.unitOfWork.execute(async ({ packages }) => {
        await packages.hold(project.id);
        const some = await packages.removeSomeFiles(id, REMOVED_AT_ONCE);
        if (some.length === REMOVED_AT_ONCE) return { keys: some, isGone: false };
        if (!(await packages.remove(project.id, id))) throw new NotFound('Package');
        return { keys: some, isGone: true };
      });
      await this.parts.files.remove(keys);
      if (isGone) return;
    }
  }

  /** One file; the package stays without it. @throws NotFound. */
  async removeFile({ project }: Permitted<'remove_packages'>, file: PackageFile): Promise<void> {
    const key = await this.parts.unitOfWork.execute(async ({ packages }) => {
      await packages.hold(project.id);
      return packages.removeFile(file.packageId, file.id);
    });
    if (key === undefined) throw new NotFound('Package file');
    await this.parts.files.remove([key]);
  }
}

/** Those of a project that is being removed: their files follow, since no row names them. */
export const forgetPackages: ForgetProject<Needs> = async ({ packages }, projectId) => {
  await packages.hold(projectId);
  return (await packages.removeSomeOfProject(projectId, FORGOTTEN_AT_ONCE)) < FORGOTTEN_AT_ONCE ? 'done' : 'more';
};
