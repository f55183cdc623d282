import type { DiscussableSubject, Subjects } from '../../../../../application/collaboration/subjects.js';
import type { PlaceToDiscuss } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import { SUBJECT_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { projectPath } from '../project-path.js';

/** What somebody is about to comment on, and its page. */
export type FoundToDiscuss = DiscussableSubject & {
  readonly address: string;
  readonly place: PlaceToDiscuss<SubjectKind>;
};

interface Discussed {
  readonly kind: SubjectKind;
  /** Of the list of a project; below it are the pages of what is in it. */
  readonly addressOf: (place: PlaceToDiscuss<SubjectKind>) => string;
}

/** What an address names by its number in a project. @throws NotFound, Forbidden for who may not comment on it. */
export const findToDiscuss = async (
  { access, subjects }: { readonly access: WorkspaceAccess; readonly subjects: Subjects },
  context: PageContext,
  { kind, addressOf }: Discussed,
): Promise<FoundToDiscuss> => {
  const actor = actorFor(context.browser);
  const place = await access.project(actor, projectPath(context.request), SUBJECT_PERMISSIONS[kind].discuss);
  const iid = pathNumber(context.request, 'iid');
  const found = await subjects.findToDiscuss(actor, place, kind, String(iid));
  return { ...found, place, address: `${addressOf(place)}/${iid}` };
};
