import { Type } from '@sinclair/typebox';
import type { Comparisons } from '../../../../../application/repositories/browse/comparisons.js';
import type { PermittedCode, Revision } from '../../../../../application/repositories/browse/revisions.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { ForkNetwork } from '../../../../../application/workspace/fork-network.js';
import { Forbidden, NotFound, UnknownValue } from '../../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { component } from '../../openapi/component.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { route, type Route } from '../../route.js';
import { identifier, listOf, nullable, oneOf, parameters, requiredText, text } from '../../validation/parameters.js';
import { inCode, MAX_NAME, REF, revisionOf, type CodeRoutesParts } from './code-routes-parts.js';
import { CommitSchema, presentCommit } from './present-commit.js';
import { DiffSchema, presentDiff } from './present-diff.js';

type Parts = CodeRoutesParts & { readonly comparisons: Comparisons; readonly forkNetwork: ForkNetwork };

const TAG = 'Repositories';

const ComparisonSchema = component(
  'schemas/Comparison',
  Type.Object({
    commit: nullable(CommitSchema),
    commits: Type.Array(CommitSchema),
    diffs: Type.Array(DiffSchema),
    compare_timeout: Type.Boolean({ description: 'There were more commits or differences than are told' }),
    compare_same_ref: Type.Boolean(),
    web_url: Type.String(),
  }),
);

/** The code that a comparison begins in. @throws UnknownValue for a project that is not of one network with this; Forbidden. */
const beginningIn = async ({ forkNetwork }: Parts, actor: Actor, project: Project, id: number) => {
  const code = await forkNetwork.codeOf(actor, project, String(id)).catch((error: unknown) => {
    throw error instanceof Forbidden ? new Forbidden("You don't have access to this fork's parent project") : error;
  });
  if (code === undefined) throw new UnknownValue(`Target project id:${id} is not a fork of project id:${project.id}`);
  return code;
};

const compare = (parts: Parts): Route =>
  route({
    method: 'get',
    path: '/projects/:id/repository/compare',
    operationId: 'compareCommits',
    summary: 'What lies between two commits',
    description: 'Up to 1,000 commits and 1,000 files, the oldest commit first.',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({
      id: PROJECT_ID,
      from: requiredText(MAX_NAME, 'A branch, a tag, or the id of a commit'),
      to: requiredText(MAX_NAME, 'The same'),
      straight: Type.Boolean({
        default: false,
        description: 'Whether they are compared as they are, not from where the second parted from the first',
      }),
      from_project_id: Type.Optional(
        identifier('The project that `from` is in: this one unless told, its source, or a fork of either'),
      ),
    }),
    responses: { 200: ComparisonSchema },
    guard: inCode(parts),
    handle: async ({ actor, subject, parameters: { from, to, straight, from_project_id: fromProject } }) => {
      const { project } = subject;
      const beginning = fromProject === undefined ? subject : await beginningIn(parts, actor, project, fromProject);
      const one = await revisionOf(parts, beginning, from, 'Ref');
      const other = await revisionOf(parts, subject, to, 'Ref');
      const sides = { from: one.commit.id, to: other.commit.id, straight };
      const store = one.store === other.store ? one.store : parts.objects.both(other.store, one.store);
      const { commits, diff, overflow } = await parts.comparisons.compare(store, sides);
      const shown = commits.map((commit) => presentCommit(commit, project, parts.urls));
      return {
        body: {
          commit: shown.at(-1) ?? null,
          commits: shown,
          diffs: diff.files.map(presentDiff),
          compare_timeout: overflow,
          compare_same_ref: sides.from === sides.to,
          web_url: parts.urls.compare(project.fullPath, from, to, straight ? '..' : '...'),
        },
      };
    },
  });

/** @throws UnknownValue for names that lead nowhere. */
const findAll = async ({ revisions }: Parts, permitted: PermittedCode, names: readonly string[]) => {
  const found: Revision[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const revision = await revisions.find(permitted, name);
    if (revision === undefined) missing.push(name);
    else found.push(revision);
  }
  if (missing.length > 0)
    throw new UnknownValue(`Could not find ref${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}`);
  return found;
};

const MOST_REFS = 20;

const getMergeBase = (parts: Parts): Route =>
  route({
    method: 'get',
    path: '/projects/:id/repository/merge_base',
    operationId: 'getMergeBase',
    summary: 'The last commit that branches, tags or commits have in common',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({
      id: PROJECT_ID,
      refs: listOf(text(MAX_NAME), { maxItems: MOST_REFS, description: 'Two or more of them' }),
    }),
    responses: { 200: CommitSchema },
    guard: inCode(parts),
    handle: async ({ subject, parameters: { refs } }) => {
      if (refs.length < 2) throw new UnknownValue('Provide at least 2 refs');
      const [first, ...others] = await findAll(parts, subject, refs);
      const { store, commit } = first!;
      const base = await parts.history.mergeBase(store, [commit.id, ...others.map((other) => other.commit.id)]);
      const found = base === undefined ? undefined : await parts.objects.commit(store, base);
      if (found === undefined) throw new NotFound('Merge Base');
      return { body: presentCommit(found, subject.project, parts.urls) };
    },
  });

const ContributorSchema = component(
  'schemas/Contributor',
  Type.Object({
    name: Type.String(),
    email: Type.String(),
    commits: Type.Integer(),
    additions: Type.Integer({ description: 'Always 0' }),
    deletions: Type.Integer({ description: 'Always 0' }),
  }),
);

const listContributors = (parts: Parts): Route =>
  pagedList({
    path: '/projects/:id/repository/contributors',
    operationId: 'listContributors',
    summary: 'Authors of commits, by their addresses',
    tag: TAG,
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      ref: Type.Optional(text(MAX_NAME, REF)),
      order_by: oneOf(['name', 'email', 'commits'], { default: 'commits' }),
      sort: oneOf(['asc', 'desc'], { default: 'asc' }),
    },
    items: ContributorSchema,
    guard: inCode(parts),
    read: async ({ subject, parameters: { ref, order_by: by, sort }, page }) => {
      const revision = await parts.revisions.find(subject, ref);
      if (revision === undefined) throw new NotFound();
      const people = await parts.history.contributors(revision.store, revision.commit.id);
      const sign = sort === 'asc' ? 1 : -1;
      const sorted = [...people].sort((one, other) => {
        const differ = by === 'commits' ? one.commits - other.commits : compareTexts(one[by], other[by]);
        return sign * (differ === 0 ? compareTexts(one.email, other.email) : differ);
      });
      return pageOfList(sorted, page);
    },
    present: (person) => ({ ...person, additions: 0, deletions: 0 }),
  });

const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export const createComparisonRoutes = (parts: Parts): readonly Route[] =>
  [compare, getMergeBase, listContributors].map((make) => make(parts));
