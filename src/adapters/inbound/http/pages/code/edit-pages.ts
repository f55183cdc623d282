import type { FileAction } from '../../../../../domain/repositories/file-action.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { isStorable } from '../../validation/storable-text.js';
import { begunText } from '../begun-text.js';
import { field } from '../form-fields.js';
import type { Refusal } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { codePath } from './code-addresses.js';
import { crumbsOf } from './code-page.js';
import { editableText } from './code-text.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import {
  commitWordsIn,
  FileForms,
  type BranchTarget,
  type CommitRefusal,
  type CommitWords,
  type FolderTarget,
} from './file-forms.js';
import { chosenTemplate, FileTemplates } from './file-templates.js';
import { FileView } from './file-view.js';

/** What a form for a file holds, as it was given or as it is to begin with. */
interface Draft extends CommitWords {
  readonly path: string;
  readonly content: string;
  readonly lastCommitId: string;
  /** The template that a new file was begun with. */
  readonly begunWith?: string;
}

const draftIn = (context: PageContext): Draft => ({
  ...commitWordsIn(context),
  path: field(context.request, 'path'),
  content: field(context.request, 'content'),
  lastCommitId: field(context.request, 'last_commit_id'),
  begunWith: field(context.request, 'begun_with'),
});

const BOTH = 'What you had typed stands below the template.';

