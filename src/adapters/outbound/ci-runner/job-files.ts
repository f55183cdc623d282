import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeZip, type FileForZip } from '../zip/write-zip.js';
import { findFiles } from './find-files.js';
import type { Dependency, Job, JobArtifact } from './job.js';
import { expandBy, type Variables } from './job-environment.js';
import type { JobLog } from './job-log.js';
import type { Outcome, RunnerClient } from './runner-client.js';
import { tryAgain } from './try-again.js';
import { unpackArchive } from './unpack-archive.js';

/** Where a job has its files. */
interface Place {
  readonly project: string;
  /** For what is made of them, beside the project. */
  readonly files: string;
  readonly signal: AbortSignal;
}

export interface LeavingPlace extends Place {
  readonly variables: Variables;
  /** What git doesn't know of the project. */
  readonly untracked: () => Promise<readonly string[]>;
}

const NEW_LINE = Buffer.from('\n');

export const counted = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

/** Why a file was not taken, or not given. */
const refusal = ({ status, reason }: Outcome): string => {
  const said = status === 413 ? 'they are too large for the server' : `the server answered ${status}`;
  return reason === undefined ? said : `${said} (${reason})`;
};

/** Files as one text: the last line of one doesn't go on in the next. */
async function* textsOf(files: readonly FileForZip[]): AsyncGenerator<Uint8Array> {
  let endsLine = true;
  for (const { from } of files) {
    if (!endsLine) yield NEW_LINE;
    for await (const chunk of createReadStream(from) as AsyncIterable<Uint8Array>) {
      endsLine = chunk.at(-1) === NEW_LINE[0];
      yield chunk;
    }
  }
}

/** The files that a job is given and that it leaves. What goes wrong is told in its log, and answered as a sentence. */
export class JobFiles {
  constructor(
    private readonly client: Pick<RunnerClient, 'fetchArchive' | 'sendArtifact'>,
    private readonly job: Job,
    private readonly log: JobLog,
    private readonly retryMs: number,
  ) {}

  /** Unpacks what jobs before left. What is gone is left out. */
  async fetch(place: Place): Promise<string | undefined> {
    for (const dependency of this.job.dependencies) {
      const problem = await this.#fetchOne(dependency, place);
      if (problem !== undefined) return `artifacts of ${dependency.name} (${dependency.id}): ${problem}`;
    }
    return undefined;
  }

  async #fetchOne(dependency: Dependency, { project, files, signal }: Place): Promise<string | undefined> {
    const { id, name } = dependency;
    this.log.line(`Downloading artifacts of ${name} (${id})...`);
    const archive = join(files, `archive-${id}.zip`);
    try {
      const answer = await tryAgain(() => this.client.fetchArchive(dependency, archive, signal), this.retryMs, signal);
      if (answer.status === 404) return void this.log.warning('They are gone: the job goes on without them.');
      if (answer.status !== 200) return refusal(answer);
      const unpacked = await unpackArchive(archive, project, signal);
      const leftOut = unpacked.leftOut === 0 ? '' : `, ${unpacked.leftOut} links and others left out`;
      return void this.log.line(`${counted(unpacked.files)}${leftOut}`);
    } catch (error) {
      return (error as Error).message;
    } finally {
      await rm(archive, { force: true });
    }
  }

  /** Sends what the job left, as it ended. */
  async send(well: boolean, place: LeavingPlace): Promise<string | undefined> {
    let problem: string | undefined;
    for (const wanted of this.job.artifacts) {
      if (wanted.when !== 'always' && (wanted.when === 'on_success') !== well) continue;
      const found = await this.#sendOne(wanted, place).catch((error: unknown) => (error as Error).message);
      if (found === undefined) continue;
      this.log.warning(`Not sent: ${found}.`);
      problem ??= `artifacts (${wanted.type}): ${found}`;
    }
    return problem;
  }

  async #sendOne(wanted: JobArtifact, place: LeavingPlace): Promise<string | undefined> {
    this.log.line(wanted.type === 'archive' ? 'Uploading artifacts...' : `Uploading artifacts (${wanted.type})...`);
    const files = await this.#filesOf(wanted, place);
    if (files.length === 0) return void this.log.warning('There is nothing to upload.');
    const made = join(place.files, `artifact-${wanted.type}`);
    try {
      const name = await this.#make(wanted, files, made, place);
      const about = { name, type: wanted.type, format: wanted.format, expireIn: wanted.expireIn };
      const answer = await tryAgain(
        () => this.client.sendArtifact(this.job, made, about, place.signal),
        this.retryMs,
        place.signal,
      );
      if (answer.status === 201)
        return void this.log.line(`${counted(files.length)}, ${(await stat(made)).size} bytes sent`);
      return refusal(answer);
    } finally {
      await rm(made, { force: true });
    }
  }

  async #filesOf(wanted: JobArtifact, { project, variables, untracked }: LeavingPlace): Promise<readonly FileForZip[]> {
    const expanded = (texts: readonly string[]): readonly string[] => texts.map((text) => expandBy(text, variables));
    const [paths, exclude] = [expanded(wanted.paths), expanded(wanted.exclude)];
    const found = await findFiles(project, { paths, exclude });
    for (const path of found.missing) this.log.warning(`${path}: no files found in the folder of the job.`);
    const others = wanted.untracked ? await this.#untracked({ exclude }, project, untracked) : [];
    if (found.links.length > 0)
      this.log.warning(`${found.links.length} links are left out: they lead to no file here.`);
    const known = new Set(found.files.map(({ path }) => path));
    return [...found.files, ...others.filter(({ path }) => !known.has(path))];
  }

  async #untracked(
    { exclude }: Pick<JobArtifact, 'exclude'>,
    project: string,
    untracked: LeavingPlace['untracked'],
  ): Promise<readonly FileForZip[]> {
    const names = new Set(await untracked());
    const all = await findFiles(project, { paths: ['.'], exclude });
    return all.files.filter(({ path }) => names.has(path));
  }

  /** Answers what it is called. */
  async #make(
    { name, type, format }: JobArtifact,
    files: readonly FileForZip[],
    target: string,
    { variables, signal }: LeavingPlace,
  ): Promise<string> {
    const called = name === null ? undefined : basename(expandBy(name, variables));
    const [first] = files;
    if (format === 'zip') {
      await writeZip(files, target, signal);
      return `${called ?? 'artifacts'}.zip`;
    }
    if (format === 'raw') {
      await copyFile(first!.from, target);
      return called ?? basename(first!.path);
    }
    await pipeline(textsOf(files), createGzip(), createWriteStream(target, { mode: 0o600 }), { signal });
    return `${called ?? type}.gz`;
  }
}
