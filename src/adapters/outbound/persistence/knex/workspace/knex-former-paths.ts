import type { FormerPaths } from '../../../../../application/workspace/ports/former-paths.js';
import { MAX_GROUP_DEPTH } from '../../../../../domain/workspace/group-place.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';

/** What is below a group is renamed and moved by itself, too: a path is followed through so many of these. */
const MOST_STEPS = 5;

interface FormerRow {
  readonly path_key: string;
  readonly namespace_path: string | null;
  readonly project_path: string | null;
}

export class KnexFormerPaths implements FormerPaths {
  constructor(private readonly session: Session) {}

  async pathNow(path: string): Promise<string | undefined> {
    let now = path;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (await this.#isTaken(now)) return step === 0 ? undefined : now;
      const next = await this.#follow(now);
      if (next === undefined) return undefined;
      now = next;
    }
    return undefined;
  }

  async #isTaken(path: string): Promise<boolean> {
    const full_path_key = searchKey(path);
    const { query } = this.session;
    return (
      (await query('projects').where({ full_path_key }).first('id')) !== undefined ||
      (await query('namespaces').where({ full_path_key }).first('id')) !== undefined
    );
  }

  /** By what was at the path, or else by the nearest group above it that was renamed or moved. */
  async #follow(path: string): Promise<string | undefined> {
    const steps = path.split('/');
    // A project is one step below its group.
    if (steps.length > MAX_GROUP_DEPTH + 1) return undefined;
    const keys = steps.map((_, place) => searchKey(steps.slice(0, place + 1).join('/')));
    const rows = (await this.session
      .query('former_paths')
      .leftJoin('namespaces', 'namespaces.id', 'former_paths.namespace_id')
      .leftJoin('projects', 'projects.id', 'former_paths.project_id')
      .whereIn('former_paths.path_key', keys)
      .whereNull('namespaces.removal_requested_at')
      .whereNull('projects.removal_requested_at')
      .select('former_paths.path_key', {
        namespace_path: 'namespaces.full_path',
        project_path: 'projects.full_path',
      })) as FormerRow[];
    const former = new Map(rows.map((row) => [row.path_key, row]));
    const place = keys.findLastIndex((key) => former.has(key));
    const row = former.get(keys[place] ?? '');
    const below = steps.slice(place + 1);
    if (row === undefined || (row.project_path !== null && below.length > 0)) return undefined;
    return [row.project_path ?? row.namespace_path ?? '', ...below].join('/');
  }
}
