import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { isStorable } from '../../validation/storable-text.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import { actorFor, queryText } from '../page-request.js';
import { projectPath } from '../project-path.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { MergeRequestPagesParts } from './merge-request-pages-parts.js';

type Source = PermittedProject<'push_code'>;
type Target = PermittedProject<'open_merge_requests'>;

/** Between which branches of which projects somebody may open a merge request, and what they chose. */
export interface BranchChoices {
  /** The project whose page it is. */
  readonly place: Target;
  /** Empty for who may push nowhere. */
  readonly sources: readonly Source[];
  readonly targets: readonly Target[];
  readonly source: Source | undefined;
  readonly target: Target;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

const FORKS = { page: 1, perPage: 20 };
const LONGEST_BRANCH = 255;

/** Of projects, the one of that path; else the first. */
const chosenOf = <Place extends Target | Source>(places: readonly Place[], path: string): Place | undefined =>
  places.find(({ project }) => project.fullPath === path) ?? places[0];

/** The project itself, what it was forked from, and forks of it that the caller may push to. */
const relatedTo = async (
  { access, reader, relations }: MergeRequestPagesParts,
  { browser }: PageContext,
  { project: { id } }: Target,
) => {
  const viewer = access.viewer(actorFor(browser));
  const found = await relations.relationsOf(viewer, [id]);
  const forks = await reader.listProjects({
    ...{ viewer, forksOf: id, archived: false, minAccessLevel: ACCESS_LEVEL.developer },
    ...{ orderBy: 'last_activity_at', sort: 'desc', page: FORKS },
  });
  return { origin: found.get(id)?.forkedFrom?.project.id, forks: forks.items.map((fork) => fork.id) };
};

/** As git's clients are led here after a push: `merge_request[source_branch]`. */
const pushedBranch = ({ request }: PageContext): string => {
  const sent = request.query['merge_request'];
  const branch: unknown = typeof sent === 'object' && 'source_branch' in sent ? sent['source_branch'] : undefined;
  return typeof branch === 'string' && isStorable(branch) ? branch.trim().slice(0, LONGEST_BRANCH) : '';
};

const NAMES = ['source_project', 'source_branch', 'target_project', 'target_branch'] as const;
type Name = (typeof NAMES)[number];

/** What was typed, once the form of the merge request was sent. */
const typedName = ({ request }: PageContext, name: Name): string =>
  field(request, name).trim().slice(0, LONGEST_BRANCH);

/** A name that was typed, else the one of the address. */
const nameIn = (context: PageContext, name: Name): string => typedName(context, name) || queryText(context, name);

/** Whether to compare again and open nothing yet: the address has the branches whose comparison the person has seen. */
export const comparesOthers = (context: PageContext): boolean => {
  if (field(context.request, 'compare') === 'true') return true;
  return NAMES.some((name) => !['', queryText(context, name)].includes(typedName(context, name)));
};

/** What was typed, and what the address says. @throws NotFound, Forbidden. */
export const branchChoicesIn = async (parts: MergeRequestPagesParts, context: PageContext): Promise<BranchChoices> => {
  const actor = actorFor(context.browser);
  const { access } = parts;
  const place = await access.project(actor, projectPath(context.request), 'open_merge_requests');
  const { origin, forks } = await relatedTo(parts, context, place);
  const asSources = [place.project.id, ...forks, ...(origin === undefined ? [] : [origin])];
  const sources = (
    await Promise.all(asSources.map((id) => unlessRefused(access.project(actor, String(id), 'push_code'))))
  ).filter((found) => found !== undefined);
  const original =
    origin === undefined
      ? undefined
      : await unlessRefused(access.project(actor, String(origin), 'open_merge_requests'));
  const upstream = original === undefined ? [] : [original];
  const source = chosenOf(sources, nameIn(context, 'source_project'));
  // Changes of a fork are mostly meant for what it was forked from.
  const targets = source?.project.id === place.project.id ? [...upstream, place] : [place, ...upstream];
  const target = chosenOf(targets, nameIn(context, 'target_project')) ?? place;
  return {
    ...{ place, sources, targets, source, target },
    sourceBranch: nameIn(context, 'source_branch') || pushedBranch(context),
    targetBranch: nameIn(context, 'target_branch') || (target.project.defaultBranch ?? ''),
  };
};
