import type { PackageStatus } from '../../../../../domain/packages/package.js';
import { bigInteger, code, id, instant, key, nullable, reference, table, text } from './table.js';

export const PACKAGE_TABLES = {
  packages: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      name: key,
      version: key,
      status: code<PackageStatus>(),
      created_at: instant,
      last_downloaded_at: nullable(instant),
    },
  }),
  // They lie in the folder of those that jobs leave.
  package_files: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      package_id: reference('packages'),
      project_id: reference('projects'),
      file_name: key,
      size: bigInteger,
      sha256: text,
      sha1: text,
      md5: text,
      file_key: key,
      created_at: instant,
    },
  }),
};
