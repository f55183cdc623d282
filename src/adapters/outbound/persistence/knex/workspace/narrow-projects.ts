import type { Knex } from 'knex';
import type { ProjectQuery } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Session } from '../session.js';
import { containsPattern, searchKey } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';
import { hasLevel, wherePermitted } from '../visibility/visible.js';

/** Leaves the projects of a list that a query asks for. */
export const narrowProjects = (session: Session, list: Knex.QueryBuilder, asked: ProjectQuery): void => {
  const { visibility, archived, minAccessLevel, within, starredBy, forksOf, topics, idAfter, idBefore } = asked;
  const { query } = session;
  narrowBySearch(list, asked);
  narrowByActivity(session, list, asked);
  if (visibility !== undefined) void list.where('projects.visibility', visibility);
  if (archived !== undefined) void list.where('projects.archived', archived);
  if (starredBy !== undefined)
    void list.whereIn('projects.id', query('project_stars').where({ user_id: starredBy }).select('project_id'));
  if (forksOf !== undefined)
    void list.whereIn('projects.id', query('project_forks').where({ source_id: forksOf }).select('project_id'));
  if (topics !== undefined) narrowByTopics(session, list, topics);
  if (idAfter !== undefined) void list.where('projects.id', '>', idAfter);
  if (idBefore !== undefined) void list.where('projects.id', '<', idBefore);
  if (minAccessLevel !== undefined) void list.where(hasLevel(minAccessLevel));
  if (asked.withIssues === true) void wherePermitted(list, asked.viewer, 'read_issues');
  if (asked.withMergeRequests === true) void wherePermitted(list, asked.viewer, 'read_merge_requests');
  if (within !== undefined) narrowByPlace(session, list, within);
};

const narrowBySearch = (list: Knex.QueryBuilder, { search, searchNamespaces }: ProjectQuery): void => {
  if (search === undefined) return;
  const columns = ['projects.search_key', ...(searchNamespaces === true ? ['projects.full_path_key'] : [])];
  const pattern = containsPattern(search);
  void list.where((found) => {
    for (const column of columns) void found.orWhereRaw("?? like ? escape '\\'", [column, pattern]);
  });
};

const narrowByActivity = (
  { dialect }: Session,
  list: Knex.QueryBuilder,
  { activeAfter, activeBefore }: ProjectQuery,
): void => {
  const column = 'projects.last_activity_at';
  if (activeAfter !== undefined) void list.where(column, '>', dialect.writeInstant(activeAfter));
  if (activeBefore !== undefined) void list.where(column, '<', dialect.writeInstant(activeBefore));
};

/** By the first of them an index finds projects; how many of all of them each has is one look, however many there are. */
const narrowByTopics = ({ query }: Session, list: Knex.QueryBuilder, topics: readonly string[]): void => {
  const keys = [...new Set(topics.map((name) => searchKey(name)))];
  const [first] = keys;
  if (first === undefined) return;
  void list.whereIn('projects.id', query('project_topics').where({ name_key: first }).select('project_id'));
  if (keys.length === 1) return;
  const among = query('project_topics').whereRaw('project_topics.project_id = projects.id').whereIn('name_key', keys);
  void list.whereRaw('? = ?', [among.count('*'), keys.length]);
};

const narrowByPlace = (
  { query }: Session,
  list: Knex.QueryBuilder,
  { namespaceId, includeSubgroups }: Required<ProjectQuery>['within'],
): void => {
  if (includeSubgroups) void list.whereIn('projects.namespace_id', idsInside(query, namespaceId));
  else void list.where('projects.namespace_id', namespaceId);
};
