import type {
  DueMirror,
  MirrorLease,
  MirrorOutcome,
  MirrorSettings,
  NewMirror,
  RemoteMirrorRepository,
} from '../../../../../application/mirrors/ports/mirror-ports.js';
import type { RemoteMirror } from '../../../../../domain/mirrors/remote-mirror.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { activeProjects } from './active-projects.js';
import { toMirror, type MirrorRow } from './mirror-row.js';

const columnsOf = ({ enabled, onlyProtectedBranches, keepDivergentRefs }: MirrorSettings) => ({
  enabled,
  only_protected_branches: onlyProtectedBranches,
  keep_divergent_refs: keepDivergentRefs,
});

/** One that was disabled meanwhile is tried no more. */
const withoutAnother = (outcome: MirrorOutcome): MirrorOutcome =>
  outcome.dueAt === null ? outcome : { ...outcome, status: 'failed', error: outcome.error ?? DISABLED, dueAt: null };

const DISABLED = 'The mirror was disabled before it was updated.';

export class KnexRemoteMirrorRepository implements RemoteMirrorRepository {
  constructor(
    private readonly session: Session,
    private readonly noteDue: () => void,
  ) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`mirrors of ${projectId}`);
  }

  async count(projectId: ProjectId): Promise<number> {
    const [row] = await this.session.query('remote_mirrors').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async add({ projectId, url, sealedCredentials, ...settings }: NewMirror, at: Date): Promise<number> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const [row] = await query('remote_mirrors')
      .insert({
        project_id: projectId,
        url,
        sealed_credentials: sealedCredentials,
        ...columnsOf(settings),
        status: 'none',
        attempts: 0,
        created_at: instant,
        updated_at: instant,
      })
      .returning('id');
    return row!.id;
  }

  async take(id: number): Promise<RemoteMirror | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('remote_mirrors').where({ id }).select('*'))) as MirrorRow[];
    return row && toMirror(row, dialect);
  }

  async update(id: number, settings: MirrorSettings, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('remote_mirrors')
      .where({ id })
      .update({ ...columnsOf(settings), updated_at: dialect.writeInstant(at) });
    if (settings.enabled) return;
    await query('remote_mirrors').where({ id }).update({ due_at: null, attempts: 0 });
    await query('remote_mirrors').where({ id }).whereIn('status', ['scheduled', 'to_retry']).update({ status: 'none' });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('remote_mirrors').where({ id }).delete();
  }

  async schedule(projectIds: readonly ProjectId[], at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const scheduled = await query('remote_mirrors')
      .whereIn('project_id', [...projectIds])
      .where({ enabled: true })
      .whereNull('due_at')
      .update({
        due_at: dialect.writeInstant(at),
        status: query.raw("case when held_until is null then 'scheduled' else status end"),
      });
    if (scheduled > 0) this.noteDue();
  }

  async hurry(id: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('remote_mirrors')
      .where({ id })
      .update({
        due_at: dialect.writeInstant(at),
        attempts: 0,
        status: query.raw("case when held_until is null then 'scheduled' else status end"),
      });
    this.noteDue();
  }

  async lease({ holder, now, until, exceptProjects }: MirrorLease): Promise<DueMirror | undefined> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(now);
    const due = query('remote_mirrors')
      .where({ enabled: true })
      .where((one) => {
        // What a node left that has died is done again.
        void one.where('held_until', '<=', instant);
        void one.orWhere((free) => void free.whereNull('held_until').where('due_at', '<=', instant));
      })
      .whereIn('project_id', activeProjects(this.session))
      .whereNotIn('project_id', [...exceptProjects])
      .orderBy('due_at')
      .orderBy('id')
      .limit(1);
    const [row] = (await dialect.holdRows(due)) as MirrorRow[];
    if (row === undefined) return undefined;
    const attempts = row.attempts + 1;
    await query('remote_mirrors')
      .where({ id: row.id })
      .update({
        attempts,
        due_at: null,
        held_by: holder,
        held_until: dialect.writeInstant(until),
        status: 'started',
        last_update_started_at: instant,
      });
    return { ...toMirror({ ...row, status: 'started' }, dialect), sealedCredentials: row.sealed_credentials, attempts };
  }

  async renew(id: number, holder: string, until: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const held = query('remote_mirrors')
      .where({ id, held_by: holder })
      .whereIn('project_id', activeProjects(this.session));
    return (await held.update({ held_until: dialect.writeInstant(until) })) === 1;
  }

  async end(id: number, holder: string, outcome: MirrorOutcome): Promise<boolean> {
    const { query, dialect } = this.session;
    const held = query('remote_mirrors').where({ id, held_by: holder }).select('*');
    const [row] = (await dialect.lockRows(held)) as MirrorRow[];
    if (row === undefined) return false;
    const { status, error, dueAt, at } = row.enabled ? outcome : withoutAnother(outcome);
    const instant = dialect.writeInstant(at);
    // Somebody has pushed while it was updated: what failed waits all the same, and what ended for good begins anew.
    const again = row.due_at !== null && dueAt === null;
    await query('remote_mirrors')
      .where({ id })
      .update({
        status: again ? 'scheduled' : status,
        due_at: dueAt === null ? row.due_at : dialect.writeInstant(dueAt),
        attempts: dueAt === null ? 0 : row.attempts,
        held_by: null,
        held_until: null,
        ...(status === 'scheduled' ? {} : { last_error: error, last_update_at: instant }),
        ...(status === 'finished' ? { last_successful_update_at: instant } : {}),
      });
    if (again) this.noteDue();
    return true;
  }
}
