import type {
  CiVariableReader,
  StoredCiVariable,
} from '../../../../../application/ci-variables/ports/ci-variable-ports.js';
import type { CiVariableOwner } from '../../../../../domain/ci-variables/ci-variable.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { columnsOf, toStoredVariable, type CiVariableRow } from './ci-variable-rows.js';

/** Farther than any group: what the installation gives comes before what groups give. */
const INSTANCE_DISTANCE = 1_000_000;

export class KnexCiVariableReader implements CiVariableReader {
  constructor(private readonly session: Session) {}

  list(owner: CiVariableOwner, page: PageRequest): Promise<Page<StoredCiVariable>> {
    const list = this.session.query('ci_variables').where(columnsOf(owner)).select('*').orderBy('id');
    return pageOfRows(this.session, list, page, toStoredVariable);
  }

  async named(owner: CiVariableOwner, key: string, scope?: string): Promise<readonly StoredCiVariable[]> {
    const { query } = this.session;
    const rows = query('ci_variables')
      .where({ ...columnsOf(owner), key })
      .orderBy('id');
    if (scope !== undefined) void rows.where({ environment_scope: scope });
    return (await rows.select('*')).map(toStoredVariable);
  }

  async find(owner: CiVariableOwner, id: number): Promise<StoredCiVariable | undefined> {
    const row = await this.session
      .query('ci_variables')
      .where({ id, ...columnsOf(owner) })
      .first();
    return row && toStoredVariable(row);
  }

  async concerning(projectId: ProjectId) {
    const { query } = this.session;
    const home = query('projects').where('projects.id', projectId).select('namespace_id');
    const places = (await lineageOf(query, home).select('id', 'distance')) as { id: number; distance: number }[];
    const distances = new Map(places.map(({ id, distance }) => [Number(id), distance + 1]));
    const rows = (await query('ci_variables')
      .where({ project_id: projectId })
      .orWhereIn('namespace_id', [...distances.keys()])
      .orWhere((instance) => void instance.whereNull('project_id').whereNull('namespace_id'))
      .orderBy('id')
      .select('*')) as CiVariableRow[];
    const distanceOf = ({ project_id, namespace_id }: CiVariableRow): number => {
      if (project_id !== null) return 0;
      return namespace_id === null ? INSTANCE_DISTANCE : (distances.get(Number(namespace_id)) ?? INSTANCE_DISTANCE);
    };
    return rows.map((row) => ({ ...toStoredVariable(row), distance: distanceOf(row) }));
  }
}