const pathIn = ({ folder }: FolderTarget, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Forms send every end of a line as CR LF, whatever the file has. */
const bytesOf = ({ request }: PageContext, before: string): Uint8Array => {
  const content: unknown = (request.body as Record<string, unknown> | undefined)?.['content'];
  // Anything else would be taken for an empty file.
  if (typeof content !== 'string' || !isStorable(content)) throw new BadRequest('The content is not text.');
  const plain = content.replaceAll('\r\n', '\n');
  return Buffer.from(before.includes('\r\n') ? plain.replaceAll('\n', '\r\n') : plain);
};

/** Who was told that the file has changed puts theirs in its place by sending the form once more. */
const again = (draft: Draft, { commit }: BranchTarget, { overtaken = false }: CommitRefusal): Draft =>
  overtaken ? { ...draft, lastCommitId: commit.id } : draft;

/** Files are changed, made and removed in the browser; each change is a commit. */
class EditPages {
  readonly #forms: FileForms;
  readonly #files: FileView;
  readonly #templates: FileTemplates;

  constructor(parts: CodeWritingPagesParts) {
    this.#forms = new FileForms(parts);
    this.#files = new FileView(parts);
    this.#templates = new FileTemplates(parts.templates, parts.users);
  }

  /** A file of a branch. @throws NotFound, Forbidden. */
  async #openFile(context: PageContext) {
    const { writers, target } = await this.#forms.openFile(context);
    return { writers, place: target, branch: target.branch, blob: await this.#files.read(target) };
  }

  #showEdit(context: PageContext, place: BranchTarget, draft: Draft, refusal: Refusal = {}): Promise<void> {
    return this.#forms.show(context, 'code-edit', place, {
      title: `Edit ${place.path}`,
      heading: `Edit ${place.path}`,
      crumbs: crumbsOf(place, place.path, 'blob'),
      path: place.path,
      draft,
      ...refusal,
    });
  }

  async openEdit(context: PageContext): Promise<void> {
    const { place, blob } = await this.#openFile(context);
    const content = blob.mode === '120000' ? undefined : editableText(blob.content);
    if (content === undefined)
      return context.response.redirect(303, place.addresses.of('blob', place.ref.name, place.path));
    const message = `Update ${place.path}`;
    const branch = await this.#forms.proposed(context, place);
    await this.#showEdit(context, place, { path: place.path, content, message, branch, lastCommitId: place.commit.id });
  }

  async saveEdit(context: PageContext): Promise<void> {
    const { writers, place, branch, blob } = await this.#openFile(context);
    const draft = draftIn(context);
    const content = bytesOf(context, editableText(blob.content) ?? '');
    const moved = draft.path !== place.path;
    const { lastCommitId } = draft;
    const action: FileAction = moved
      ? { kind: 'move', path: draft.path, previousPath: place.path, content, lastCommitId }
      : { kind: 'update', path: place.path, content, lastCommitId };
    const refusal = await this.#forms.commit(context, writers, {
      ...{ branch, words: draft, actions: [action], pathField: 'path' },
    });
    if (refusal !== undefined) return this.#showEdit(context, place, again(draft, place, refusal), refusal);
    this.#forms.lead(context, place, draft, place.addresses.of('blob', draft.branch || place.ref.name, draft.path));
  }

  async #showNew(
    context: PageContext,
    target: FolderTarget,
    draft: Draft,
    said: Refusal & { readonly notice?: string } = {},
  ): Promise<void> {
    return this.#forms.show(context, 'code-edit', target, {
      title: 'New file',
      heading: 'New file',
      path: '',
      templates: await this.#templates.choices(context),
      draft,
      ...said,
    });
  }

  async openNew(context: PageContext): Promise<void> {
    const { target } = await this.#forms.openFolder(context);
    const chosen = chosenTemplate(context);
    const { name, content } = await this.#templates.begin(context, target.permitted.project, chosen);
    const path = pathIn(target, name);
    const branch = await this.#forms.proposed(context, target);
    await this.#showNew(context, target, { path, content, message: '', branch, lastCommitId: '', begunWith: chosen });
  }

  /** Shows the form again with a template in it. */
  async #useTemplate(context: PageContext, target: FolderTarget): Promise<void> {
    const { project } = target.permitted;
    const draft = draftIn(context);
    const chosen = chosenTemplate(context);
    const template = await this.#templates.begin(context, project, chosen);
    const before = await this.#templates.begin(context, project, draft.begunWith ?? '');
    const typed = draft.content.replaceAll('\r\n', '\n');
    const content = begunText(template.content, before.content, typed);
    const unnamed = ['', target.folder, pathIn(target, ''), pathIn(target, before.name)];
    const path = unnamed.includes(draft.path.trim()) ? pathIn(target, template.name) : draft.path;
    const notice = content !== typed && content.endsWith(typed) && typed.trim() !== '' ? BOTH : '';
    await this.#showNew(context, target, { ...draft, path, content, begunWith: chosen }, { notice });
  }

  async saveNew(context: PageContext): Promise<void> {
    const { writers, target } = await this.#forms.openFolder(context);
    if (field(context.request, 'use_template') !== '') return this.#useTemplate(context, target);
    const sent = draftIn(context);
    const given = { ...sent, path: sent.path.trim() };
    const draft = given.message === '' ? { ...given, message: `Add ${given.path}` } : given;
    const content = bytesOf(context, '');
    const action: FileAction = { kind: 'create', path: draft.path, content, executable: false };
    const refusal = await this.#forms.commit(context, writers, {
      ...{ branch: target.branch, words: draft, actions: [action], pathField: 'path' },
    });
    if (refusal !== undefined) return this.#showNew(context, target, given, refusal);
    const made = target.addresses.of('blob', draft.branch || target.branch, draft.path);
    this.#forms.lead(context, target, draft, made);
  }

  #showRemoval(context: PageContext, place: BranchTarget, draft: Draft, refusal: Refusal = {}): Promise<void> {
    return this.#forms.show(context, 'code-remove', place, {
      title: `Delete ${place.path}`,
      crumbs: crumbsOf(place, place.path, 'blob'),
      path: place.path,
      draft,
      ...refusal,
    });
  }

  async openRemoval(context: PageContext): Promise<void> {
    const { place } = await this.#openFile(context);
    const message = `Delete ${place.path}`;
    const branch = await this.#forms.proposed(context, place);
    await this.#showRemoval(context, place, { path: '', content: '', message, branch, lastCommitId: place.commit.id });
  }

  async saveRemoval(context: PageContext): Promise<void> {
    const { writers, place, branch } = await this.#openFile(context);
    const draft = draftIn(context);
    const action: FileAction = { kind: 'delete', path: place.path, lastCommitId: draft.lastCommitId };
    const refusal = await this.#forms.commit(context, writers, { branch, words: draft, actions: [action] });
    if (refusal !== undefined) return this.#showRemoval(context, place, again(draft, place, refusal), refusal);
    this.#forms.lead(context, place, draft, place.addresses.of('tree', draft.branch || place.ref.name));
  }
}

export const addEditPages = (pages: Pages, parts: CodeWritingPagesParts): void => {
  const edits = new EditPages(parts);
  pages.get(codePath('edit'), 'signed_in', (context) => edits.openEdit(context));
  pages.postLarge(codePath('edit'), (context) => edits.saveEdit(context));
  pages.get(codePath('new'), 'signed_in', (context) => edits.openNew(context));
  pages.postLarge(codePath('new'), (context) => edits.saveNew(context));
  pages.get(codePath('delete'), 'signed_in', (context) => edits.openRemoval(context));
  pages.post(codePath('delete'), 'signed_in', (context) => edits.saveRemoval(context));
};
