import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, namedBy, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Decide, Route } from '../../route.js';
import { oneOf, requiredText, text, type ParametersOf } from '../../validation/parameters.js';
import { NoteSchema } from '../collaboration/note-schema.js';
import { IssueSchema } from '../issues/issue-schema.js';
import { ListedMergeRequestSchema } from '../merge-requests/merge-request-schema.js';
import { MilestoneSchema } from '../milestones/milestone-schema.js';
import { AnyProjectSchema } from '../projects/project-schema.js';
import { CommitSchema } from '../repository/present-commit.js';
import { SnippetSchema } from '../snippets/snippet-schema.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { BlobMatchSchema, findBlobs, findCommits, type CodeQuery, type CodeSearchParts } from './code-search.js';
import {
  findInWiki,
  findIssues,
  findMergeRequests,
  findMilestones,
  findNotes,
  findProjects,
  findSnippets,
  findUsers,
  type FindIn,
  type Found,
  type Search,
  type SearchParts,
} from './search-scopes.js';

export type SearchRoutesParts = SearchParts & CodeSearchParts;
type Parts = SearchRoutesParts;

const { list } = routesOf({ tag: 'Search' });

/** What is found everywhere, and what in a group and everything below it. */
const EVERYWHERE = {
  projects: findProjects,
  issues: findIssues,
  merge_requests: findMergeRequests,
  milestones: findMilestones,
  snippet_titles: findSnippets,
  users: findUsers,
} as const satisfies Record<string, FindIn>;
const IN_GROUP = {
  projects: findProjects,
  issues: findIssues,
  merge_requests: findMergeRequests,
  milestones: findMilestones,
  users: findUsers,
} as const satisfies Record<string, FindIn>;
const IN_PROJECT = {
  issues: findIssues,
  merge_requests: findMergeRequests,
  milestones: findMilestones,
  users: findUsers,
  wiki_blobs: findInWiki,
} as const satisfies Record<string, FindIn>;
const IN_CODE = { commits: findCommits, blobs: findBlobs } as const;

/** What is found in one project alone. */
const ONLY_IN_PROJECTS = ['notes', 'wiki_blobs', 'commits', 'blobs'] as const;

const keysOf = <Key extends string>(finders: Readonly<Record<Key, unknown>>) => Object.keys(finders) as Key[];

const FIELDS = {
  search: requiredText(255, 'What to look for'),
  state: Type.Optional(oneOf(['opened', 'closed', 'merged', 'all'], { description: 'Of issues and merge requests' })),
  confidential: Type.Optional(Type.Boolean({ description: 'Only issues that are confidential, or that are not' })),
  order_by: oneOf(['created_at'], { default: 'created_at' }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
};

const scopeOf = <const Scopes extends readonly string[]>(scopes: Scopes) =>
  oneOf(scopes, { description: 'The kind of things to look for' });

const searchBy = (
  { access }: Parts,
  actor: Actor,
  { search: sought, state, confidential, sort }: ParametersOf<typeof FIELDS>,
  page: PageRequest,
): Search => ({
  actor,
  viewer: access.viewer(actor),
  text: sought,
  sort,
  page,
  ...given({ state: state === 'all' ? undefined : state, confidential }),
});

/** Its items are of the kind that was asked for. */
const ITEMS = Type.Union([
  AnyProjectSchema,
  IssueSchema,
  ListedMergeRequestSchema,
  MilestoneSchema,
  SnippetSchema,
  BasicUserSchema,
  NoteSchema,
  CommitSchema,
  BlobMatchSchema,
]);
const LIST = { access: 'user', items: ITEMS, present: (shown: object) => shown } as const;

const isOf = <Key extends string>(finders: Readonly<Record<Key, unknown>>, scope: string): scope is Key =>
  Object.hasOwn(finders, scope);

const refuseScope = (): never => {
  throw new HttpError(400, 'Scope not supported without Elasticsearch!');
};

const searchEverywhere = (parts: Parts) =>
  list('/search', 'search', {
    ...LIST,
    summary: 'Find projects, issues, merge requests, milestones, snippets and users',
    description: 'As far as the caller sees them. Comments, commits and files are found in one project alone.',
    parameters: { scope: scopeOf([...keysOf(EVERYWHERE), ...ONLY_IN_PROJECTS]), ...FIELDS },
    read: async ({ actor, parameters: { scope, ...sent }, page }): Promise<Found> =>
      isOf(EVERYWHERE, scope) ? EVERYWHERE[scope](parts, searchBy(parts, actor, sent, page)) : refuseScope(),
  });

const searchInGroup = (parts: Parts) =>
  list('/groups/:id/search', 'searchInGroup', {
    ...LIST,
    summary: 'Find projects, issues, merge requests, milestones and members of a group and everything below it',
    parameters: { id: GROUP_ID, scope: scopeOf([...keysOf(IN_GROUP), ...ONLY_IN_PROJECTS]), ...FIELDS },
    guard: inGroup(parts.access, 'read_group'),
    read: async ({ actor, subject: { group }, parameters: { scope, ...sent }, page }): Promise<Found> =>
      isOf(IN_GROUP, scope)
        ? IN_GROUP[scope](parts, { ...searchBy(parts, actor, sent, page), group: group.id })
        : refuseScope(),
  });

interface SearchedProject {
  readonly permitted: Permitted<'read_project'>;
  /** Where the code is searched. */
  readonly code: Permitted<'read_code'> | undefined;
}

/** What is asked of whoever searches for things that may be kept to members. */
const READS = {
  issues: 'read_issues',
  merge_requests: 'read_merge_requests',
  milestones: 'read_milestones',
} as const;

/** Who searches the code must be allowed to read it. */
const inSearchedProject =
  ({ access }: Parts): Decide<SearchedProject> =>
  async (context) => {
    const id = context.path['id'];
    const scope = namedBy(context, 'scope') ?? '';
    const permitted = await access.project(context.actor, id, 'read_project');
    if (isOf(READS, scope)) access.also(context.actor, permitted, READS[scope]);
    const inCode = isOf(IN_CODE, scope);
    return { permitted, code: inCode ? await access.project(context.actor, id, 'read_code') : undefined };
  };

const searchInProject = (parts: Parts) =>
  list('/projects/:id/search', 'searchInProject', {
    ...LIST,
    summary: 'Find issues, merge requests, milestones, comments, commits, lines of files, and members of a project',
    parameters: {
      id: PROJECT_ID,
      scope: scopeOf([...keysOf(IN_PROJECT), 'notes', ...keysOf(IN_CODE)]),
      ...FIELDS,
      ref: Type.Optional(
        text(4_096, 'The version whose commits or files are searched; the default branch when absent'),
      ),
    },
    guard: inSearchedProject(parts),
    read: async ({ actor, subject: { permitted, code }, parameters: { scope, ref, ...sent }, page }) => {
      const search = { ...searchBy(parts, actor, sent, page), project: permitted.project.id };
      if (isOf(IN_PROJECT, scope)) return IN_PROJECT[scope](parts, search);
      if (scope === 'notes') return findNotes(parts, search);
      const query = { text: sent.search, page, ...given({ ref: ref === '' ? undefined : ref }) };
      return code === undefined ? refuseScope() : IN_CODE[scope](parts, { permitted: code, ...query } as CodeQuery);
    },
  });

export const createSearchRoutes = (parts: Parts): readonly Route[] =>
  [searchEverywhere, searchInGroup, searchInProject].map((make) => make(parts));
