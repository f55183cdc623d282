import {
  archiveIn,
  expiryOf,
  formatOf,
  isArtifactType,
  ordinaryNameOf,
  roomOfProject,
  type ArtifactType,
  type CiArtifact,
} from '../../domain/pipelines/artifact.js';
import type { CiJob } from '../../domain/pipelines/ci-job.js';
import { dotenvTooLarge, MOST_DOTENV_BYTES, readDotenv, requireRoomToTell } from '../../domain/pipelines/dotenv.js';
import { isGivenTo, toldBy } from '../../domain/pipelines/given-files.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import type { ByteSpan } from '../../domain/shared/byte-span.js';
import { BadRequest, DomainError, Forbidden, NotFound, TooLarge } from '../../domain/shared/domain-error.js';
import { cleanFileName } from '../../domain/shared/file-name.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { noRoom, requireRoomLeft, roomLeft } from '../../domain/shared/room-for-files.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type {
  ArtifactFiles,
  Bytes,
  CiArtifactReader,
  CiArtifactRepository,
  JobWithArchive,
  ReceivedFile,
  ZippedFile,
} from './ports/artifact-ports.js';
import type { CiJobRepository } from './ports/ci-job-ports.js';
import type { PipelineRepository } from './ports/pipeline-ports.js';

/** What a runner says of a file that it sends. */
export interface SaidOfFile {
  readonly type: string;
  readonly format: string | null;
  readonly expireIn: string | null;
}

interface Needs {
  readonly ciArtifacts: CiArtifactRepository;
  readonly ciJobs: Pick<CiJobRepository, 'find'>;
  readonly pipelines: Pick<PipelineRepository, 'hold'>;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: CiArtifactReader;
  readonly files: ArtifactFiles;
  /** Of one file. */
  readonly mostBytes: number;
  /** Of all files of a project; null for as many as there are. */
  readonly mostOfProject: number | null;
  readonly clock: Clock;
}

/** What a file of a job is, as far as it can be told before it comes. */
interface Fit {
  readonly type: ArtifactType;
  readonly expiresAt: Date | null;
}

/** What all files of a project have, of how much they may have. */
export interface UsedRoom {
  readonly bytes: number;
  /** Null for as much as there is. */
  readonly mostBytes: number | null;
}

const REMOVED_AT_ONCE = 100;
const LOOK_AGAIN_MS = 86_400_000;
/** A row follows its file within moments: what has none after so long belongs to nobody. */
const LEFT_BEHIND_MS = 3_600_000;

/** The files that jobs leave. */
export class Artifacts {
  constructor(private readonly parts: Parts) {}

  /** Of one file. */
  get mostBytes(): number {
    return this.parts.mostBytes;
  }

  async usedBy(projectId: ProjectId): Promise<UsedRoom> {
    return { bytes: (await this.parts.reader.sizesOf(projectId)).bytes, mostBytes: this.parts.mostOfProject };
  }

  /**
   * How many bytes a file may have.
   * @throws Forbidden for a job that doesn't run; BadRequest for what is no such file, or is there already; NoRoom.
   */
  async requireRoom(job: CiJob, said: SaidOfFile): Promise<number> {
    if (job.status !== 'running') throw new Forbidden('Job is not running');
    const { type } = this.#fit(said);
    if ((await this.parts.reader.find(job.id, type)) !== undefined) throw thereAlready(type);
    return this.roomOf(job);
  }

  /** How many bytes a file of whatever kind may have. @throws NoRoom. */
  async roomOf({ projectId }: CiJob): Promise<number> {
    const { reader, mostBytes, mostOfProject } = this.parts;
    return Math.min(mostBytes, roomLeft(await reader.sizesOf(projectId), roomOfProject(mostOfProject)));
  }

  /**
   * A file whose row follows by `accept`, or that is taken back by `withdraw`.
   * @param room how many bytes it may have. @throws NoRoom where that is what the project has left, else TooLarge.
   */
  async receive(bytes: Bytes, room: number): Promise<ReceivedFile> {
    try {
      return await this.parts.files.receive(bytes, room);
    } catch (error) {
      throw error instanceof TooLarge ? this.tooLargeFor(room) : error;
    }
  }

  /** Why a file is refused that has more bytes than there was room for. */
  tooLargeFor(room: number): DomainError {
    return room < this.parts.mostBytes ? noRoom(roomOfProject(this.parts.mostOfProject).tooLarge) : new TooLarge();
  }

  withdraw({ key }: ReceivedFile): Promise<void> {
    return this.parts.files.remove([key]);
  }

