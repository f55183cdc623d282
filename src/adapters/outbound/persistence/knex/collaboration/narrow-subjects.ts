import type { Knex } from 'knex';
import type { MilestoneStanding } from '../../../../../domain/planning/milestone.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { narrowByGrams } from '../narrow-by-grams.js';
import { plannedFor } from '../planning/planned-for.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';

/** The tables of subjects that are planned, discussed and searched alike. */
export type SubjectTable = 'issues' | 'merge_requests';

const SEARCH_INDEXES = { issues: 'issue_search', merge_requests: 'merge_request_search' } as const;

interface Searched {
  readonly search?: string;
  /** In both unless told. */
  readonly searchIn?: 'title' | 'description';
}

/** Leaves those whose title or description contains a text. The title is the first line of what is searched. */
export const narrowBySearch = async (
  session: Session,
  list: Knex.QueryBuilder,
  table: SubjectTable,
  { search, searchIn }: Searched,
): Promise<void> => {
  if (search === undefined) return;
  const key = `${table}.search_key`;
  const end = session.dialect.indexIn(key);
  const parts = { title: `substr(${key}, 1, ${end})`, description: `substr(${key}, ${end} + 1)` };
  const searched = searchIn === undefined ? { text: key, ends: [] } : { text: parts[searchIn], ends: ['\n'] };
  void list.whereRaw(`${searched.text} like ? escape '\\'`, [...searched.ends, containsPattern(search)]);
  await narrowByGrams(list, session, { index: SEARCH_INDEXES[table], column: `${table}.id`, search });
};

interface Times {
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
}

/** Bounds belong to what is left. */
export const narrowByTime = (
  { dialect }: Session,
  list: Knex.QueryBuilder,
  table: SubjectTable,
  { createdAfter, createdBefore, updatedAfter, updatedBefore }: Times,
): void => {
  const bounds = [
    ['created_at', '>=', createdAfter],
    ['created_at', '<=', createdBefore],
    ['updated_at', '>=', updatedAfter],
    ['updated_at', '<=', updatedBefore],
  ] as const;
  for (const [column, sign, at] of bounds)
    if (at !== undefined) void list.where(`${table}.${column}`, sign, dialect.writeInstant(at));
};

interface Planned {
  /** Of a milestone of a group in all projects. */
  readonly milestoneId?: number;
  /** Of whichever project. */
  readonly milestoneTitle?: string;
  /** Of the one project that is listed. */
  readonly releaseTag?: string;
  readonly projectId?: ProjectId;
  readonly planned?: boolean;
  readonly milestoneStands?: MilestoneStanding;
  readonly viewer: { readonly today: string };
}

const milestonesOfRelease = (projectId: ProjectId | undefined, tag: string) => (of: Knex.QueryBuilder) =>
  void of
    .from('release_milestones')
    .join('releases', 'releases.id', 'release_milestones.release_id')
    // Without a project there is no release.
    .where('releases.project_id', projectId ?? null)
    .where('releases.tag', tag)
    .select('release_milestones.milestone_id');

/** Open milestones that stand so on a day; of those that are due next, all of that day. */
const milestonesThatStand = (standing: MilestoneStanding, today: string) => (of: Knex.QueryBuilder) => {
  void of.from('milestones').where('milestones.state', 'active').select('milestones.id');
  if (standing === 'started') return void of.where('milestones.start_date', '<=', today);
  return void of
    .where('milestones.due_date', '>', today)
    .whereNotExists(
      (sooner) =>
        void sooner
          .from({ sooner: 'milestones' })
          .whereRaw('sooner.project_id = milestones.project_id and sooner.due_date < milestones.due_date')
          .where({ 'sooner.state': 'active' })
          .where('sooner.due_date', '>', today),
    );
};

