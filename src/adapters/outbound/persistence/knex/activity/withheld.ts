import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ActivityEventWithAuthor } from '../../../../../application/activity/ports/activity-reader.js';
import { toldBy, type Told } from '../../../../../domain/activity/activity-event.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import type { Session } from '../session.js';
import { visibleProjects, whetherPermitted } from '../visibility/visible.js';
import type { ActivityRow } from './activity-row.js';

const READS: Readonly<Record<Told, ProjectPermission>> = {
  code: 'read_code',
  issues: 'read_issues',
  milestones: 'read_milestones',
  merge_requests: 'read_merge_requests',
  snippets: 'read_snippets',
};
const KINDS = Object.keys(READS) as Told[];

type ReadingRow = { readonly id: ProjectId } & { readonly [Kind in Told]: number };

/** Everything is as open as its project, mostly. */
const narrows = (row: ActivityRow): boolean =>
  [
    row.repository_access_level,
    row.issues_access_level,
    row.merge_requests_access_level,
    row.snippets_access_level,
  ].some((level) => level !== null && level !== 'enabled');

/** Takes from entries what the viewer may not read: a feature may be kept to members, or be switched off. */
export const withholding = async (
  { query }: Session,
  viewer: Viewer,
  rows: readonly ActivityRow[],
): Promise<(event: ActivityEventWithAuthor) => ActivityEventWithAuthor> => {
  const narrowed = new Set(rows.filter(narrows).map(({ feed }) => Math.floor(feed / 2)));
  if (narrowed.size === 0) return (event) => event;
  const columns = Object.fromEntries(KINDS.map((kind) => [kind, whetherPermitted(query, viewer, READS[kind])]));
  const found = (await visibleProjects(query, viewer)
    .whereIn('projects.id', [...narrowed])
    .select('projects.id', columns)) as ReadingRow[];
  const read = new Map(found.map((row) => [row.id, row]));
  return (event) => {
    const told = toldBy(event);
    if (told === undefined || !narrowed.has(event.projectId) || read.get(event.projectId)?.[told] === 1) return event;
    return { ...event, target: null, push: null, comment: null, withheld: true };
  };
};
