import type {
  DuePull,
  PullLease,
  PullMirrorRepository,
  PullOutcome,
  PutPullMirror,
} from '../../../../../application/mirrors/ports/pull-mirror-ports.js';
import type { PullMirror } from '../../../../../domain/mirrors/pull-mirror.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { activeProjects } from './active-projects.js';
import { toPullMirror, type PullMirrorRow } from './pull-mirror-row.js';

const columnsOf = ({ userId, enabled, remote, ...settings }: PutPullMirror) => ({
  user_id: userId,
  enabled,
  only_protected_branches: settings.onlyProtectedBranches,
  overwrites_diverged: settings.overwritesDiverged,
  triggers_builds: settings.triggersBuilds,
  ...(remote === undefined ? {} : { url: remote.url, sealed_credentials: remote.sealedCredentials }),
});

export class KnexPullMirrorRepository implements PullMirrorRepository {
  constructor(
    private readonly session: Session,
    private readonly noteDue: () => void,
  ) {}

  async take(projectId: ProjectId): Promise<PullMirror | undefined> {
    await this.session.hold(`pull mirror of ${projectId}`);
    const row = await this.#locked(projectId);
    return row && toPullMirror(row, this.session.dialect);
  }

  async put(mirror: PutPullMirror, dueAt: Date, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const due = mirror.enabled ? dialect.writeInstant(dueAt) : null;
    const standing = mirror.enabled ? 'scheduled' : 'none';
    const said = { ...columnsOf(mirror), due_at: due, failures: 0, updated_at: dialect.writeInstant(at) };
    const there = await this.#locked(mirror.projectId);
    if (there === undefined) {
      const { url = '', sealedCredentials = null } = mirror.remote ?? {};
      const first = { project_id: mirror.projectId, url, sealed_credentials: sealedCredentials };
      const begun = { status: standing, created_at: dialect.writeInstant(at) } as const;
      await query('pull_mirrors').insert({ ...said, ...first, ...begun });
    } else {
      const free = { status: standing, held_by: null, held_until: null } as const;
      await query('pull_mirrors')
        .where({ project_id: mirror.projectId })
        .update({ ...said, ...free });
    }
    if (mirror.enabled) this.noteDue();
  }

  async remove(projectId: ProjectId): Promise<void> {
    await this.session.query('pull_mirrors').where({ project_id: projectId }).delete();
  }

  async hurry(projectId: ProjectId, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    await query('pull_mirrors')
      .where({ project_id: projectId })
      .update({
        // Whoever asks again and again doesn't get behind those that are due since.
        due_at: query.raw('case when due_at < ? then due_at else ? end', [instant, instant]),
        failures: 0,
        status: query.raw("case when held_until is null then 'scheduled' else status end"),
      });
    this.noteDue();
  }

  async lease({ holder, now, until, exceptUsers }: PullLease): Promise<DuePull | undefined> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(now);
    const due = query('pull_mirrors')
      .where({ enabled: true })
      .where((one) => {
        // What a node left that has died is done again.
        void one.where('held_until', '<=', instant);
        void one.orWhere((free) => void free.whereNull('held_until').where('due_at', '<=', instant));
      })
      .where((one) => void one.whereNull('user_id').orWhereNotIn('user_id', [...exceptUsers]))
      .whereIn('project_id', activeProjects(this.session))
      .orderBy('due_at')
      .limit(1);
    const [row] = (await dialect.holdRows(due)) as PullMirrorRow[];
    if (row === undefined) return undefined;
    await query('pull_mirrors')
      .where({ project_id: row.project_id })
      .update({
        due_at: null,
        held_by: holder,
        held_until: dialect.writeInstant(until),
        status: 'started',
        last_update_started_at: instant,
      });
    return { ...toPullMirror({ ...row, status: 'started' }, dialect), sealedCredentials: row.sealed_credentials };
  }

  async renew(projectId: ProjectId, holder: string, until: Date): Promise<boolean> {
    const { dialect } = this.session;
    const held = this.#held(projectId, holder);
    return (await held.update({ held_until: dialect.writeInstant(until) })) === 1;
  }

  async isHeld(projectId: ProjectId, holder: string): Promise<boolean> {
    return (await this.#held(projectId, holder).first('project_id')) !== undefined;
  }

  async end(projectId: ProjectId, holder: string, outcome: PullOutcome): Promise<boolean> {
    const { query, dialect } = this.session;
    const row = await this.#locked(projectId);
    if (row === undefined || row.held_by !== holder) return false;
    const { status, error, failures, dueAt, at } = outcome;
    const instant = dialect.writeInstant(at);
    // Somebody has asked for it while it was updated.
    const again = row.due_at !== null;
    const next = dueAt === null || !row.enabled ? null : dialect.writeInstant(dueAt);
    await query('pull_mirrors')
      .where({ project_id: projectId })
      .update({
        status: again ? 'scheduled' : status,
        due_at: again ? row.due_at : next,
        failures: again ? row.failures : failures,
        held_by: null,
        held_until: null,
        ...(status === 'scheduled' ? {} : { last_error: error, last_update_at: instant }),
        ...(status === 'finished' ? { last_successful_update_at: instant } : {}),
      });
    if (again) this.noteDue();
    return true;
  }

  async #locked(projectId: ProjectId): Promise<PullMirrorRow | undefined> {
    const { query, dialect } = this.session;
    const rows = await dialect.lockRows(query('pull_mirrors').where({ project_id: projectId }).select('*'));
    return rows[0] as PullMirrorRow | undefined;
  }

  #held(projectId: ProjectId, holder: string) {
    return this.session
      .query('pull_mirrors')
      .where({ project_id: projectId, held_by: holder, enabled: true })
      .whereIn('project_id', activeProjects(this.session));
  }
}
