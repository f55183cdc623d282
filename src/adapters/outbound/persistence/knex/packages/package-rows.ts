import type { Package, PackageFile } from '../../../../../domain/packages/package.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export const toPackage = (row: RowOf<'packages'>, dialect: Dialect): Package => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  version: row.version,
  status: row.status,
  createdAt: dialect.readInstant(row.created_at),
  lastDownloadedAt: readInstantOrNull(dialect, row.last_downloaded_at),
});

export const toPackageFile = (row: RowOf<'package_files'>, dialect: Dialect): PackageFile => ({
  id: row.id,
  packageId: row.package_id,
  projectId: row.project_id,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  sha1: row.sha1,
  md5: row.md5,
  fileKey: row.file_key,
  createdAt: dialect.readInstant(row.created_at),
});
