import { FileChanged } from '../../../../../application/repositories/commit-actions.js';
import type { CodePlace } from '../../../../../application/repositories/locate-code.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import type { FileAction } from '../../../../../domain/repositories/file-action.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { Refusal } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import { actorOf } from '../page-session.js';
import { cutAt } from '../page-texts.js';
import type { PageData } from '../render.js';
import { shortName } from './code-addresses.js';
import { CodePage, type OpenCode } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { titleOf } from './commit-words.js';
import { mayCommitTo, ownBranch } from './own-branch.js';
import { openForWriting, refusalOf, type Writers } from './writing.js';

const LONGEST_MESSAGE = 10_000;
const LONGEST_NAME = 1_000;

/** What the form of a commit says of it. */
export interface CommitWords {
  readonly message: string;
  /** Empty where it goes to the branch that is open. */
  readonly branch: string;
}

interface Change {
  readonly branch: string;
  readonly words: CommitWords;
  readonly actions: readonly FileAction[];
  /** The field that says what the paths of the files are, where there is one. */
  readonly pathField?: string;
}

/** Why a commit was refused. */
export interface CommitRefusal extends Refusal {
  /** Whether it is only that somebody has changed the file meanwhile. */
  readonly overtaken?: boolean;
}

const OVERTAKEN = 'Somebody has changed the file since you began. Commit once more to put yours in its place.';

/** What is said beside these fields says itself what it is about. */
const FIELD_LABELS = { path: '', name: '', files: '', message: '', branch: '' };

/** What is said beside one field. */
export const beside = (field: string, problem: string): Refusal => ({ problems: { [field]: [problem] } });

/** Where a form changes files: a branch, or a repository without any. */
interface Target extends OpenCode, Partial<CodePlace> {
  readonly branch: string;
  /** For whom the branch is protected from: their change goes to one of their own. */
  readonly elsewhere: boolean;
}

/** A path of a branch. */
export type BranchTarget = Target & CodePlace;

/** A folder of a branch, or a repository without any, where files are to be made. */
export interface FolderTarget extends Target {
  readonly folder: string;
}

export const commitWordsIn = ({ request }: PageContext): CommitWords => ({
  message: cutAt(field(request, 'message').trim(), LONGEST_MESSAGE),
  branch: cutAt(field(request, 'branch').trim(), LONGEST_NAME),
});

/** What the forms that change files have in common. */
export class FileForms {
  readonly #page: CodePage;

  constructor(private readonly parts: CodeWritingPagesParts) {
    this.#page = new CodePage(parts);
  }

  /** @throws NotFound, Forbidden. */
  async openFile(context: PageContext): Promise<{ readonly writers: Writers; readonly target: BranchTarget }> {
    const writers = await openForWriting(this.parts, context);
    return { writers, target: await this.#openBranch(context) };
  }

  /** @throws NotFound, Forbidden. */
  async openFolder(context: PageContext): Promise<{ readonly writers: Writers; readonly target: FolderTarget }> {
    const writers = await openForWriting(this.parts, context);
    const open = await this.#page.open(context);
    const main = open.permitted.project.defaultBranch;
    if ((await this.parts.locate.defaultVersion(open.permitted)) === undefined)
      return { writers, target: { ...open, branch: main ?? DEFAULT_BRANCH, elsewhere: false, folder: '' } };
    const target = await this.#openBranch(context);
    const { repository, path, commit: version } = target;
    if ((await this.parts.objects.entryAt(repository.store, version.id, path))?.mode !== '40000')
      throw new NotFound('Folder');
    return { writers, target: { ...target, folder: path } };
  }

  async #openBranch(context: PageContext): Promise<BranchTarget> {
    const place = await this.#page.openPlace(context);
    if (place.ref.kind !== 'branch') throw new NotFound('Branch');
    // An address may say the full name.
    const branch = shortName(place.ref.name);
    const elsewhere = !(await mayCommitTo(this.parts, place, actorOf(context.browser), branch));
    return { ...place, branch, elsewhere };
  }

  /** The branch that a form proposes. */
  async proposed({ browser }: PageContext, { branch, elsewhere, repository }: Target): Promise<string> {
    return elsewhere && repository !== undefined ? ownBranch(this.parts, { repository }, actorOf(browser)) : branch;
  }

  /** Shows a form, with what they gave or what it is to begin with. */
  show(
    context: PageContext,
    template: string,
    target: Target,
    data: PageData & { readonly draft: CommitWords },
  ): Promise<void> {
    const { branch, elsewhere } = target;
    return this.#page.show(context, template, target, {
      ...data,
      ...{ tab: 'files', branch, elsewhere, fieldLabels: FIELD_LABELS },
    });
  }

  /** Where a change leads: whose change is not where it should go opens a merge request next. */
  lead({ response }: PageContext, target: Target, words: CommitWords, otherwise: string): void {
    const branch = words.branch || target.branch;
    const proposes = target.elsewhere && branch !== target.branch;
    response.redirect(303, proposes ? target.addresses.ownMergeRequest(branch, target.branch) : otherwise);
  }

  /** One commit; why not, where a rule or what was typed is against it. */
  async commit(
    context: PageContext,
    { permitted, writer }: Writers,
    { branch, words, actions, pathField }: Change,
  ): Promise<CommitRefusal | undefined> {
    const target = words.branch === '' ? branch : words.branch;
    const start = target === branch ? {} : { startBranch: branch };
    try {
      await this.parts.commitActions.execute(permitted, writer, {
        branch: target,
        message: words.message,
        actions,
        ...start,
      });
      tell(context.response, context.browser, `“${titleOf(words.message)}” committed to ${target}.`);
      return undefined;
    } catch (error) {
      const { status, problem, attribute } = refusalOf(error);
      context.response.status(status);
      if (error instanceof FileChanged) return { problem: OVERTAKEN, overtaken: true };
      const about = attribute === 'path' ? pathField : attribute;
      return about === undefined ? { problem } : beside(about, problem);
    }
  }
}
