import type { PackageRepository } from '../../../../../application/packages/ports/package-ports.js';
import type { Package, PackageFile, PackageStatus } from '../../../../../domain/packages/package.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { FileSizes } from '../../../../../domain/shared/room-for-files.js';
import type { Session } from '../session.js';
import { sizesOfProject } from '../sizes-of-project.js';
import { toPackage } from './package-rows.js';

export class KnexPackageRepository implements PackageRepository {
  constructor(private readonly session: Session) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`packages of ${projectId}`);
  }

  sizesOf(projectId: ProjectId): Promise<FileSizes> {
    return sizesOfProject(this.session, 'package_files', projectId);
  }

  async find(projectId: ProjectId, name: string, version: string): Promise<Package | undefined> {
    const { query, dialect } = this.session;
    const row = await query('packages').where({ project_id: projectId, name, version }).first();
    return row && toPackage(row, dialect);
  }

  async add({ projectId, name, version, status, createdAt }: Omit<Package, 'id' | 'lastDownloadedAt'>) {
    const { query, dialect } = this.session;
    const [row] = await query('packages')
      .insert({ project_id: projectId, name, version, status, created_at: dialect.writeInstant(createdAt) })
      .returning('id');
    return row!.id;
  }

  async setStatus(id: number, status: PackageStatus): Promise<void> {
    await this.session.query('packages').where({ id }).update({ status });
  }

  async addFile(file: Omit<PackageFile, 'id'>): Promise<number> {
    const { query, dialect } = this.session;
    const [row] = await query('package_files')
      .insert({
        package_id: file.packageId,
        project_id: file.projectId,
        file_name: file.fileName,
        size: file.size,
        sha256: file.sha256,
        sha1: file.sha1,
        md5: file.md5,
        file_key: file.fileKey,
        created_at: dialect.writeInstant(file.createdAt),
      })
      .returning('id');
    return row!.id;
  }

  async noteDownload(id: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('packages')
      .where({ id })
      .update({ last_downloaded_at: dialect.writeInstant(at) });
  }

  async remove(projectId: ProjectId, id: number): Promise<boolean> {
    return (await this.session.query('packages').where({ project_id: projectId, id }).delete()) > 0;
  }

  async removeFile(packageId: number, fileId: number): Promise<string | undefined> {
    const files = this.session.query('package_files').where({ package_id: packageId, id: fileId });
    const row = await files.clone().first('file_key');
    await files.delete();
    return row?.file_key;
  }

  async removeSomeFiles(packageId: number, most: number): Promise<readonly string[]> {
    const { query } = this.session;
    const rows = await query('package_files')
      .where({ package_id: packageId })
      .orderBy('id')
      .limit(most)
      .select('id', 'file_key');
    await this.#removeFiles(rows.map(({ id }) => id));
    return rows.map(({ file_key: key }) => key);
  }

  async removeSomeOfProject(projectId: ProjectId, most: number): Promise<number> {
    const { query } = this.session;
    const files = await query('package_files').where({ project_id: projectId }).limit(most).select('id');
    await this.#removeFiles(files.map(({ id }) => id));
    if (files.length === most) return most;
    const ids = await query('packages')
      .where({ project_id: projectId })
      .limit(most - files.length)
      .select('id');
    await query('packages')
      .whereIn(
        'id',
        ids.map(({ id }) => id),
      )
      .delete();
    return files.length + ids.length;
  }

  async #removeFiles(ids: readonly number[]): Promise<void> {
    if (ids.length > 0)
      await this.session
        .query('package_files')
        .whereIn('id', [...ids])
        .delete();
  }
}
