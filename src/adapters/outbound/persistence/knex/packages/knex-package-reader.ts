import type { Knex } from 'knex';
import type {
  PackageFilter,
  PackageOfGroup,
  PackageReader,
} from '../../../../../application/packages/ports/package-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Package, PackageFile, PackageFileName } from '../../../../../domain/packages/package.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../../../domain/shared/page.js';
import type { FileSizes } from '../../../../../domain/shared/room-for-files.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { sizesOfProject } from '../sizes-of-project.js';
import type { RowOf } from '../tables.js';
import { containsPattern } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';
import { toPackage, toPackageFile } from './package-rows.js';

type RowInGroup = RowOf<'packages'> & { readonly project_path: string };

export class KnexPackageReader implements PackageReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, id: number): Promise<Package | undefined> {
    const { query, dialect } = this.session;
    const row = await query('packages').where({ project_id: projectId, id }).first();
    return row && toPackage(row, dialect);
  }

  list(projectId: ProjectId, filter: PackageFilter): Promise<Page<Package>> {
    const { query, dialect } = this.session;
    const list = query('packages').where({ project_id: projectId }).select('packages.*');
    return pageOfRows(this.session, narrowed(list, filter), filter.page, (row: RowOf<'packages'>) =>
      toPackage(row, dialect),
    );
  }

  listInGroup(groupId: GroupId, viewer: Viewer, filter: PackageFilter): Promise<Page<PackageOfGroup>> {
    const { query, dialect } = this.session;
    const visible = visibleProjects(query, viewer, (from) =>
      from.from('packages').join('projects', 'projects.id', 'packages.project_id'),
    );
    const list = wherePermitted(visible, viewer, 'read_packages')
      .whereIn('projects.namespace_id', idsInside(query, groupId))
      .select('packages.*', { project_path: 'projects.full_path' });
    return pageOfRows(this.session, narrowed(list, filter), filter.page, (row: RowInGroup) => ({
      ...toPackage(row, dialect),
      projectPath: row.project_path,
    }));
  }

  async countFiles(packageIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (packageIds.length === 0) return new Map();
    const rows = (await this.session
      .query('package_files')
      .whereIn('package_id', [...packageIds])
      .groupBy('package_id')
      .select('package_id')
      .count({ files: '*' })) as { readonly package_id: number; readonly files: number | string }[];
    return new Map(rows.map(({ package_id: id, files }) => [id, Number(files)]));
  }

  files(packageId: number, page: PageRequest, sort: SortDirection = 'asc'): Promise<Page<PackageFile>> {
    const { query, dialect } = this.session;
    const list = query('package_files').where({ package_id: packageId }).orderBy('id', sort);
    return pageOfRows(this.session, list, page, (row: RowOf<'package_files'>) => toPackageFile(row, dialect));
  }

  file(projectId: ProjectId, fileId: number): Promise<PackageFile | undefined> {
    return this.#file(this.session.query('package_files').where({ project_id: projectId, id: fileId }));
  }

  async fileNamed(
    projectId: ProjectId,
    { name, version, fileName }: PackageFileName,
  ): Promise<PackageFile | undefined> {
    const { query } = this.session;
    const found = await query('packages').where({ project_id: projectId, name, version }).first('id');
    if (found === undefined) return undefined;
    return this.#file(
      query('package_files').where({ package_id: found.id, file_name: fileName }).orderBy('id', 'desc'),
    );
  }

  async #file(of: Knex.QueryBuilder): Promise<PackageFile | undefined> {
    const row = (await of.first('*')) as RowOf<'package_files'> | undefined;
    return row && toPackageFile(row, this.session.dialect);
  }

  sizesOf(projectId: ProjectId): Promise<FileSizes> {
    return sizesOfProject(this.session, 'package_files', projectId);
  }
}

const narrowed = (list: Knex.QueryBuilder, { name, version, status, orderBy, sort }: PackageFilter) => {
  if (name !== undefined) void list.whereRaw("lower(packages.name) like ? escape '\\'", [containsPattern(name)]);
  if (version !== undefined) void list.where('packages.version', version);
  return list.where('packages.status', status ?? 'default').orderBy([
    { column: `packages.${orderBy}`, order: sort },
    { column: 'packages.id', order: sort },
  ]);
};
