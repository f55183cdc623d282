import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { PlanningSearch } from '../../../../../application/planning/ports/planning-search.js';
import { mapBatches, nothingInBatches, type PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { MergeRequestReader } from '../../../../../application/review/ports/merge-request-ports.js';
import type { SnippetReader } from '../../../../../application/snippets/ports/snippet-ports.js';
import type { Viewer, WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { MergeRequestState } from '../../../../../domain/review/merge-request.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { mapPage, type Page, type PageRequest, type SortDirection } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { presentNote } from '../collaboration/note-schema.js';
import { presentIssue, presentOwnIssue } from '../issues/issue-schema.js';
import { presentListedMergeRequest } from '../merge-requests/merge-request-schema.js';
import { presentMilestone } from '../milestones/milestone-schema.js';
import { LIST_DEFAULTS, ShowProjects, type ShowProjectsParts } from '../projects/show-projects.js';
import { presentSnippet } from '../snippets/snippet-schema.js';
import { presentBasicUser } from '../users/present-user.js';

export interface SearchParts extends ShowProjectsParts {
  readonly reader: WorkspaceReader;
  readonly users: UserReader;
  readonly planningReader: PlanningReader;
  readonly planningSearch: PlanningSearch;
  readonly snippetReader: SnippetReader;
  readonly mergeRequestReader: MergeRequestReader;
}

/** What is searched for, and where; without a place everywhere. */
export interface Search {
  readonly actor: Actor;
  readonly viewer: Viewer;
  readonly text: string;
  readonly group?: GroupId;
  readonly project?: ProjectId;
  /** Of issues and merge requests. */
  readonly state?: MergeRequestState;
  readonly confidential?: boolean;
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

/** What was found, as lists of that kind show it. */
export type Found = Page<object> | PageInBatches<object>;
export type FindIn<What extends Search = Search> = (parts: SearchParts, search: What) => Promise<Found>;

const shownInBatches = <Item>(found: PageInBatches<Item>, show: (item: Item) => object): PageInBatches<object> => ({
  ...found,
  batches: mapBatches(found.batches, show),
});

export const findProjects: FindIn = (parts, { actor, text: search, group, sort, page }) =>
  new ShowProjects(parts).page(
    { actor, parameters: { ...LIST_DEFAULTS, sort, search }, page },
    group === undefined ? {} : { within: { namespaceId: group, includeSubgroups: true } },
  );

export const findIssues: FindIn = async ({ planningReader, urls }, search) => {
  const { viewer, text, group: within, project: projectId, state, confidential, sort, page } = search;
  if (state === 'merged') return nothingInBatches();
  const narrowed = given({ projectId, within, state, confidential });
  const found = await planningReader.listIssues({
    viewer,
    search: text,
    orderBy: 'created_at',
    sort,
    page,
    ...narrowed,
  });
  const show = projectId === undefined ? presentIssue : presentOwnIssue;
  return shownInBatches(found, (issue) => show(issue, urls));
};

export const findMergeRequests: FindIn = async ({ mergeRequestReader, urls }, search) => {
  const { viewer, text, group: within, project: projectId, state, sort, page } = search;
  const order = { orderBy: 'created_at', sort } as const;
  const narrowed = given({ projectId, within, state });
  const found = await mergeRequestReader.list({ viewer, search: text, page, ...order, ...narrowed });
  return shownInBatches(found, (mergeRequest) => {
    const place = projectId === undefined ? undefined : { project: mergeRequest.projectPath };
    return presentListedMergeRequest(mergeRequest, urls, place);
  });
};

export const findMilestones: FindIn = async ({ planningSearch, urls }, search) => {
  const { viewer, text, group: within, project: projectId, page } = search;
  const found = await planningSearch.milestones({ viewer, search: text, page, ...given({ projectId, within }) });
  return shownInBatches(found, (milestone) => presentMilestone(milestone, urls));
};

export const findSnippets: FindIn = async ({ snippetReader, urls }, { viewer, text: search, page }) =>
  shownInBatches(await snippetReader.list({ viewer, of: 'all', search, page }), (snippet) =>
    presentSnippet(snippet, urls),
  );

/** Everybody; in a place its members. */
export const findUsers: FindIn = async ({ users, reader, urls }, search) => {
  const { viewer, text, group, project, page } = search;
  const members = { viewer, inherited: true, search: text, page };
  if (project !== undefined || group !== undefined) {
    const found = await (project === undefined
      ? reader.groupMembers(group!, members)
      : reader.projectMembers(project, members));
    return mapPage(found, ({ userId, ...person }) => presentBasicUser({ ...person, id: userId }, urls));
  }
  const found = await users.list({ search: text, orderBy: 'id', sort: 'desc', page });
  return mapPage(found, (user) => presentBasicUser(user, urls));
};

export const findNotes: FindIn<Search & { readonly project: ProjectId }> = async (parts, search) => {
  const { viewer, text, project: projectId, page } = search;
  const found = await parts.planningSearch.notes({ viewer, search: text, projectId, page });
  return shownInBatches(found, (note) => presentNote(note, note.subject, parts.urls));
};

/** There are no wikis. */
export const findInWiki: FindIn = () => Promise.resolve(nothingInBatches());
