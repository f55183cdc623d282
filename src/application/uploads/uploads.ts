import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { NotPossible, TooLarge } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { cleanFileName } from '../../domain/shared/file-name.js';
import {
  MAX_FILE_BYTES,
  MAX_PROJECT_BYTES,
  MAX_PROJECT_FILES,
  MAX_VISITOR_BYTES,
  MAX_VISITOR_FILES,
  type Upload,
} from '../../domain/uploads/upload.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { NewUpload, UploadKey, UploadReader, UploadRepository } from './ports/upload-ports.js';

/** A file as it was sent. */
export interface SentFile {
  /** As its sender calls it. */
  readonly name: string;
  readonly content: Uint8Array;
}

interface Needs {
  readonly uploads: UploadRepository;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: UploadReader;
  readonly secrets: SecretSource;
  readonly digester: SecretDigester;
  readonly clock: Clock;
}

const SECRET_DIGITS = 32;
const VISITOR_FULL =
  'There is no room: who is no member of a project attaches at most 1,000 files there, which have 100 MiB at most.';

/** Files that people attach to what they write in projects. */
export class Uploads {
  constructor(private readonly parts: Parts) {}

  /** @throws TooLarge; NotPossible where the project has no room for it. */
  async add(place: Permitted<'take_part'>, author: UserActor, file: SentFile): Promise<Upload> {
    const [upload] = await this.addAll(place, author, [file]);
    return upload!;
  }

  /** All of them or none, in their order. @throws TooLarge; NotPossible where the project has no room for them. */
  async addAll(
    { project, level }: Permitted<'take_part'>,
    author: UserActor,
    files: readonly SentFile[],
  ): Promise<readonly Upload[]> {
    if (files.some(({ content }) => content.length > MAX_FILE_BYTES)) throw new TooLarge();
    const made = files.map((file) => this.#made(project.id, author, file));
    const sent = files.reduce((sum, { content }) => sum + content.length, 0);
    return this.parts.unitOfWork.execute(async ({ uploads }) => {
      const kept = await uploads.holdSizes(project.id);
      if (kept.files + files.length > MAX_PROJECT_FILES)
        throw new NotPossible('There is no room: at most 50,000 files are attached in a project.');
      if (kept.bytes + sent > MAX_PROJECT_BYTES)
        throw new NotPossible('There is no room: the files that are attached in a project have 1 GiB at most.');
      if (level === ACCESS_LEVEL.none) {
        const own = await uploads.sizesBy(project.id, author.id);
        if (own.files + files.length > MAX_VISITOR_FILES || own.bytes + sent > MAX_VISITOR_BYTES)
          throw new NotPossible(VISITOR_FULL);
      }
      const added: Upload[] = [];
      for (const { content, ...upload } of made)
        added.push({ ...upload, size: content.length, id: await uploads.add({ ...upload, content }) });
      return added;
    });
  }

  #made(projectId: ProjectId, author: UserActor, { name, content }: SentFile): NewUpload {
    const { secrets, digester, clock } = this.parts;
    const secret = digester.digest(secrets.token()).slice(0, SECRET_DIGITS);
    return { projectId, authorId: author.id, secret, fileName: cleanFileName(name), createdAt: clock.now(), content };
  }

  /** Takes back what was added for a text that was refused then. */
  async withdraw(added: readonly Upload[]): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ uploads }) => {
      for (const { id } of added) await uploads.remove(id);
    });
  }

  /** Undefined where the project has no such file. */
  async find(
    { project }: Permitted<'read_project'> | Permitted<'manage_uploads'>,
    key: UploadKey,
  ): Promise<Upload | undefined> {
    return this.parts.reader.find(project.id, key);
  }

  /** Its address leads nowhere from then on. */
  async remove({ project }: Permitted<'manage_uploads'>, key: UploadKey): Promise<boolean> {
    const upload = await this.parts.reader.find(project.id, key);
    if (upload === undefined) return false;
    await this.parts.unitOfWork.execute(({ uploads }) => uploads.remove(upload.id));
    return true;
  }
}

const FORGOTTEN_AT_ONCE = 3 * MAX_FILE_BYTES;

/** Those of a project that is being removed. */
export const forgetUploads: ForgetProject<Needs> = async ({ uploads }, projectId) =>
  (await uploads.removeOfProject(projectId, FORGOTTEN_AT_ONCE)) > 0 ? 'more' : 'done';