  /** Keeps what has come. Else it is taken back. @throws as `requireRoom` does. */
  async accept(job: CiJob, file: ReceivedFile, name: string, said: SaidOfFile): Promise<CiArtifact['type']> {
    try {
      return await this.#accept(job, file, name, said);
    } catch (error) {
      // Of what else went wrong nobody knows whether its row was written: the clean-up does.
      if (error instanceof DomainError) await this.withdraw(file);
      throw error;
    }
  }

  async #accept(job: CiJob, file: ReceivedFile, name: string, said: SaidOfFile): Promise<ArtifactType> {
    const { id, projectId, pipelineId } = job;
    const { type, expiresAt } = this.#fit(said);
    if (file.size > this.parts.mostBytes) throw new TooLarge();
    const variables = type === 'dotenv' ? await this.#readDotenv(file) : null;
    await this.parts.unitOfWork.execute(async ({ pipelines, ciJobs, ciArtifacts }) => {
      await pipelines.hold(projectId);
      const held = await ciJobs.find(id);
      if (held?.status !== 'running') throw new Forbidden('Job is not running');
      if ((await ciArtifacts.ofJob(id)).some((each) => each.type === type)) throw thereAlready(type);
      if (variables !== null) {
        const others = (await ciArtifacts.dotenvsOf(pipelineId)).map((report) => report.variables);
        requireRoomToTell([...others, variables]);
      }
      requireRoomLeft(file.size, await ciArtifacts.sizesOf(projectId), roomOfProject(this.parts.mostOfProject));
      await ciArtifacts.add({
        ...{ jobId: id, projectId, type, format: formatOf(type), expiresAt },
        ...{ fileName: name === '' ? ordinaryNameOf(type) : cleanFileName(name), createdAt: this.parts.clock.now() },
        ...{ size: file.size, sha256: file.sha256, fileKey: file.key, variables },
      });
    });
    return type;
  }

  async #readDotenv({ key, size }: ReceivedFile): Promise<readonly CiValue[]> {
    // What is packed may be a little more than what is in it, and nobody unpacks much of nothing.
    if (size > 2 * MOST_DOTENV_BYTES) throw dotenvTooLarge();
    try {
      return readDotenv(await this.parts.files.readPacked(key, MOST_DOTENV_BYTES));
    } catch (error) {
      throw error instanceof TooLarge ? dotenvTooLarge() : error;
    }
  }

  #fit({ type, format, expireIn }: SaidOfFile): Fit {
    const known = knownType(type);
    if (format !== null && format !== formatOf(known))
      throw new BadRequest('Invalid file format with specified file type');
    const expiresAt = expiryOf(expireIn, this.parts.clock.now());
    if (expiresAt === undefined) throw new BadRequest('expire_in should be a duration');
    return { type: known, expiresAt };
  }

  /** Whose files a job is given: what its file says, else those of all stages before it. */
  async dependenciesOf(job: CiJob): Promise<readonly JobWithArchive[]> {
    return (await this.parts.reader.archivesOf(job.pipelineId)).filter((from) => isGivenTo(job, from));
  }

  /** What the reports of these jobs say. */
  async variablesFor(job: CiJob): Promise<readonly CiValue[]> {
    return toldBy((await this.parts.reader.dotenvsOf(job.pipelineId)).filter((from) => isGivenTo(job, from)));
  }

  /** The archive of another job of the same pipeline, for one that runs. @throws Forbidden, NotFound. */
  async archiveFor(asking: CiJob, jobId: number): Promise<CiArtifact> {
    if (asking.status !== 'running') throw new Forbidden('Job is not running');
    const all = await this.parts.reader.archivesOf(asking.pipelineId);
    const found = all.find(({ id }) => id === jobId);
    if (found === undefined) throw new NotFound();
    return found.archive;
  }

  /** @throws NotFound where the job has none. */
  async archiveOf(jobId: number): Promise<CiArtifact> {
    const archive = archiveIn((await this.parts.reader.ofJobs([jobId])).get(jobId) ?? []);
    if (archive === undefined) throw new NotFound();
    return archive;
  }

  /** The archive of the job of a name in the newest pipeline of a branch or tag that succeeded. @throws NotFound. */
  async newestArchive(projectId: ProjectId, ref: string, jobName: string): Promise<CiArtifact> {
    const jobId = await this.parts.reader.newestJob(projectId, ref, jobName);
    if (jobId === undefined) throw new NotFound();
    return this.archiveOf(jobId);
  }

  /** @param span all of it where absent. */
  read({ fileKey }: CiArtifact, span?: ByteSpan): Promise<Bytes> {
    return this.parts.files.read(fileKey, span);
  }

  list({ fileKey }: CiArtifact, most: number): Promise<readonly ZippedFile[]> {
    return this.parts.files.list(fileKey, most);
  }

  /** One file of an archive. @throws NotFound; BadRequest for a path that leads out of it. */
  async fileIn({ fileKey }: CiArtifact, path: string): Promise<ZippedFile & { readonly bytes: () => Promise<Bytes> }> {
    if (path.split('/').some((part) => part === '..' || part === '.' || part === ''))
      throw new BadRequest('Bad request');
    const file = await this.parts.files.open(fileKey, path);
    if (file === undefined) throw new NotFound();
    if (file.size > MOST_UNPACKED_BYTES) throw new BadRequest('The file is too large unpacked: take the archive.');
    return file;
  }

  /** The text of a file in the archive of a job of a pipeline; undefined where none can be read, or a longer one than CI files may be. */
  async textIn(pipelineId: number, job: string, path: string): Promise<string | undefined> {
    const left = (await this.parts.reader.archivesOf(pipelineId)).find(({ name }) => name === job);
    try {
      return left && (await this.#textOf(left.archive, path));
    } catch (error) {
      // Jobs send what they like, and some of it is found to be no file only as it is unpacked: it will be none later, either.
      if (error instanceof NotFound || error instanceof BadRequest) return undefined;
      throw error;
    }
  }

  async #textOf({ fileKey }: CiArtifact, path: string): Promise<string | undefined> {
    const file = await this.parts.files.open(fileKey, path);
    if (file === undefined || file.size > MOST_TEXT_BYTES) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of await file.bytes()) pieces.push(piece);
    return Buffer.concat(pieces).toString('utf8');
  }

  /** What a job left stays until somebody takes it away. @throws NotFound where it left nothing. */
  async keep({ project }: Permitted<'run_pipelines'>, jobId: number): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ pipelines, ciArtifacts }) => {
      await pipelines.hold(project.id);
      if ((await ciArtifacts.ofJob(jobId)).length === 0) throw new NotFound();
      await ciArtifacts.keep(jobId);
    });
  }

  async remove({ project }: Permitted<'erase_jobs'>, jobId: number): Promise<void> {
    const keys = await this.parts.unitOfWork.execute(async ({ pipelines, ciArtifacts }) => {
      await pipelines.hold(project.id);
      return ciArtifacts.removeOfJob(jobId);
    });
    await this.parts.files.remove(keys);
  }

  /** All of a project, in small steps. */
  async removeAll({ project }: Permitted<'erase_jobs'>): Promise<void> {
    for (;;) {
      const keys = await this.parts.unitOfWork.execute(async ({ pipelines, ciArtifacts }) => {
        await pipelines.hold(project.id);
        return ciArtifacts.removeSomeOfProject(project.id, REMOVED_AT_ONCE);
      });
      await this.parts.files.remove(keys);
      if (keys.length < REMOVED_AT_ONCE) return;
    }
  }

  /** Removes what may go, and files that no row names. @param stopping ends it after a step. */
  async cleanUp(stopping?: AbortSignal): Promise<void> {
    await this.#removeDue(stopping);
    if (stopping?.aborted !== true) await this.#removeLeftBehind();
  }

  async #removeDue(stopping: AbortSignal | undefined): Promise<void> {
    const at = this.parts.clock.now();
    const lookAgainAt = new Date(at.getTime() + LOOK_AGAIN_MS);
    while (stopping?.aborted !== true) {
      const { looked, removed } = await this.parts.unitOfWork.execute(({ ciArtifacts }) =>
        ciArtifacts.removeDue(at, lookAgainAt, REMOVED_AT_ONCE),
      );
      await this.parts.files.remove(removed);
      if (looked < REMOVED_AT_ONCE) return;
    }
  }

  async #removeLeftBehind(): Promise<void> {
    const { files, reader, clock } = this.parts;
    const old = await files.olderThan(new Date(clock.now().getTime() - LEFT_BEHIND_MS));
    for (let from = 0; from < old.length; from += REMOVED_AT_ONCE)
      await files.remove(await reader.unknownOf(old.slice(from, from + REMOVED_AT_ONCE)));
  }
}

/** Of one file that is sent out of an archive: a small one may be made of very many zeros. */
const MOST_TEXT_BYTES = 4 * 1_048_576;
const MOST_UNPACKED_BYTES = 1_073_741_824;

const thereAlready = (type: ArtifactType): BadRequest => new BadRequest(`The job has its ${type} already`);

const knownType = (word: string): ArtifactType => {
  if (!isArtifactType(word)) throw new BadRequest('artifact_type does not have a valid value');
  return word;
};
