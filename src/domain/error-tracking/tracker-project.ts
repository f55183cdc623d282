import type { ErrorTrackingSettings } from './error-tracking-settings.js';

// The path of a project in the API of trackers that call it `/api/0/projects/ORGANIZATION/PROJECT/`.
const API_PATH = /^([a-z]+:\/\/[^/?#]+\/(?:[^?#]*?\/)?)api\/0\/projects\//i;
const PROJECT_IN_API = /\/api\/0\/projects\/[^/?#]+\/([^/?#]+)/i;
const LAST_SEGMENT = /([^/?#]+)\/*(?:[?#].*)?$/;

/** Where people look at the project: as it was given, else the API URL without the part that makes it one of the API. */
export const trackerExternalUrlOf = ({
  apiUrl,
  trackerExternalUrl,
}: Pick<ErrorTrackingSettings, 'apiUrl' | 'trackerExternalUrl'>): string =>
  trackerExternalUrl ?? apiUrl.replace(API_PATH, '$1');

/** What the project is called at the tracker: as it was given, else its part of the API URL in title case. */
export const projectNameOf = ({ apiUrl, projectName }: Pick<ErrorTrackingSettings, 'apiUrl' | 'projectName'>): string =>
  projectName ?? titleCase(readable(PROJECT_IN_API.exec(apiUrl)?.[1] ?? LAST_SEGMENT.exec(apiUrl)?.[1] ?? apiUrl));

/** A segment of a path as a person would read it. */
const readable = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const titleCase = (slug: string): string =>
  slug
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
