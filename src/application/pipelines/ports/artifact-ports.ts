import type { ArtifactType, CiArtifact } from '../../../domain/pipelines/artifact.js';
import type { LeavingJob, TellingJob } from '../../../domain/pipelines/given-files.js';
import type { CiValue } from '../../../domain/pipelines/predefined-variables.js';
import type { ByteSpan } from '../../../domain/shared/byte-span.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { FileSizes } from '../../../domain/shared/room-for-files.js';

export interface NewArtifact extends Omit<CiArtifact, 'id'> {
  /** What a dotenv report says; null for all others. */
  readonly variables: readonly CiValue[] | null;
}

export interface CiArtifactRepository {
  /** Of a job whose pipeline is held. */
  ofJob(jobId: number): Promise<readonly CiArtifact[]>;
  /** Of a project whose pipelines are held. */
  sizesOf(projectId: ProjectId): Promise<FileSizes>;
  /** As the one that reads. */
  dotenvsOf(pipelineId: number): Promise<readonly TellingJob[]>;
  add(artifact: NewArtifact): Promise<void>;
  /** Nobody needs to look whether they may go. */
  keep(jobId: number): Promise<void>;
  /** Answers what their files are called. */
  removeOfJob(jobId: number): Promise<readonly string[]>;
  /** The same of some of a project. */
  removeSomeOfProject(projectId: ProjectId, most: number): Promise<readonly string[]>;
  /**
   * Of those that may go by then, some: removes them, but for those of the newest pipeline of a branch or tag that succeeded, which are
   * looked at again later. Answers how many were looked at, and what the files of those are called that were removed.
   */
  removeDue(
    at: Date,
    lookAgainAt: Date,
    most: number,
  ): Promise<{ readonly looked: number; readonly removed: readonly string[] }>;
}

/** A job whose files another one is given. */
export interface JobWithArchive extends LeavingJob {
  readonly archive: CiArtifact;
}

export interface CiArtifactReader {
  /** Of each of these jobs that has any. */
  ofJobs(jobIds: readonly number[]): Promise<ReadonlyMap<number, readonly CiArtifact[]>>;
  find(jobId: number, type: ArtifactType): Promise<CiArtifact | undefined>;
  /** Of jobs of a pipeline that weren't run again: those that left an archive, in their order. */
  archivesOf(pipelineId: number): Promise<readonly JobWithArchive[]>;
  /** The same of dotenv reports. */
  dotenvsOf(pipelineId: number): Promise<readonly TellingJob[]>;
  /** That of one job, unless it was run again. */
  dotenvOf(jobId: number): Promise<TellingJob | undefined>;
  /** The job of this name in the newest pipeline of a branch or tag that succeeded. */
  newestJob(projectId: ProjectId, ref: string, name: string): Promise<number | undefined>;
  /** The job of this name in a pipeline, where it succeeded; the last one of those that were run again. */
  succeededJob(pipelineId: number, name: string): Promise<number | undefined>;
  /** Of all files of a project. */
  sizesOf(projectId: ProjectId): Promise<FileSizes>;
  /** Which of these no row names, of a job or of whatever else has files there; none where there never was such a row. */
  unknownOf(fileKeys: readonly string[]): Promise<readonly string[]>;
}

export type Bytes = AsyncIterable<Uint8Array>;

/** A file that has come, and that no row names yet. */
export interface ReceivedFile {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  /** Those that were asked for besides. */
  readonly digests: Readonly<Partial<Record<OtherDigest, string>>>;
}

/** What clients compare that know no better one. */
export type OtherDigest = 'md5' | 'sha1';

/** A file within a zip. */
export interface ZippedFile {
  readonly path: string;
  /** In bytes, unpacked. */
  readonly size: number;
}

/** Where the files lie. What goes wrong there is that they are out of reach: Unavailable. */
export interface ArtifactFiles {
  /** Resolves once it lasts through a loss of power. @throws TooLarge; what reading the bytes throws. Then nothing of it is left. */
  receive(bytes: Bytes, mostBytes: number): Promise<ReceivedFile>;
  /** The same of a file that no job left, with digests of other kinds. */
  receiveOfPackage(bytes: Bytes, mostBytes: number, also: readonly OtherDigest[]): Promise<ReceivedFile>;
  /** Reads nothing beyond the span; all of it where absent. @throws NotFound. */
  read(key: string, span?: ByteSpan): Promise<Bytes>;
  /** The text of one that is packed by gzip, of so many bytes at most. @throws TooLarge; BadRequest for what is no such text. */
  readPacked(key: string, mostBytes: number): Promise<string>;
  /** The bytes of one that is packed by gzip, of so many at most, as they are read. @throws NotFound, TooLarge; BadRequest for what isn't packed so. */
  unpack(key: string, mostBytes: number): Bytes;
  remove(keys: readonly string[]): Promise<void>;
  /** What lies there since before then, of a part of the folder: each call goes on with the next part. Removes what never came whole, and what backups left that were killed. */
  olderThan(at: Date): Promise<readonly string[]>;
  /** What a zip has, in its order, no more than so many. @throws NotFound; BadRequest for what is no zip. */
  list(key: string, most: number): Promise<readonly ZippedFile[]>;
  /** One file of a zip; undefined where it has none of that path. @throws as `list` does. */
  open(key: string, path: string): Promise<(ZippedFile & { readonly bytes: () => Promise<Bytes> }) | undefined>;
}