export const narrowByMilestone = (
  list: Knex.QueryBuilder,
  table: SubjectTable,
  { milestoneId, milestoneTitle, releaseTag, projectId, planned, milestoneStands, viewer }: Planned,
): void => {
  const column = `${table}.milestone_id`;
  if (milestoneId !== undefined) plannedFor(list, column, milestoneId);
  if (milestoneTitle !== undefined)
    void list.join('milestones', 'milestones.id', column).where('milestones.title', milestoneTitle);
  if (releaseTag !== undefined) void list.whereIn(column, milestonesOfRelease(projectId, releaseTag));
  if (milestoneStands !== undefined) void list.whereIn(column, milestonesThatStand(milestoneStands, viewer.today));
  if (planned === true) void list.whereNotNull(column);
  if (planned === false) void list.whereNull(column);
};

/** Leaves out those that are planned so. */
export const withoutMilestone = (
  { query }: Session,
  list: Knex.QueryBuilder,
  table: SubjectTable,
  {
    milestoneTitle,
    planned,
    milestoneStands,
    viewer,
  }: Pick<Planned, 'milestoneTitle' | 'planned' | 'milestoneStands' | 'viewer'>,
): void => {
  const column = `${table}.milestone_id`;
  if (milestoneTitle !== undefined)
    without(list, column, query('milestones').where({ title: milestoneTitle }).select('id'));
  if (milestoneStands !== undefined) {
    const standing = query.queryBuilder();
    milestonesThatStand(milestoneStands, viewer.today)(standing);
    without(list, column, standing);
  }
  if (planned === true) void list.whereNull(column);
  if (planned === false) void list.whereNotNull(column);
};

/** The ids of people of these names. */
export const named = ({ query }: Session, usernames: readonly string[]): Knex.QueryBuilder =>
  query('users')
    .whereIn(
      'username_key',
      usernames.map((username) => username.toLowerCase()),
    )
    .select('id');

interface Chosen {
  readonly id?: UserId | undefined;
  /** All of them. */
  readonly usernames?: readonly string[] | undefined;
  /** Whether anybody is. */
  readonly some?: boolean | undefined;
}

interface ChosenAs {
  /** Of the ids of the subjects of the list. */
  readonly column: string;
  /** Makes the query of the ids of subjects that somebody was chosen for. */
  readonly among: () => Knex.QueryBuilder;
}

/** By whom they are assigned to, or who was asked to look at them: found among the few that somebody has, not along the whole list. */
export const narrowByChosen = (
  session: Session,
  list: Knex.QueryBuilder,
  { column, among }: ChosenAs,
  { id, usernames = [], some }: Chosen,
): void => {
  if (id !== undefined) void list.whereIn(column, among().where({ user_id: id }));
  for (const username of usernames) void list.whereIn(column, among().whereIn('user_id', named(session, [username])));
  if (some === true) void list.whereIn(column, among());
  if (some === false) void list.whereNotIn(column, among());
};

interface Awarded {
  readonly viewer: { readonly userId: UserId | null };
  /** An emoji that the viewer awarded; whether they awarded any. */
  readonly reaction?: string;
  readonly reacted?: boolean;
}

/** The ids of subjects that somebody awarded an emoji. */
export const awardedBy = ({ query }: Session, userId: UserId | null): Knex.QueryBuilder =>
  query('awards')
    .where('user_id', userId ?? 0)
    .whereNull('note_id')
    .select('subject_id');

export const narrowByReaction = (
  session: Session,
  list: Knex.QueryBuilder,
  table: SubjectTable,
  { viewer, reaction, reacted }: Awarded,
): void => {
  const column = `${table}.id`;
  const mine = () => awardedBy(session, viewer.userId);
  if (reaction !== undefined) void list.whereIn(column, mine().where({ name: reaction }));
  if (reacted === true) void list.whereIn(column, mine());
  if (reacted === false) void list.whereNotIn(column, mine());
};

/** Leaves out those whose column has a value; nothing is no value. */
export const without = (list: Knex.QueryBuilder, column: string, value: string | number | Knex.QueryBuilder): void =>
  void list.where((other) => {
    const others = typeof value === 'object' ? other.whereNotIn(column, value) : other.whereNot(column, value);
    void others.orWhereNull(column);
  });
