import type { FileAction } from '../../../../../domain/repositories/file-action.js';
import { isFile, type TreeMode } from '../../../../../domain/repositories/object-format.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { withoutEnd } from '../../../../../domain/shared/without-ends.js';
import type { UploadedFile } from '../../body/parse-multipart.js';
import { isStorable } from '../../validation/storable-text.js';
import { field } from '../form-fields.js';
import type { Refusal } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import { UPLOAD_BYTES, type Pages } from '../page.js';
import { codePath } from './code-addresses.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { beside, commitWordsIn, FileForms, type CommitWords, type FolderTarget } from './file-forms.js';

const MEBIBYTE = 1_048_576;
/** Git keeps no folder that is empty; this is how people keep one. */
const KEEP = '.gitkeep';

interface UploadDraft extends CommitWords {
  readonly replaces: boolean;
}

interface FolderDraft extends CommitWords {
  readonly name: string;
}

const below = ({ folder }: FolderTarget, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Files that are there already are sent from a machine, and folders are made; each is one commit. */
class UploadPages {
  readonly #forms: FileForms;

  constructor(private readonly parts: CodeWritingPagesParts) {
    this.#forms = new FileForms(parts);
  }

  async openUpload(context: PageContext): Promise<void> {
    const { target } = await this.#forms.openFolder(context);
    const branch = await this.#forms.proposed(context, target);
    await this.#showUpload(context, target, { message: '', branch, replaces: false });
  }

  async saveUpload(context: PageContext, files: readonly UploadedFile[]): Promise<void> {
    const { writers, target } = await this.#forms.openFolder(context);
    const words = commitWordsIn(context);
    const replaces = field(context.request, 'replace') === 'true';
    const refuse = (problem: string): Promise<void> => {
      context.response.status(400);
      return this.#showUpload(context, target, { ...words, replaces }, beside('files', problem));
    };
    if (files.length === 0) return refuse('Choose a file first.');
    const there = await this.#findThere(target, files);
    const [first] = there.keys();
    if (first !== undefined && !replaces)
      return refuse(`${first} is there already. Send it again with “Replace files that are there”.`);
    const message = words.message === '' ? messageFor(files) : words.message;
    const refusal = await this.#forms.commit(context, writers, {
      branch: target.branch,
      words: { ...words, message },
      actions: files.flatMap((file) => actionsFor(target, file, there)),
      pathField: 'files',
    });
    if (refusal !== undefined) return this.#showUpload(context, target, { ...words, replaces }, refusal);
    this.#forms.lead(context, target, words, addressOf(target, words, files));
  }

  /** Which of the names files in the folder have, and of what mode they are. */
  async #findThere(target: FolderTarget, files: readonly UploadedFile[]): Promise<ReadonlyMap<string, TreeMode>> {
    const { repository, commit } = target;
    const there = new Map<string, TreeMode>();
    if (repository === undefined || commit === undefined) return there;
    for (const { name } of files) {
      if (!isStorable(name)) throw new BadRequest('The name of a file is not text.');
      const entry = await this.parts.objects.entryAt(repository.store, commit.id, below(target, name));
      if (entry !== undefined && isFile(entry)) there.set(name, entry.mode);
    }
    return there;
  }

  #showUpload(context: PageContext, target: FolderTarget, draft: UploadDraft, refusal: Refusal = {}): Promise<void> {
    return this.#forms.show(context, 'code-upload', target, {
      ...{ title: 'Upload files', folder: target.folder, draft },
      most: `${UPLOAD_BYTES / MEBIBYTE} MiB`,
      ...refusal,
    });
  }

  async openFolder(context: PageContext): Promise<void> {
    const { target } = await this.#forms.openFolder(context);
    const branch = await this.#forms.proposed(context, target);
    await this.#showFolder(context, target, { name: '', message: '', branch });
  }

  async saveFolder(context: PageContext): Promise<void> {
    const { writers, target } = await this.#forms.openFolder(context);
    const draft = { ...commitWordsIn(context), name: withoutEnd(field(context.request, 'name').trim(), /\//) };
    const path = below(target, draft.name);
    const action: FileAction = {
      kind: 'create',
      path: draft.name === '' ? '' : `${path}/${KEEP}`,
      content: new Uint8Array(),
      executable: false,
    };
    const message = draft.message === '' ? `Add the folder ${path}` : draft.message;
    if (await this.#isTaken(target, path)) {
      context.response.status(400);
      return this.#showFolder(context, target, draft, beside('name', `${path} is there already.`));
    }
    const refusal = await this.#forms.commit(context, writers, {
      branch: target.branch,
      words: { ...draft, message },
      actions: [action],
      pathField: 'name',
    });
    if (refusal !== undefined) return this.#showFolder(context, target, draft, refusal);
    const made = target.addresses.of('tree', draft.branch || target.branch, path);
    this.#forms.lead(context, target, draft, made);
  }

  async #isTaken({ repository, commit, folder }: FolderTarget, path: string): Promise<boolean> {
    if (repository === undefined || commit === undefined || path === '' || path === `${folder}/`) return false;
    return (await this.parts.objects.entryAt(repository.store, commit.id, path)) !== undefined;
  }

  #showFolder(context: PageContext, target: FolderTarget, draft: FolderDraft, refusal: Refusal = {}): Promise<void> {
    return this.#forms.show(context, 'code-new-folder', target, {
      ...{ title: 'New folder', folder: target.folder, draft },
      ...refusal,
    });
  }
}

const messageFor = (files: readonly UploadedFile[]): string =>
  files.length === 1 ? `Upload ${files[0]?.name}` : `Upload ${files.length} files`;

/** What replaces a symbolic link is a file, and no other link. */
const actionsFor = (
  target: FolderTarget,
  { name, content }: UploadedFile,
  there: ReadonlyMap<string, TreeMode>,
): readonly FileAction[] => {
  const path = below(target, name);
  const created: FileAction = { kind: 'create', path, content, executable: false };
  const mode = there.get(name);
  if (mode === undefined) return [created];
  return mode === '120000' ? [{ kind: 'delete', path }, created] : [{ kind: 'update', path, content }];
};

/** A file that came alone is shown. */
const addressOf = (target: FolderTarget, { branch }: CommitWords, files: readonly UploadedFile[]): string => {
  const [only] = files.length === 1 ? files : [];
  const version = branch || target.branch;
  return only === undefined
    ? target.addresses.of('tree', version, target.folder)
    : target.addresses.of('blob', version, below(target, only.name));
};

export const addUploadPages = (pages: Pages, parts: CodeWritingPagesParts): void => {
  const uploads = new UploadPages(parts);
  pages.get(codePath('upload'), 'signed_in', (context) => uploads.openUpload(context));
  pages.postFiles(codePath('upload'), (context, files) => uploads.saveUpload(context, files));
  pages.get(codePath('new_folder'), 'signed_in', (context) => uploads.openFolder(context));
  pages.post(codePath('new_folder'), 'signed_in', (context) => uploads.saveFolder(context));
};
