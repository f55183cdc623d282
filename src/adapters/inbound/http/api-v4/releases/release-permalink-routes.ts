import type { Request } from 'express';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { behindLatest } from '../../behind-latest.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { API_PREFIX, route, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { forJobsToo, JOB_TOKEN } from '../pipelines/for-jobs-too.js';
import {
  ALL_RELEASES,
  foundRelease,
  IN_RELEASE,
  ONE_RELEASE,
  RELEASES_TAG,
  type ReleaseRoutesParts,
} from './release-parts.js';

type Parts = ReleaseRoutesParts;

const LATEST = `${ALL_RELEASES}/permalink/latest`;
const IN_LATEST = { id: PROJECT_ID, job_token: JOB_TOKEN };
const DECLARED = { method: 'get', tag: RELEASES_TAG, access: 'anyone', responses: { 302: null } } as const;

const leadTo = (address: string) => ({ status: 302, headers: { Location: address } });

/** Headers have no other characters. */
const inAscii = (address: string): string => address.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);

const downloadReleaseLink = (parts: Parts) =>
  route({
    ...DECLARED,
    path: `${ONE_RELEASE}/downloads/:direct_asset_path`,
    operationId: 'downloadReleaseLink',
    summary: 'Leads to what a link of a release leads to',
    description: 'By its path (`direct_asset_path`), which stays the same when what it leads to changes.',
    parameters: parameters({
      ...IN_RELEASE,
      direct_asset_path: pathId('The path of the link, its slashes as they are or encoded'),
      job_token: JOB_TOKEN,
    }),
    guard: foundRelease(parts, forJobsToo(parts, 'read_releases')),
    handle: ({ subject: { release }, parameters: { direct_asset_path: path } }) => {
      const link = release.links.find((each) => each.path === `/${path}`);
      return Promise.resolve(leadTo(inAscii(orNotFound(link, 'Link').url)));
    },
  });

/** The same address of the newest release that is out. @throws NotFound where there is none. */
const leadToLatest = async (
  { releaseReader, clock }: Parts,
  { project }: Permitted<'read_releases'>,
  request: Request,
  suffix?: string,
) => {
  const latest = orNotFound(await releaseReader.latestTag(project.id, clock.now()));
  const release = `${API_PREFIX}/projects/${project.id}/releases/${encodeURIComponent(latest)}`;
  return leadTo(release + behindLatest(suffix, request));
};

const getLatestRelease = (parts: Parts) =>
  route({
    ...DECLARED,
    path: LATEST,
    operationId: 'getLatestRelease',
    summary: 'Leads to the newest release that is out',
    parameters: parameters(IN_LATEST),
    guard: forJobsToo(parts, 'read_releases'),
    handle: ({ subject, request }) => leadToLatest(parts, subject, request),
  });

const getBelowLatestRelease = (parts: Parts) =>
  route({
    ...DECLARED,
    path: `${LATEST}/:suffix`,
    operationId: 'getBelowLatestRelease',
    summary: 'Leads to what is below the newest release that is out',
    description: 'Such as `downloads/bin/tool`: the path and the query are kept.',
    parameters: parameters({
      ...IN_LATEST,
      suffix: pathId('The path below the release, its slashes as they are or encoded'),
    }),
    guard: forJobsToo(parts, 'read_releases'),
    handle: ({ subject, request, parameters: { suffix } }) => leadToLatest(parts, subject, request, suffix),
  });

/** Addresses that stay the same when what they lead to changes. */
export const createReleasePermalinkRoutes = (parts: Parts): readonly Route[] =>
  [getLatestRelease, getBelowLatestRelease, downloadReleaseLink].map((make) => make(parts));
