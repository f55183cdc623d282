import type {
  Change,
  NewResourceEvent,
  NotedResourceEvent,
  ResourceEvent,
  ResourceEventReader,
  ResourceEventRepository,
} from '../../../../../application/planning/ports/resource-event-ports.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Label } from '../../../../../domain/planning/label.js';
import type {
  HistoryActions,
  HistoryKind,
  ResourceEventActions,
  ResourceEventKind,
} from '../../../../../domain/planning/resource-event.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { readPeople } from '../identity/people.js';
import { insertInto } from '../insert-rows.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { toLabel } from './knex-label-repository.js';
import { detailsByRow } from './milestone-details.js';
import { MILESTONE_DESCRIPTION, withGroups } from './milestone-row.js';

const INSERT = insertInto('resource_events', [
  'subject_id',
  'user_id',
  'kind',
  'action',
  'label_id',
  'milestone_id',
  'person_id',
  'words',
  'merge_request_id',
  'created_at',
]);

const causeOf = (event: NewResourceEvent) => (event.kind === 'state' ? event.cause : undefined);

/** Of a change of the state: the commit that closed it. */
const wordsOf = (event: NewResourceEvent): string | null => {
  const cause = causeOf(event);
  if (cause !== undefined && 'commit' in cause) return cause.commit;
  return 'words' in event ? event.words : null;
};

const mergeRequestOf = (event: NewResourceEvent): number | null => {
  const cause = causeOf(event);
  return cause !== undefined && 'mergeRequestId' in cause ? cause.mergeRequestId : null;
};

export class KnexResourceEventRepository implements ResourceEventRepository {
  constructor(private readonly session: Session) {}

  add(subjectId: number, events: readonly NewResourceEvent[], by: UserId, at: Date): Promise<void> {
    return this.addAll(events.map((event) => ({ subjectId, event, by, at })));
  }

  async addAll(events: readonly NotedResourceEvent[]): Promise<void> {
    const { dialect } = this.session;
    const rows = events.map(({ subjectId, event, by, at }) => [
      subjectId,
      by,
      event.kind,
      event.action,
      event.kind === 'label' ? event.labelId : null,
      event.kind === 'milestone' ? event.milestoneId : null,
      'personId' in event ? event.personId : null,
      wordsOf(event),
      mergeRequestOf(event),
      dialect.writeInstant(at),
    ]);
    await INSERT(this.session, rows);
  }
}

interface ChangeRow {
  readonly kind: HistoryKind;
  readonly action: HistoryActions[HistoryKind];
  readonly created_at: unknown;
  readonly user_id: UserId | null;
  readonly username: string | null;
  readonly user_name: string | null;
  readonly label_name: string | null;
  readonly label_color: string | null;
  readonly milestone_iid: number | null;
  readonly milestone_group_iid: number | null;
  readonly milestone_group_path: string | null;
  readonly milestone_title: string | null;
  readonly person_username: string | null;
  readonly person_name: string | null;
  readonly words: string | null;
  readonly merge_request_id: number | null;
}

const CHANGE: Readonly<Record<keyof ChangeRow, string>> = {
  kind: 'resource_events.kind',
  action: 'resource_events.action',
  created_at: 'resource_events.created_at',
  user_id: 'users.id',
  username: 'users.username',
  user_name: 'users.name',
  label_name: 'labels.name',
  label_color: 'labels.color',
  milestone_iid: 'milestones.iid',
  milestone_group_iid: 'group_milestones.iid',
  milestone_group_path: 'milestone_groups.full_path',
  milestone_title: 'milestones.title',
  person_username: 'people.username',
  person_name: 'people.name',
  words: 'resource_events.words',
  merge_request_id: 'resource_events.merge_request_id',
};

const milestoneOf = ({
  milestone_iid: iid,
  milestone_title: title,
  milestone_group_iid: groupIid,
  milestone_group_path: path,
}: ChangeRow): Change['milestone'] =>
  iid === null ? null : { iid: groupIid ?? iid, title: title ?? '', group: path === null ? null : { fullPath: path } };

