import type { CodePlace } from '../../../../../application/repositories/locate-code.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import type { FileAction } from '../../../../../domain/repositories/file-action.js';
import { refPartsOf } from '../../../../../domain/repositories/ref-name.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import { cutAt } from '../page-texts.js';
import { CodePage, type OpenCode, type OpenPlace } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { titleOf } from './commit-words.js';
import { openForWriting, refusalOf, type Writers } from './writing.js';

const LONGEST_MESSAGE = 10_000;
const LONGEST_NAME = 1_000;

/** What the form of a commit says of it. */
export interface CommitWords {
  readonly message: string;
  /** Empty where it goes to the branch that is open. */
  readonly branch: string;
}

export interface FormRefusal {
  readonly status: number;
  readonly problem: string;
}

/** Where files are to be made: a folder of a branch, or a repository without any. */
export type FolderTarget = OpenCode & Partial<CodePlace> & { readonly branch: string; readonly folder: string };

export const commitWordsIn = ({ request }: PageContext): CommitWords => ({
  message: cutAt(field(request, 'message').trim(), LONGEST_MESSAGE),
  branch: cutAt(field(request, 'branch').trim(), LONGEST_NAME),
});

/** Its short name, where an address says the full one. */
export const branchOf = ({ ref }: OpenPlace): string => refPartsOf(ref.name)?.name ?? ref.name;

/** What the forms that change files have in common. */
export class FileForms {
  readonly page: CodePage;

  constructor(private readonly parts: CodeWritingPagesParts) {
    this.page = new CodePage(parts);
  }

  /** @throws NotFound, Forbidden. */
  async openFolder(context: PageContext): Promise<{ readonly writers: Writers; readonly target: FolderTarget }> {
    const writers = await openForWriting(this.parts, context);
    const open = await this.page.open(context);
    const main = open.permitted.project.defaultBranch;
    if ((await this.parts.locate.defaultVersion(open.permitted)) === undefined)
      return { writers, target: { ...open, branch: main ?? DEFAULT_BRANCH, folder: '' } };
    const place = await this.page.openPlace(context);
    if (place.ref.kind !== 'branch') throw new NotFound('Branch');
    const { repository, path, commit: version } = place;
    if ((await this.parts.objects.entryAt(repository.store, version.id, path))?.mode !== '40000')
      throw new NotFound('Folder');
    return { writers, target: { ...place, branch: branchOf(place), folder: path } };
  }

  /** One commit; why not, where a rule or what was typed is against it. */
  async commit(
    context: PageContext,
    { permitted, writer }: Writers,
    {
      branch,
      words,
      actions,
    }: { readonly branch: string; readonly words: CommitWords; readonly actions: readonly FileAction[] },
  ): Promise<FormRefusal | undefined> {
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
      const refusal = refusalOf(error);
      context.response.status(refusal.status);
      return refusal;
    }
  }
}
