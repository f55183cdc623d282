import { inAddress } from '../../../../../domain/badges/placeholders.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { isOffered, type ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import type { WebUrls } from '../../web-urls.js';

/** A picture that this service draws, and what to write into a README for it. */
export interface BadgeSnippet {
  readonly id: string;
  readonly label: string;
  /** The address of the picture on this page. */
  readonly picture: string;
  readonly markdown: string;
}

interface Place {
  readonly project: Project;
  readonly level: number;
}

/** Markdown ends an address at a parenthesis. */
const inMarkdown = (address: string): string => address.replaceAll('(', '%28').replaceAll(')', '%29');

/** Of the default branch; those that whoever reads them may see. */
export const badgeSnippets = ({ project, level }: Place, urls: WebUrls): readonly BadgeSnippet[] => {
  const branch = project.defaultBranch ?? DEFAULT_BRANCH;
  const at = (page: string): string => inMarkdown(`${urls.project(project.fullPath)}/-/${page}`);
  const snippet = (id: string, label: string, picture: string, page: string): BadgeSnippet => ({
    id: `badge-${id}`,
    label,
    picture: `/${project.fullPath}/-/${picture}`,
    markdown: `[![${id}](${at(picture)})](${at(page)})`,
  });
  const pipelines = `pipelines?ref=${encodeURIComponent(branch)}`;
  const ofRef = `badges/${inAddress(branch)}`;
  const offers = (permission: ProjectPermission): boolean =>
    isOffered(project, level, 'read_code') && isOffered(project, level, permission);
  return [
    ...(offers('read_pipelines')
      ? [
          snippet('pipeline', 'Newest pipeline', `${ofRef}/pipeline.svg`, pipelines),
          snippet('coverage', 'Coverage', `${ofRef}/coverage.svg`, pipelines),
        ]
      : []),
    ...(offers('read_releases') ? [snippet('release', 'Latest release', 'badges/release.svg', 'releases')] : []),
  ];
};
