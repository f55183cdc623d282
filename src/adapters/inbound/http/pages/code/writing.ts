import type { CodeWriter } from '../../../../../application/repositories/commit-to-branch.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { DomainError, NotPossibleWith } from '../../../../../domain/shared/domain-error.js';
import { writerOf } from '../../api-v4/repository/code-writing.js';
import type { PageContext } from '../page-context.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';

/** Who changes the code of which project. */
export interface Writers {
  readonly permitted: Permitted<'push_code'>;
  readonly writer: CodeWriter;
}

/** @throws NotFound, Forbidden. */
export const openForWriting = async (
  { access, users }: CodeWritingPagesParts,
  { browser, request }: PageContext,
): Promise<Writers> => {
  const actor = actorOf(browser);
  const permitted = await access.project(actor, projectPath(request), 'push_code');
  return { permitted, writer: await writerOf(users, actor) };
};

interface WritingRefusal {
  readonly status: number;
  readonly problem: string;
  /** What alone it is because of. */
  readonly attribute?: string;
}

/** What to say beside the form when a change is refused, by a rule or because of what was typed. Any other error is thrown again. */
export const refusalOf = (error: unknown): WritingRefusal => {
  if (error instanceof NotPossibleWith) return { status: 400, problem: error.message, attribute: error.attribute };
  if (error instanceof DomainError && error.kind === 'invalid') return { status: 400, problem: error.message };
  if (error instanceof DomainError && error.kind === 'forbidden') return { status: 403, problem: error.message };
  throw error;
};
