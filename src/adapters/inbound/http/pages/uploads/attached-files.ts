import type { SentFile, Uploads } from '../../../../../application/uploads/uploads.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { DomainError, Invalid, NotPossible, TooLarge } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { markdownOf, type Upload } from '../../../../../domain/uploads/upload.js';
import { sentFiles } from '../../body/sent-files.js';
import { pictureType } from '../../picture-type.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';

export interface AttachingParts {
  readonly access: WorkspaceAccess;
  readonly uploads: Uploads;
}

/** A text of a form, and the project that it is about. */
interface AttachedTo {
  readonly project: { readonly id: ProjectId };
  /** The field of the text. */
  readonly text: string;
}

const FIELD = 'attachments';
const MOST_FILES = 10;

/** What its files are called where a form was refused because of them. */
export const ATTACHMENTS_LABEL = { [FIELD]: 'The attached files' } as const;

/** @throws Invalid of the field of the files. */
const store = async (
  { access, uploads }: AttachingParts,
  { browser }: PageContext,
  { id }: AttachedTo['project'],
  files: readonly SentFile[],
): Promise<readonly Upload[]> => {
  if (files.length > MOST_FILES) throw new Invalid({ [FIELD]: [`are more than ${MOST_FILES}`] });
  const place = await access.project(actorFor(browser), String(id), 'take_part');
  try {
    return await uploads.addAll(place, actorOf(browser), files);
  } catch (error) {
    if (error instanceof TooLarge) throw new Invalid({ [FIELD]: ['are too large (at most 10 MiB)'] });
    if (error instanceof NotPossible) throw new Invalid({ [FIELD]: [`can't be kept. ${error.message}`] });
    throw error;
  }
};

const withFiles = (text: string, files: readonly SentFile[], added: readonly Upload[]): string => {
  const links = added.map((upload, index) =>
    markdownOf(upload, pictureType(files[index]?.content ?? new Uint8Array()) !== undefined),
  );
  const lines = links.join('\n\n');
  return text.trim() === '' ? lines : `${text.trimEnd()}\n\n${lines}`;
};

/** Whether nothing was saved for sure. What was out of reach may have been so after the text was saved, as where it asks for a merge. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'overloaded';

/**
 * Does what a form asks for, with its text leading to the files that were sent with it. Where that is refused, none of them is kept, and
 * the text is what was typed.
 */
export const withAttached = async <Result>(
  parts: AttachingParts,
  context: PageContext,
  { project, text: name }: AttachedTo,
  act: () => Promise<Result>,
): Promise<Result> => {
  const { request } = context;
  const files = sentFiles(request, FIELD);
  if (files.length === 0) return act();
  const added = await store(parts, context, project, files);
  const typed = field(request, name);
  const form = request.body as Record<string, unknown>;
  form[name] = withFiles(typed, files, added);
  try {
    return await act();
  } catch (error) {
    form[name] = typed;
    if (isRefusal(error)) await parts.uploads.withdraw(added);
    throw error;
  }
};