export class KnexResourceEventReader implements ResourceEventReader {
  constructor(private readonly session: Session) {}

  async list<Kind extends ResourceEventKind>(
    subjectId: number,
    kind: Kind,
    page: PageRequest,
  ): Promise<PageInBatches<ResourceEvent<Kind>>> {
    const { query } = this.session;
    const list = query('resource_events')
      .leftJoin('milestones', 'milestones.id', 'resource_events.milestone_id')
      .leftJoin('group_milestones', 'group_milestones.id', 'milestones.group_milestone_id')
      .where({ subject_id: subjectId, kind })
      .orderBy('resource_events.id')
      .select('resource_events.id', { bytes: query.raw(`octet_length(${MILESTONE_DESCRIPTION})`) });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]) =>
      this.#read<Kind>(
        subjectId,
        kind,
        rows.map(({ id }) => id),
      );
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async changes({ id, projectId }: Pick<Subject, 'id' | 'projectId'>, limit: number): Promise<readonly Change[]> {
    const { query, dialect } = this.session;
    const events = query('resource_events')
      .leftJoin('users', 'users.id', 'resource_events.user_id')
      .leftJoin({ people: 'users' }, 'people.id', 'resource_events.person_id')
      .leftJoin('labels', (join) => {
        join.on('labels.id', 'resource_events.label_id').andOnVal('labels.project_id', projectId);
      })
      .leftJoin('milestones', (join) => {
        join.on('milestones.id', 'resource_events.milestone_id').andOnVal('milestones.project_id', projectId);
      })
      .where('resource_events.subject_id', id)
      .orderBy('resource_events.id')
      .limit(limit)
      .select(CHANGE);
    const rows = (await withGroups(events)) as ChangeRow[];
    return rows.map((row) => ({
      kind: row.kind,
      action: row.action,
      user: row.username === null ? null : { id: row.user_id!, username: row.username, name: row.user_name ?? '' },
      label: row.label_name === null ? null : { name: row.label_name, color: row.label_color ?? '' },
      milestone: milestoneOf(row),
      person: row.person_username === null ? null : { username: row.person_username, name: row.person_name ?? '' },
      words: row.words,
      commented: row.kind === 'state' && (row.words !== null || row.merge_request_id !== null),
      at: dialect.readInstant(row.created_at),
    }));
  }

  async find<Kind extends ResourceEventKind>(
    subjectId: number,
    kind: Kind,
    id: number,
  ): Promise<ResourceEvent<Kind> | undefined> {
    return (await this.#read<Kind>(subjectId, kind, [id]))[0];
  }

  async #read<Kind extends ResourceEventKind>(
    subjectId: number,
    kind: Kind,
    ids: readonly number[],
  ): Promise<readonly ResourceEvent<Kind>[]> {
    const { query, dialect } = this.session;
    const found = await query('resource_events')
      .where({ subject_id: subjectId, kind })
      .whereIn('id', [...ids]);
    const rows = inOrderOf(ids, found);
    const people = await readPeople(
      this.session,
      rows.map(({ user_id }) => user_id),
    );
    const labels = await this.#labels(rows.flatMap(({ label_id }) => label_id ?? []));
    const milestones = await detailsByRow(
      this.session,
      rows.flatMap(({ milestone_id }) => milestone_id ?? []),
    );
    return rows.map((row) => ({
      id: row.id,
      action: row.action as ResourceEventActions[Kind],
      user: people.get(row.user_id) ?? null,
      label: labels.get(row.label_id) ?? null,
      milestone: milestones.get(row.milestone_id ?? 0) ?? null,
      commit: row.kind === 'state' ? row.words : null,
      mergeRequestId: row.merge_request_id,
      createdAt: dialect.readInstant(row.created_at),
    }));
  }

  async #labels(ids: readonly number[]): Promise<ReadonlyMap<number | null, Label>> {
    if (ids.length === 0) return new Map();
    const rows = await this.session.query('labels').whereIn('id', [...new Set(ids)]);
    return new Map(rows.map((row) => [row.id, toLabel(row)]));
  }
}
