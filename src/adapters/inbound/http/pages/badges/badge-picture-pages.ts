import { createHash } from 'node:crypto';
import type { CodeStateReader } from '../../../../../application/badges/ports/code-states.js';
import type { ReleaseReader } from '../../../../../application/repositories/ports/release-repository.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  coverageBadge,
  pipelineBadge,
  releaseBadge,
  USUAL_BOUNDS,
  type StateBadge,
} from '../../../../../domain/badges/state-badge.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { decideInProject, type ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import { isStorable } from '../../validation/storable-text.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOfContext, queryChoice, queryText } from '../page-request.js';
import { readableProject } from '../readable-project.js';
import { BADGE_STYLES, drawBadge, type BadgeLook } from './draw-badge.js';

export interface BadgePicturePagesParts {
  readonly access: WorkspaceAccess;
  readonly codeStates: CodeStateReader;
  readonly releaseReader: Pick<ReleaseReader, 'latestTag'>;
  readonly clock: Clock;
}
type Parts = BadgePicturePagesParts;

/** Names of refs have at most so many bytes. */
const LONGEST_REF = 255;
const WIDEST_KEY = 511;
const WIDEST_VALUE = 200;

/** The end is looked for first: what ends otherwise is none, however often it says `/badges/`. */
const OF_REF = '(?=.*/(?:pipeline|coverage)\\.svg$)';
const NAMED = '(?<ref>.+)/(?<about>pipeline|coverage)\\.svg$';
const BELOW_DASH = new RegExp(`^${OF_REF}/(?<path>.+?)/-/badges/${NAMED}`);
/** The same as READMEs have it that were written for other servers. What stands behind a `/-/` is of other pages. */
const OLD = new RegExp(`^${OF_REF}/(?<path>[^/]+(?:/(?!-/)[^/]+)+?)/badges/${NAMED}`);
const RELEASE = /^\/(?<path>.+?)\/-\/badges\/release\.svg$/;

/** Even opened by itself it runs nothing, and loads nothing. */
const CSP = "default-src 'none'; sandbox";

/** Pixels; undefined for what is no such number. */
const widthIn = (context: PageContext, name: string, widest: number): number | undefined => {
  const width = Number(/^\d{1,3}$/.exec(queryText(context, name))?.[0]);
  return width >= 1 && width <= widest ? width : undefined;
};

const lookIn = (context: PageContext): BadgeLook => ({
  style: queryChoice(context, 'style', BADGE_STYLES),
  ...given({
    keyText: queryText(context, 'key_text') || undefined,
    keyWidth: widthIn(context, 'key_width', WIDEST_KEY),
  }),
});

/** Whether pages of others may show it: whoever has no account here may see it, too. */
const isForAll = (project: Project, permission: ProjectPermission): boolean =>
  (['read_code', permission] as const).every(
    (each) => decideInProject({ signedIn: false, admin: false }, project, 0, each) === 'granted',
  );

const send = ({ request, response }: PageContext, svg: string, forAll: boolean): void => {
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`;
  response.set({ 'Cache-Control': 'private, no-cache', ETag: etag, 'Content-Security-Policy': CSP });
  if (forAll) response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (request.get('if-none-match') === etag) return void response.status(304).end();
  // Not by Express's `set`, which adds a charset to a type that has its own.
  response.setHeader('Content-Type', 'image/svg+xml');
  response.send(Buffer.from(svg));
};

/** The project, for who may read its code and this of it. @throws NotFound, Forbidden. */
const open = async <P extends 'read_pipelines' | 'read_releases'>(
  { access }: Parts,
  context: PageContext,
  permission: P,
): Promise<PermittedProject<P>> => {
  const code = await readableProject(access, context);
  return access.also(actorOfContext(context), code, permission);
};

const refIn = ({ request }: PageContext): string => {
  const ref: unknown = request.params['ref'];
  return typeof ref === 'string' && ref.length <= LONGEST_REF && isStorable(ref) ? ref : '';
};

const percentIn = (context: PageContext, name: string, usual: number): number => {
  const text = queryText(context, name);
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : usual;
};

const ofPipeline = async ({ codeStates }: Parts, context: PageContext, project: Project): Promise<StateBadge> => {
  const skipped = queryText(context, 'ignore_skipped') === 'true' ? 'ignored' : 'counted';
  const of = { projectId: project.id, ref: refIn(context) };
  return pipelineBadge(await codeStates.pipelineStatus(of, skipped));
};

const ofCoverage = async ({ codeStates }: Parts, context: PageContext, project: Project): Promise<StateBadge> => {
  const job = queryText(context, 'job') || undefined;
  const coverage = await codeStates.coverage({ projectId: project.id, ref: refIn(context) }, job);
  return coverageBadge(coverage, {
    good: percentIn(context, 'min_good', USUAL_BOUNDS.good),
    acceptable: percentIn(context, 'min_acceptable', USUAL_BOUNDS.acceptable),
    medium: percentIn(context, 'min_medium', USUAL_BOUNDS.medium),
  });
};

/** Pictures that say how the code of a project stands, for READMEs here and elsewhere. */
export const addBadgePictures = (pages: Pages, parts: Parts): void => {
  pages.getFile(RELEASE, async (context) => {
    const { project } = await open(parts, context, 'read_releases');
    const tag = await parts.releaseReader.latestTag(project.id, parts.clock.now());
    const look = { ...lookIn(context), ...given({ valueWidth: widthIn(context, 'value_width', WIDEST_VALUE) }) };
    send(context, drawBadge(releaseBadge(tag), look), isForAll(project, 'read_releases'));
  });
  for (const path of [BELOW_DASH, OLD])
    pages.getFile(path, async (context) => {
      const { project } = await open(parts, context, 'read_pipelines');
      const read = context.request.params['about'] === 'coverage' ? ofCoverage : ofPipeline;
      const badge = await read(parts, context, project);
      send(context, drawBadge(badge, lookIn(context)), isForAll(project, 'read_pipelines'));
    });
};
